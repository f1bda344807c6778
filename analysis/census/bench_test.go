package census

import (
	"testing"

	"versus2048/rules"
)

// BenchmarkCensus goes to ply 64 in memory.
func BenchmarkCensus(b *testing.B) {
	var positions, placements, bytes int64
	for b.Loop() {
		c := newCensus(Settings{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Plies: 64, Memory: 1 << 30})
		layers, err := c.run(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for _, l := range layers {
			positions += l.Positions
			bytes += l.Bytes
		}
		placements += c.placements.Load()
	}
	b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(placements)/b.Elapsed().Seconds(), "placements/s")
	b.ReportMetric(float64(bytes)/float64(positions), "bytes/position")
}

func BenchmarkLarge(b *testing.B) {
	for b.Loop() {
		c := newCensus(Settings{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Plies: 88, Memory: 6 << 30})
		if _, err := c.run(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.placements.Load())/b.Elapsed().Seconds(), "placements/s")
	}
}
