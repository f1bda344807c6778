package playout_test

import (
	"fmt"
	"log"

	"versus2048/players/playout"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "4,2,4,2/2,4,2,4/4,2,4,2/2,4,2,2 D")
	if err != nil {
		log.Fatal(err)
	}
	random := playout.NewGenerator(1)
	total := 0
	for range 1000 {
		total += playout.Play(position, &random)
	}
	fmt.Println(total / 1000)
	// Output: 1104
}
