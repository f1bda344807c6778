package alphabeta

import (
	"fmt"
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
	for _, search := range []struct {
		name  string
		depth int
		Config
	}{
		{"paper", 7, Config{Evaluation: paper}},
		{"reserve", 7, Config{Evaluation: reserve, Hurry: true}},
		{"reserve/reduced", 7, Config{Evaluation: reserve, Hurry: true, Reductions: true}},
		{"reserve/reduced", 9, Config{Evaluation: reserve, Hurry: true, Reductions: true}},
		{"reserve/keep", 9, Config{Evaluation: reserve, Hurry: true, Reductions: true, Keep: true}},
		{"reserve/threads", 9, Config{Evaluation: reserve, Hurry: true, Reductions: true, Threads: 2}},
	} {
		b.Run(fmt.Sprintf("%s/depth=%d", search.name, search.depth), func(b *testing.B) {
			benchmark(b, New(search.Config), search.depth, positions, func() {})
		})
	}
}

// benchmark searches the positions again and again. Each round begins with a call of before.
func benchmark(b *testing.B, s *Search, depth int, positions []rules.Position, before func()) {
	nodes, n := int64(0), 0
	b.ReportAllocs()
	for b.Loop() {
		before()
		for _, p := range positions {
			s.Choose(p, p.AppendMoves(nil), deep(depth))
			nodes += s.Result().Nodes
			n++
		}
	}
	b.ReportMetric(float64(nodes)/float64(n), "nodes/move")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

// fresh returns a benchmark that begins each round with an empty table.
func fresh(c Config, depth int, positions []rules.Position) func(b *testing.B) {
	return func(b *testing.B) {
		s := New(c)
		benchmark(b, s, depth, positions, func() { s.boards = nil })
	}
}

// BenchmarkThreads measures the time to a depth with the settings of the champion, on an idle machine with as
// many cores as threads.
func BenchmarkThreads(b *testing.B) {
	positions := gamePositions()
	for _, threads := range []int{1, 2, 4} {
		c := Config{Evaluation: reserve, Hurry: true, Reductions: true, Keep: true, Table: 18, Threads: threads}
		b.Run("threads="+strconv.Itoa(threads), fresh(c, 11, positions))
	}
}

// BenchmarkTable searches with tables of several sizes. A table is kept from position to position of a round.
func BenchmarkTable(b *testing.B) {
	positions := gamePositions()
	for _, bits := range []int{12, 14, 16, 18, 20, 22} {
		c := Config{Evaluation: reserve, Hurry: true, Reductions: true, Keep: true, Table: bits}
		b.Run("bits="+strconv.Itoa(bits), fresh(c, 10, positions))
	}
}

// gamePositions returns positions of both sides from a game between searches that look three slides ahead.
func gamePositions() (all []rules.Position) {
	s, g := New(Config{Evaluation: reserve}), playout.NewGenerator(3)
	for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over() && p.Ply() < 2000; {
		moves := shuffled(p, &g)
		if p.Ply()%17 == 16 && len(moves) > 1 {
			all = append(all, p)
		}
		p = p.Next(s.Choose(p, moves, deep(3)))
	}
	return all
}
