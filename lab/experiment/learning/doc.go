// Package learning measures players that have learned the game against perfect play, beside players that
// search: the share of the points of perfect play that they make, the share of their moves that are optimal,
// and the loss by their other moves.
//
//	ctx, size := context.Background(), rules.Size{Width: 2, Height: 2}
//	solution, err := retrograde.Solve(ctx, rules.GPCC2016, size, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	spec, err := players.Parse("alphabeta:depth=20")
//	if err != nil {
//		log.Fatal(err)
//	}
//	bots := []learning.Bot{{Name: "alphabeta", Spec: spec}}
//	settings := learning.Config{Positions: 5, Games: 4, Opening: 2, Seed: 1, Workers: 1}
//	board, err := learning.Measure(ctx, learning.Solved(solution.Table), bots, settings, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, played := range board.Bots[0].Played {
//		fmt.Printf("%v: %s of the optimum\n", played.Role, played.Share.Value.Percent())
//	}
//
// The moves are measured by package regret, in a sample of positions that is the same for all bots. The points
// are measured in whole games: under solo from the empty board against chance, and else in each role against
// perfect play, from positions after random plies. The optimum of each of these is known. A board that is too
// large to be solved is measured by its points alone, under solo.
//
// Snapshots of one run of training form a curve, against its steps and seconds, with intervals over the seeds
// of equal runs.
package learning
