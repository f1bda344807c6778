package census_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/census"
	"versus2048/rules"
)

func ExampleLineSearch() {
	ctx := context.Background()

	search, err := census.NewLineSearch(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}))
	if err != nil {
		log.Fatal(err)
	}
	turn, err := search.Turn(ctx)
	for err == nil && len(turn.Mated) == 0 {
		turn, err = search.Turn(ctx)
	}
	if err != nil {
		log.Fatal(err)
	}
	game, err := search.Record(turn.Mated[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(turn.Plies, turn.Ended, game.Moves)
	// Output: 11 5760 [(1,1) S (1,1) N (2,1) S (2,1) N (1,2) S (2,1)]
}
