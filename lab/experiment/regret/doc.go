// Package regret measures bots against perfect play: how often they choose an optimal move in
// positions where the choice matters, and how much their moves lose.
//
//	sample, err := regret.Draw(ctx, table, regret.Config{Positions: 100, Seed: 1, Workers: 2}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	answers, err := sample.Ask(ctx, spec, 2, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	report := regret.NewReport(sample, []regret.Bot{{Name: "dag:playouts=1000", Spec: spec, Answers: answers}})
//	if err := report.WriteMarkdown(os.Stdout); err != nil {
//		log.Fatal(err)
//	}
//
// Every bot is asked for one move in each position of the same sample. The positions are independent of one
// another: each comes from a game of its own. Both sides of such a game play a random mixture of perfect and
// random moves. The positions and the bots' seeds depend only on Config.Seed, not on the number of bots or
// workers.
//
// [Measure] compares players that have learned the game, and players that search, with perfect play: the share of the
// points of perfect play that they make, the share of their moves that are optimal, and the loss by their other moves.
// The moves are measured in a sample of positions that is the same for all bots. The points are measured in whole
// games: under solo from the empty board against chance, and else in each role against perfect play, from positions
// after random plies. The optimum of each such game is known. On a board that is too large to be solved, only the
// points are measured, and only under solo.
//
// Snapshots of one run of training form a curve, against its steps and seconds, with intervals over the seeds of equal
// runs.
package regret
