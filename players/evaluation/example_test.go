package evaluation_test

import (
	"fmt"
	"log"

	"versus2048/players/evaluation"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0/0,4 D 4")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(evaluation.Variant{}.Position(position))
	// Output: -4
}
