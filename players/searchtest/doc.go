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
// The weights of a [Network] are random, so that it does not play well, but they are always the same for the same seed.
package searchtest
