// Package shortest counts lines of play, the sequences of plies from a start
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
// A Search goes on turn by turn (a placement and the slide that answers it) and
// keeps each position once, equal ones under a symmetry together. With a
// position goes the number of lines that lead to it or to one of its images:
//
//	lines(child) = sum over parents of lines(parent) * moves from the parent to any image of the child
//
// which is exact, since every image of a parent has equally many such moves.
// So all lines are counted that a walk through the game tree would count, without
// the walk: summed up they are rules.Perft.
//
// Turns go to all cores; what comes of them does not depend on how many there
// are.
package shortest
