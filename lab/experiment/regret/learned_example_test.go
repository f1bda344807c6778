package regret_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/experiment/regret"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/rules"
)

func ExampleMeasure() {
	ctx, size := context.Background(), rules.Size{Width: 2, Height: 2}
	solution, err := retrograde.Solve(ctx, rules.GPCC2016, size, nil)
	if err != nil {
		log.Fatal(err)
	}
	spec, err := players.Parse("alphabeta:depth=20")
	if err != nil {
		log.Fatal(err)
	}
	bots := []regret.LearnedBot{{Name: "alphabeta", Spec: spec}}
	settings := regret.LearnedConfig{Positions: 5, Games: 4, Opening: 2, Seed: 1, Workers: 1}
	board, err := regret.Measure(ctx, regret.Solved(solution.Table), bots, settings, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, played := range board.Bots[0].Played {
		fmt.Printf("%v: %s of the optimum\n", played.Role, played.Share.Value.Percent())
	}
	// Output:
	// defender: 100.0% of the optimum
	// attacker: 100.0% of the optimum
}
