package regret_test

import (
	"context"
	"log"
	"os"

	"versus2048/lab/experiment/regret"
	"versus2048/players"
	"versus2048/players/exact"
)

func Example() {
	var (
		ctx   context.Context
		table *exact.Table // from exact.Open
		spec  players.Spec // from players.Parse
	)
	if table == nil {
		return
	}
	sample, err := regret.Draw(ctx, table, regret.Config{Positions: 100, Seed: 1, Workers: 2}, nil)
	if err != nil {
		log.Fatal(err)
	}
	answers, err := sample.Ask(ctx, spec, 2, nil)
	if err != nil {
		log.Fatal(err)
	}
	report := regret.NewReport(sample, []regret.Bot{{Name: "dag:playouts=1000", Spec: spec, Answers: answers}})
	if err := report.WriteMarkdown(os.Stdout); err != nil {
		log.Fatal(err)
	}
}
