package trial_test

import (
	"context"
	"fmt"
	"time"

	"versus2048/internal/check/trial"
	"versus2048/rules"
	"versus2048/tournament"
)

func Example() {
	_ = func(ctx context.Context) error {
		report, err := trial.Run(ctx, trial.Config{
			Command:   []string{"python3", "me.py"},
			Opponents: []string{"greedy", "evminimax"},
			Matches:   10,
			Clock:     tournament.Clock{PerMove: 100 * time.Millisecond},
			Size:      rules.Full,
		})
		if err != nil {
			return err
		}
		for _, sentence := range report.Advice() {
			fmt.Println(sentence)
		}
		return nil
	}
}
