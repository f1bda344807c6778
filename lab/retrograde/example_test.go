package retrograde_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/retrograde"
	"versus2048/rules"
)

func Example() {
	solution, err := retrograde.Solve(context.Background(), rules.GPCC2016, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		log.Fatal(err)
	}
	position, err := rules.ParsePosition(rules.GPCC2016, "0,2/0,0 A")
	if err != nil {
		log.Fatal(err)
	}
	moves, err := solution.Moves(position)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range moves {
		fmt.Println(m.Move, m.Value.Gain, m.Value.Plies)
	}
	// Output:
	// (1,1) 12 9
	// (1,1,4) 8 7
	// (1,2) 12 9
	// (1,2,4) 8 7
	// (2,2) 12 9
	// (2,2,4) 8 7
}
