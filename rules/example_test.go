package rules_test

import (
	"fmt"
	"log"

	"versus2048/rules"
)

func Example() {
	position := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, text := range []string{"(1,1)", "S", "(1,1)", "S"} {
		move, err := rules.ParseMove(text)
		if err != nil {
			log.Fatal(err)
		}
		if position, err = position.Play(move); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(position, position.Over())
	// Output: 0,0,0,0/0,0,0,0/0,0,0,0/4,0,0,0 A 4 4 false
}
