// Package searchtest is shared by the tests of the searches. It has positions to search, samples of random
// numbers, a slow evaluation to compare with, and small networks.
//
//	random := rand.New(rand.NewPCG(1, 2))
//	var over searchtest.Sample
//	for p := range searchtest.RandomPositions(random.IntN, 1) {
//		over.Count(p.Over())
//	}
//	fmt.Println(over.Mean())
//
// A [Network] has random weights, so it does not play well. The same seed always gives the same weights.
package searchtest
