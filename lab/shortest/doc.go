// Package shortest counts lines of play, that is sequences of plies from a start
// position, and finds the shortest games:
//
//	search, err := shortest.NewSearch(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}))
//	if err != nil {
//		log.Fatal(err)
//	}
//	turn, err := search.Turn(ctx)
//	for err == nil && len(turn.Mated) == 0 {
//		turn, err = search.Turn(ctx)
//	}
//	if err != nil {
//		log.Fatal(err)
//	}
//	game, err := search.Record(turn.Mated[0])
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(turn.Plies, turn.Ended, game.Moves)
//
// A Search proceeds turn by turn (a placement and the slide that answers it) and
// keeps each position once, together with all positions equal to it under a symmetry.
// For each position it keeps the number of lines that lead to it or to one of its
// images:
//
//	lines(child) = sum over parents of lines(parent) * moves from the parent to any image of the child
//
// This is exact, because every image of a parent has the same number of such moves.
// A walk through the whole game tree would find the same counts: their sum over all
// positions of a ply is rules.Perft.
//
// Turns use all cores; the results do not depend on their number.
package shortest
