// Package learning measures players that have learned the game against perfect play, beside players
// that search: how many points they make of those that perfect play makes, how often their moves are
// optimal, and what the others lose.
//
//	solution, err := exact.Solve(ctx, rules.GPCC2016, size, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	board, err := learning.Measure(ctx, learning.Solved(solution.Table), bots, settings, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	report := learning.Report{Boards: []learning.Board{board}}
//	if err := report.WriteMarkdown(os.Stdout); err != nil {
//		log.Fatal(err)
//	}
//
// The moves are measured by package regret, in a sample of positions that is the same for all bots. The
// points are measured in whole games: under solo from the empty board against chance, and else in each
// role against perfect play, from positions after random plies. The optimum of each of these is known.
// A board that is too large to be solved has points alone, under solo.
//
// Bots that were saved while one run of training went on form a curve, against its steps and seconds,
// with intervals over the seeds of equal runs.
package learning
