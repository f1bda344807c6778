package census

import (
	"testing"

	"versus2048/rules"
)

// BenchmarkCensus counts to ply 64, with ample memory and with the least memory.
func BenchmarkCensus(b *testing.B) {
	for name, memory := range map[string]int64{"1GiB": 1 << 30, "64MiB": LeastMemory} {
		b.Run(name, func(b *testing.B) {
			var positions, placements, bytes int64
			for b.Loop() {
				c := newCensus(Config{Start: empty, Plies: 64, Memory: memory, Folder: b.TempDir()})
				layers, err := c.run(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				for _, l := range layers {
					positions += l.Positions
					bytes += l.Bytes
				}
				placements += c.placements.Load()
				if err := c.folder.close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(positions)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(float64(placements)/b.Elapsed().Seconds(), "placements/s")
			b.ReportMetric(float64(bytes)/float64(positions), "bytes/position")
		})
	}
}

// benchBoards returns successors of positions from the middle of random games.
func benchBoards() (all []rules.Board) {
	g := newGeometry(rules.Full)
	for _, p := range randomPositions(rules.Full, 20) {
		var to boards
		g.successors(&to, p.Board())
		all = append(all, to.at[:to.n]...)
	}
	return all[len(all)/2:][:1024]
}

// BenchmarkCanonical compares the canonical form here with the one in package rules.
func BenchmarkCanonical(b *testing.B) {
	all, g := benchBoards(), newGeometry(rules.Full)
	b.Run("census", func(b *testing.B) {
		for b.Loop() {
			g.canonicalize(all)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/board")
	})
	b.Run("rules", func(b *testing.B) {
		for b.Loop() {
			for i, x := range all {
				all[i] = x.Canonical(rules.Full)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/board")
	})
}
