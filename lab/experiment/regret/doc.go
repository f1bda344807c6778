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
package regret
