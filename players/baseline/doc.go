// Package baseline chooses moves without a search. Stronger players are measured against these.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,2,0/8,0,0/0,4,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	random := playout.NewGenerator(1)
//	fmt.Println(baseline.Greedy(position, position.AppendMoves(nil), &random))
//
// Random, Greedy and Chance are the bots of these names in package players; browsers play Greedy and Chance, too. Each
// of them takes the legal moves of a position, at least one, and may reorder them.
package baseline
