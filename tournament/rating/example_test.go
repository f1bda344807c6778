package rating_test

import (
	"fmt"

	"versus2048/tournament/rating"
)

func Example() {
	pairs := rating.Pentanomial{34, 54, 63, 64, 75} // pairs in which ann made 0, 1/2, 1, 3/2, 2 points
	elo, _ := rating.Elo(pairs)
	fmt.Printf("Elo of ann: %.2f +/- %.2f\n", elo.Value, elo.HalfWidth())

	test := rating.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: rating.Normalized}
	fmt.Printf("LLR %.2f: %s\n", test.LLR(pairs), test.State(pairs))

	groups := rating.Rate(3, []rating.Result{
		{A: 0, B: 1, Matches: rating.Trinomial{Loss: 10, Draw: 5, Win: 25}},
		{A: 1, B: 2, Matches: rating.Trinomial{Loss: 20, Draw: 5, Win: 15}},
	})
	fmt.Printf("Elo of 0: %.0f, likelihood of superiority to 2: %.2f\n", groups[0].Elo(0).Value, groups[0].Superiority(0, 2))
	// Output:
	// Elo of ann: 55.58 +/- 27.65
	// LLR 2.48: running
	// Elo of 0: 77, likelihood of superiority to 2: 0.89
}
