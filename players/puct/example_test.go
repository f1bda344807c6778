package puct_test

import (
	"fmt"
	"log"

	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/players/searching"
	"versus2048/rules"
)

// even is an evaluator without knowledge: all moves are equal, and nothing more is scored.
type even struct{}

func (even) Evaluate(positions []rules.Position) []puct.Rating {
	ratings := make([]puct.Rating, len(positions))
	for i, p := range positions {
		ratings[i].Policy = make([]float32, puct.Outputs(p.Size()))
	}
	return ratings
}

func (even) Scale() puct.Scale { return nil }

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,2/0,4 D")
	if err != nil {
		log.Fatal(err)
	}
	search := puct.New(puct.Defaults(), even{})
	random := playout.NewGenerator(7)
	move := search.Choose(position, &random, searching.Budget{Playouts: 50})
	fmt.Println(move, search.Result().Nodes)
	// Output: E 51
}
