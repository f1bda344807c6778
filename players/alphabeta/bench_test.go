package alphabeta

import (
	"strconv"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
)

// BenchmarkSearch searches positions of a game to a fixed depth, with the paper's evaluation as
// evminimax does, and with another, with and without reductions.
func BenchmarkSearch(b *testing.B) {
	positions := gamePositions()
	paper := oka(evaluation.Variant{})
	for name, c := range map[string]Config{
		"paper/depth=7":           {Depth: 7, Evaluation: paper},
		"reserve/depth=7":         {Depth: 7, Evaluation: gradient, Hurry: true},
		"reserve/reduced/depth=7": {Depth: 7, Evaluation: gradient, Hurry: true, Reductions: true},
		"reserve/reduced/depth=9": {Depth: 9, Evaluation: gradient, Hurry: true, Reductions: true},
		"reserve/keep/depth=9":    {Depth: 9, Evaluation: gradient, Hurry: true, Reductions: true, Keep: true},
		"reserve/threads/depth=9": {Depth: 9, Evaluation: gradient, Hurry: true, Reductions: true, Threads: 2},
	} {
		b.Run(name, func(b *testing.B) {
			s, nodes, n := New(c), int64(0), 0
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range positions {
					s.Choose(p, p.AppendMoves(nil), never)
					nodes += s.Stats().Nodes
					n++
				}
			}
			b.ReportMetric(float64(nodes)/float64(n), "nodes/move")
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

// BenchmarkTable searches with tables of several sizes, which are kept from move to move.
func BenchmarkTable(b *testing.B) {
	positions := gamePositions()
	for _, bits := range []int{12, 14, 16, 18, 20, 22} {
		b.Run("bits="+strconv.Itoa(bits), func(b *testing.B) {
			s, nodes, n := New(Config{Depth: 10, Evaluation: gradient, Hurry: true, Reductions: true, Keep: true, Table: bits}), int64(0), 0
			for b.Loop() {
				s.boards = nil // the next round begins with an empty table
				for _, p := range positions {
					s.Choose(p, p.AppendMoves(nil), never)
					nodes += s.Stats().Nodes
					n++
				}
			}
			b.ReportMetric(float64(nodes)/float64(n), "nodes/move")
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

// gamePositions returns positions of a game between searches three slides deep, of both sides.
func gamePositions() (all []rules.Position) {
	s, g := New(Config{Depth: 3, Evaluation: gradient}), playout.NewGenerator(3)
	for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over() && p.Ply() < 2000; {
		moves := shuffled(p, &g)
		if p.Ply()%17 == 16 && len(moves) > 1 {
			all = append(all, p)
		}
		p = p.Next(s.Choose(p, moves, never))
	}
	return all
}
