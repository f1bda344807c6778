package searchtest_test

import (
	"fmt"
	"math/rand/v2"

	"versus2048/players/searchtest"
)

func Example() {
	random := rand.New(rand.NewPCG(1, 2))
	var over searchtest.Sample
	for p := range searchtest.RandomPositions(random.IntN, 1) {
		over.Count(p.Over())
	}
	fmt.Println(over.Mean())
	// Output: 0
}
