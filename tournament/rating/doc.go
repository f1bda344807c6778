// Package rating computes strength from results: Elo and normalised Elo of two bots with intervals, the
// sequential test of one against the other, and the joint ratings of many bots.
//
//	pairs := rating.Pentanomial{34, 54, 63, 64, 75} // pairs in which ann made 0, 1/2, 1, 3/2, 2 points
//	elo, _ := rating.Elo(pairs)
//	fmt.Printf("Elo of ann: %.2f +/- %.2f\n", elo.Value, elo.HalfWidth())
//
//	test := rating.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: rating.Normalized}
//	fmt.Printf("LLR %.2f: %s\n", test.LLR(pairs), test.State(pairs))
//
//	groups := rating.Rate(3, []rating.Result{
//		{A: 0, B: 1, Matches: rating.Trinomial{Loss: 10, Draw: 5, Win: 25}},
//		{A: 1, B: 2, Matches: rating.Trinomial{Loss: 20, Draw: 5, Win: 15}},
//	})
//	fmt.Printf("Elo of 0: %.0f, likelihood of superiority to 2: %.2f\n",
//		groups[0].Elo(0).Value, groups[0].Superiority(0, 2))
//
// The package uses only counts and numbers, neither bots nor games. It counts matches, each of two games with the roles
// swapped, or pairs of matches on one opening. The games of a match are not independent of each other, and neither are
// the matches of a pair.
package rating
