package main

import (
	"fmt"
	"math"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/exact"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

// grow prints how many positions each sum of tiles has, as they are counted.
func grow(c *cli.Context, r rules.Ruleset, size rules.Size) error {
	for _, other := range []string{"table", "layers", "csv"} {
		if c.IsSet(other) {
			return cmdline.Usagef("--%s: there is none with --growth, which solves nothing", other)
		}
	}
	sums := math.MaxInt
	if c.IsSet("sums") {
		sums = c.Int("sums")
	}
	layers := []exact.Growth{}
	tell := func(g exact.Growth) { layers = append(layers, g) }
	if !c.Bool("json") {
		fmt.Fprintf(c.App.Writer, "%6s %12s %12s %12s %8s %10s %10s\n", "sum", "attacker", "defender", "mated", "growth", "seconds", "memory")
		before := 0
		tell = func(g exact.Growth) {
			growth, bytes := float64(g.Defender)/float64(max(before, 1)), byteSize(g.Bytes)
			fmt.Fprintf(c.App.Writer, "%6d %12d %12d %12d %8.3f %10.3f %10v\n", g.Sum, g.Attacker, g.Defender, g.Mated, growth, time.Duration(g.Time).Seconds(), &bytes)
			before = g.Defender
		}
	}
	err := exact.Grow(c.Context, r, size, int(*c.Generic("memory").(*byteSize)), sums, tell)
	if err == nil && c.Bool("json") {
		err = writeJSON(c.App.Writer, layers)
	}
	return err
}
