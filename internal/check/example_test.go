package check_test

import (
	"context"
	"fmt"
	"os"

	"versus2048/internal/check"
)

func Example() {
	_ = func(ctx context.Context) error {
		bot := check.NewLineBot([]string{"bot", "stdio", "greedy"})
		report, err := check.Run(ctx, bot, check.Options{Slack: check.DefaultSlack})
		if err != nil {
			return err
		}
		for _, id := range report.Failures() {
			fmt.Println("failed:", id)
		}
		return report.WriteText(os.Stdout)
	}
}
