package playout_test

import (
	"fmt"
	"log"

	"versus2048/players/playout"
	"versus2048/rules"
)

func ExampleChooseGreedy() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,2,0/8,0,0/0,4,0 D")
	if err != nil {
		log.Fatal(err)
	}
	random := playout.NewGenerator(1)
	fmt.Println(playout.ChooseGreedy(position, position.AppendMoves(nil), &random))
	// Output: W
}
