package process_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/players/process"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

var _ = func(ctx context.Context) {
	program, err := process.Start(ctx, process.Config{Command: []string{"python3", "me.py"}})
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()
	game := program.Play(ctx, stdio.New{Game: "1", Role: rules.Attacker, Rules: rules.GPCC2015, Size: rules.Full, Seed: 7})
	move, err := game.Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(move)
	game.Over(stdio.Over{})
}
