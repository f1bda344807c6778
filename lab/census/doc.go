// Package census counts all positions of versus 2048 that can be reached after a
// given number of plies:
//
//	layers, err := census.Run(ctx, census.Config{
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
// It repeats and extends the counts that Oka, Matsuzaki and Haraguchi published in "Exhaustive Analysis and
// Monte-Carlo Tree Search Player for Two-Player 2048" (2015). Positions that equal each other under a rotation
// or reflection count once.
//
// All boards of a layer have the same sum of tiles. A layer is therefore stored as
// a set of ranks among all boards of that sum (space). The ranks are divided into
// pieces small enough for their bitmaps to fit the processor's cache, and stored as
// the gaps between them in a Rice code (set). Workers generate the successors of
// all positions, row by row rather than cell by cell (boards), and sort their ranks
// by piece into blocks (stage, block). A bitmap then finds the distinct ranks of
// each piece (joiner). When the memory is full, the blocks are joined into a run,
// and in the end all runs are joined (collector).
//
// A [LineSearch] counts lines of play, that is sequences of plies from a start position, and finds the shortest games.
// It proceeds turn by turn (a placement and the slide that answers it) and keeps each position once, together with all
// positions equal to it under a symmetry. For each position it keeps the number of lines that lead to it or to one of
// its images:
//
//	lines(child) = sum over parents of lines(parent) * moves from the parent to any image of the child
//
// This is exact, because every image of a parent has the same number of such moves. A walk through the whole game tree
// would find the same counts: their sum over all positions of a ply is rules.Perft.
//
// Each turn is computed on all cores. The results do not depend on the number of cores.
package census
