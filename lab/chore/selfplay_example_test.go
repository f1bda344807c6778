package chore_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/chore"
	"versus2048/players/puct"
	"versus2048/rules"
)

// even knows nothing: all moves are alike, and nothing more is scored.
type even struct{}

func (even) Evaluate(positions []rules.Position) []puct.Rating {
	ratings := make([]puct.Rating, len(positions))
	for i, p := range positions {
		ratings[i].Policy = make([]float32, puct.Outputs(p.Size()))
	}
	return ratings
}

func (even) Scale() puct.Scale { return nil }

func ExamplePlayGames() {
	settings := chore.SelfPlayDefaults(rules.GPCC2016, rules.Size{Width: 2, Height: 2})
	settings.Games, settings.Simulations = 10, 8
	games, err := chore.PlayGames(context.Background(), settings, func() (puct.Evaluator, error) { return even{}, nil })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(games), len(games[0].Turns) > 0)
	// Output: 10 true
}
