// Package census counts the positions of versus 2048, all that can be reached
// after so many plies:
//
//	layers, err := census.Run(ctx, census.Settings{
//		Start:  rules.NewPosition(rules.GPCC2015, rules.Full),
//		Plies:  20,
//		Memory: 1 << 30,
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, l := range layers {
//		fmt.Println(l.Plies, l.Positions, l.MinScore, l.MaxScore)
//	}
//
// It does again, and further, what Oka, Matsuzaki and Haraguchi did in "Exhaustive
// Analysis and Monte-Carlo Tree Search Player for Two-Player 2048" (2015).
// Positions that equal each other under a rotation or reflection count once.
//
// All boards of a layer have the same sum of tiles. So a layer is a set of ranks
// among the boards of that sum (space), cut into pieces that as bitmaps fit the
// processor's cache, and kept as the gaps between the ranks in a Rice code (set).
// Workers make the successors of all positions, row by row instead of cell by cell
// (boards), and put their ranks into blocks sorted by piece (stage, block); then
// the different ranks of each piece are found in a bitmap (joiner). When the memory
// is full that makes a run, and the runs are joined in the end (gathering).
package census
