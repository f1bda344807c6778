package alphabeta

import (
	"strconv"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
)

// BenchmarkSearch searches positions of a game to a fixed depth: with the paper's evaluation like evminimax,
// and with another evaluation, with and without reductions.
func BenchmarkSearch(b *testing.B) {
	positions := gamePositions()
	paper := oka(evaluation.Variant{})
	for name, c := range map[string]Config{
		"paper/depth=7":           {Depth: 7, Evaluation: paper},
		"reserve/depth=7":         {Depth: 7, Evaluation: reserve, Hurry: true},
		"reserve/reduced/depth=7": {Depth: 7, Evaluation: reserve, Hurry: true, Reductions: true},
		"reserve/reduced/depth=9": {Depth: 9, Evaluation: reserve, Hurry: true, Reductions: true},
		"reserve/keep/depth=9":    {Depth: 9, Evaluation: reserve, Hurry: true, Reductions: true, Keep: true},
		"reserve/threads/depth=9": {Depth: 9, Evaluation: reserve, Hurry: true, Reductions: true, Threads: 2},
	} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, New(c), positions, func() {})
		})
	}
}

// benchmark searches the positions again and again. It calls before before each round.
func benchmark(b *testing.B, s *Search, positions []rules.Position, before func()) {
	nodes, n := int64(0), 0
	b.ReportAllocs()
	for b.Loop() {
		before()
		for _, p := range positions {
			s.Choose(p, p.AppendMoves(nil), never)
			nodes += s.Stats().Nodes
			n++
		}
	}
	b.ReportMetric(float64(nodes)/float64(n), "nodes/move")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

// fresh returns a benchmark that begins each round with an empty table.
func fresh(c Config, positions []rules.Position) func(b *testing.B) {
	return func(b *testing.B) {
		s := New(c)
		benchmark(b, s, positions, func() { s.boards = nil })
	}
}

// BenchmarkThreads measures the time to a depth with the settings of the champion, on an idle machine with as
// many cores as threads.
func BenchmarkThreads(b *testing.B) {
	positions := gamePositions()
	for _, threads := range []int{1, 2, 4} {
		c := Config{Depth: 11, Evaluation: reserve, Hurry: true, Reductions: true, Keep: true, Table: 18, Threads: threads}
		b.Run("threads="+strconv.Itoa(threads), fresh(c, positions))
	}
}

// BenchmarkTable searches with tables of several sizes, and keeps the tables from move to move.
func BenchmarkTable(b *testing.B) {
	positions := gamePositions()
	for _, bits := range []int{12, 14, 16, 18, 20, 22} {
		c := Config{Depth: 10, Evaluation: reserve, Hurry: true, Reductions: true, Keep: true, Table: bits}
		b.Run("bits="+strconv.Itoa(bits), fresh(c, positions))
	}
}

// gamePositions returns positions of both sides from a game between searches that look three slides ahead.
func gamePositions() (all []rules.Position) {
	s, g := New(Config{Depth: 3, Evaluation: reserve}), playout.NewGenerator(3)
	for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over() && p.Ply() < 2000; {
		moves := shuffled(p, &g)
		if p.Ply()%17 == 16 && len(moves) > 1 {
			all = append(all, p)
		}
		p = p.Next(s.Choose(p, moves, never))
	}
	return all
}
