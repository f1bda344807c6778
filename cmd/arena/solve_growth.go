package main

import (
	"fmt"
	"math"

	"versus2048/analysis/exact"
	"versus2048/cmd/internal/cmdline"
)

// grow prints how many positions each sum of tiles has, as they are counted.
func (s solving) grow() error {
	for _, other := range []string{"table", "layers", "csv"} {
		if s.IsSet(other) {
			return cmdline.Usagef("--%s: there is none with --growth, which solves nothing", other)
		}
	}
	sums := math.MaxInt
	if s.IsSet("sums") {
		sums = s.Int("sums")
	}
	if s.Bool("json") {
		layers := []exact.Growth{}
		err := exact.Grow(s.Context.Context, s.rules, s.size, s.memory, sums, func(g exact.Growth) { layers = append(layers, g) })
		if err != nil {
			return err
		}
		return writeJSON(s.App.Writer, layers)
	}
	fmt.Fprintln(s.App.Writer, "   sum     attacker     defender        mated   growth    seconds     memory")
	before := 0
	return exact.Grow(s.Context.Context, s.rules, s.size, s.memory, sums, func(g exact.Growth) {
		fmt.Fprintf(s.App.Writer, "%6d %12d %12d %12d %8.3f %10.3f %10s\n", g.Sum, g.Attacker, g.Defender, g.Mated,
			float64(g.Defender)/float64(max(before, 1)), g.Time.Seconds(), formatBytes(g.Bytes))
		before = g.Defender
	})
}
