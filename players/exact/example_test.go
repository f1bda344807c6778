package exact_test

import (
	"fmt"
	"log"

	"versus2048/players/exact"
	"versus2048/rules"
)

func Example() {
	table, err := exact.Open("testdata/gpcc2015-2x2.table")
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	value, err := table.Value(rules.NewPosition(table.Rules(), table.Size()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(value.Gain, value.Plies)
	// Output: 68 29
}
