package mcts_test

import (
	"fmt"
	"log"

	"versus2048/players/mcts"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := mcts.New(mcts.Config{
		Nodes: 10_000, Exploration: 1000, ExpandAt: 5, Threads: 1,
	})
	random := playout.NewGenerator(7)
	move := search.Choose(position, &random, searching.Budget{Playouts: 1000})
	fmt.Println(move, search.Result().Playouts)
	// Output: S 1000
}
