// Package searchtest is shared by the tests of the searches. It has positions to search, samples of random
// numbers and a slow evaluation to compare with.
//
//	random := rand.New(rand.NewPCG(1, 2))
//	var over searchtest.Sample
//	for p := range searchtest.RandomPositions(random.IntN, 1) {
//		over.Count(p.Over())
//	}
//	fmt.Println(over.Mean())
package searchtest
