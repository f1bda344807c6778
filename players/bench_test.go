package players

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"testing"
	"time"

	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// BenchmarkMove measures one move of each bot with its default options.
func BenchmarkMove(b *testing.B) {
	for _, kind := range Kinds() {
		if kind.Name == "ov3y" || kind.NeedsFile() {
			continue // ov3y takes its time from an option, the others need a file
		}
		for _, start := range []string{"empty", "midgame"} {
			p := rules.NewPosition(rules.GPCC2015, rules.Full)
			if start == "midgame" {
				p = searchtest.Position(b, rules.GPCC2015, searchtest.Midgame)
			}
			b.Run(kind.Name+"/"+start, func(b *testing.B) {
				player := mustParse(b, kind.Name).New(Game{Seed: 1})
				b.ReportAllocs()
				for b.Loop() {
					if _, err := player.Choose(context.Background(), p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// playedPositions returns 200 positions from games between bots of several strengths: from each pairing 25 positions of
// each side to move, from the 20th ply to the end of three games.
func playedPositions(b *testing.B) []rules.Position {
	b.Helper()
	var all []rules.Position
	for _, pairing := range []struct{ attacker, defender string }{
		{"evminimax:depth=2", "evminimax:depth=2"},
		{"evminimax:depth=2", "greedy"},
		{"greedy", "evminimax:depth=2"},
		{"chance", "evminimax:depth=2"},
	} {
		var met [2][]rules.Position
		for seed := range uint64(3) {
			attacker, defender := mustParse(b, pairing.attacker).New(Game{Seed: seed}), mustParse(b, pairing.defender).New(Game{Seed: seed})
			for p := range playedGame(b, attacker, defender) {
				if p.Ply() >= 20 && len(p.AppendMoves(nil)) > 1 {
					met[p.SideToMove()] = append(met[p.SideToMove()], p)
				}
			}
		}
		for _, positions := range met {
			for i := range 25 {
				all = append(all, positions[i*len(positions)/25])
			}
		}
	}
	return all
}

// playedGame yields all positions of a game but the last.
func playedGame(b *testing.B, attacker, defender Player) iter.Seq[rules.Position] {
	sides := [...]Player{rules.Attacker: attacker, rules.Defender: defender}
	return func(yield func(rules.Position) bool) {
		for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over() && yield(p); {
			m, err := sides[p.SideToMove()].Choose(b.Context(), p)
			if err != nil {
				b.Fatal(err)
			}
			p = p.Next(m)
		}
	}
}

// benchmarkMoves calls choose for each of playedPositions, and then chosen outside of the measured time. The
// time of a position is its time in the fastest pass, since other work on the machine only adds to it.
func benchmarkMoves(b *testing.B, choose func(rules.Position), chosen func()) {
	positions := playedPositions(b)
	times := make([]time.Duration, len(positions))
	b.ReportAllocs()
	for first := true; b.Loop(); first = false {
		for i, p := range positions {
			start := time.Now()
			choose(p)
			if took := time.Since(start); first || took < times[i] {
				times[i] = took
			}
			chosen()
		}
	}
	slices.Sort(times)
	total := time.Duration(0)
	for _, t := range times {
		total += t
	}
	b.ReportMetric(float64(total)/float64(len(times)), "ns/move")
	b.ReportMetric(times[len(times)/2].Seconds()*1e3, "median-ms")
	b.ReportMetric(times[len(times)-1].Seconds()*1e3, "slowest-ms")
}

// BenchmarkEvMinimax measures moves by evminimax. Compare it with BenchmarkPlainMinimax.
func BenchmarkEvMinimax(b *testing.B) {
	for _, depth := range []int{3, 5, 7} {
		spec := mustParse(b, "evminimax:depth="+strconv.Itoa(depth))
		b.Run("depth="+strconv.Itoa(depth), func(b *testing.B) {
			player := spec.New(Game{Seed: 1}).(Searcher)
			nodes, n := int64(0), 0.0
			benchmarkMoves(b, func(p rules.Position) {
				if _, err := player.Choose(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}, func() {
				nodes += player.LastSearch().Nodes
				n++
			})
			b.ReportMetric(float64(nodes)/n, "nodes")
		})
	}
}

// BenchmarkPlainMinimax searches the whole tree of three slides, without alpha-beta, ordering or table, but
// with the same fast evaluation.
func BenchmarkPlainMinimax(b *testing.B) {
	e := evaluation.New(rules.Full, evaluation.Variant{})
	benchmarkMoves(b, func(p rules.Position) {
		for _, m := range p.AppendMoves(nil) {
			wholeTree(e, p.Next(m), slidesLeft(p, 3))
		}
	}, func() {})
}

// wholeTree returns the minimax value of p that many slides ahead.
func wholeTree(e *evaluation.Evaluator, p rules.Position, slides int) int {
	if p.SideToMove() == rules.Attacker && slides == 0 {
		return e.Of(p.Board()) + searching.Surplus(p, e.PointValue())
	}
	moves := p.AppendMoves(make([]rules.Move, 0, 32))
	if len(moves) == 0 {
		return e.Of(p.Board()) + searching.Surplus(p, e.PointValue())
	}
	best := 0
	for i, m := range moves {
		v := wholeTree(e, p.Next(m), slidesLeft(p, slides))
		if i == 0 || (v > best) == (p.SideToMove() == rules.Defender) {
			best = v
		}
	}
	return best
}

// slidesLeft returns the number of slides, out of depth, that are left after a move in p.
func slidesLeft(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}
