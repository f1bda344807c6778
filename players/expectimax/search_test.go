package expectimax

import (
	"math"
	"slices"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// deep is the budget of a search that looks some slides ahead.
func deep(slides int) searching.Budget { return searching.Budget{Depth: slides} }

// plain is expectimax without a table, position by position. It takes the score from package rules.
type plain struct{ Config }

// value looks the given number of slides ahead.
func (s plain) value(p rules.Position, slides int, probability float64) float64 {
	score := float64(s.Point * p.Score())
	switch {
	case p.Over():
		return score + float64(s.Mated)
	case p.SideToMove() == rules.Defender:
		best := math.Inf(-1)
		for _, m := range p.AppendMoves(nil) {
			best = max(best, s.value(p.Next(m), slides-1, probability))
		}
		return best
	case slides == 0, probability < s.Rare:
		return score + float64(s.Evaluation(p.Size()).Of(p.Board()))
	case s.Model == Worst:
		lowest := math.Inf(1)
		for _, m := range p.AppendMoves(nil) {
			lowest = min(lowest, s.value(p.Next(m), slides, probability))
		}
		return lowest
	}
	total, sum := 0.0, 0.0
	for _, m := range p.AppendMoves(nil) {
		total += s.weight(p, m)
	}
	for _, m := range p.AppendMoves(nil) {
		share := s.weight(p, m) / total
		sum += share * s.value(p.Next(m), slides, probability*share)
	}
	return sum
}

func (s plain) weight(p rules.Position, m rules.Move) float64 {
	if s.Model == Even {
		return 1
	}
	return float64(playout.ChanceWeight(p.Rules(), m))
}

// after returns the value of p after m, looking as many slides ahead from p.
func (s plain) after(p rules.Position, m rules.Move, slides int) float64 {
	if p.SideToMove() == rules.Defender {
		slides--
	}
	return s.value(p.Next(m), slides, 1)
}

// TestPlainly compares searches at every depth with the plain search, on every size of board and under
// all rules.
func TestPlainly(t *testing.T) {
	g := playout.NewGenerator(3)
	configs := []Config{
		{Evaluation: func(rules.Size) searching.Evaluation { return zero{} }, Point: 1},
		{Evaluation: ov3y, Mated: -100_000, Model: Even},
		{Evaluation: ov3y, Mated: -5000, Model: Worst},
		{Evaluation: ov3y, Point: 2, Mated: -50, Rare: 0.01},
	}
	compared := 0
	for p := range searchtest.RandomPositions(g.Below, 2) {
		if len(p.AppendMoves(nil)) < 2 {
			continue
		}
		depth := 1
		if n := p.Board().EmptyCells(p.Size()); n < 4 {
			depth = 3
		} else if n < 9 {
			depth = 2
		}
		compare(t, p, depth, configs[compared%len(configs)], &g)
		compared++
	}
	if compared < 300 {
		t.Errorf("only %d positions are compared", compared)
	}
}

func ov3y(s rules.Size) searching.Evaluation { return evaluation.NewOv3y(s) }

// compare compares the values of the moves at every depth, and the choice.
func compare(t *testing.T, p rules.Position, depth int, c Config, g *playout.Generator) {
	t.Helper()
	s, want := New(c), plain{c}
	for slides := 1; slides <= depth; slides++ {
		moves := p.AppendMoves(nil)
		g.Shuffle(moves)
		chosen := s.Choose(p, moves, deep(slides))
		stats := s.Result()
		if len(stats.Moves) != len(moves) || stats.Moves[0].Move != chosen || stats.Expanded[0] != int64(slides) || stats.Depth != slides {
			t.Fatalf("%v, depth %d: chose %v, %+v", p, slides, chosen, stats)
		}
		for i, m := range stats.Moves {
			if want := want.after(p, m.Move, slides); math.Abs(m.Value-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("%v, %v, depth %d, %+v: %v is worth %v, want %v", p.Rules(), p, slides, c, m.Move, m.Value, want)
			}
			if i > 0 && m.Value != stats.Moves[i-1].Value && (m.Value > stats.Moves[i-1].Value) == (p.SideToMove() == rules.Defender) {
				t.Fatalf("%v, depth %d: the moves are not in order: %+v", p, slides, stats.Moves)
			}
		}
	}
}

// TestExact compares deep searches for the score with the exact values of 2x2. They include the values of
// Yamashita 2023 for solo.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		rules rules.Ruleset
		model Model
	}{{rules.Solo, Chance}, {rules.GPCC2015, Worst}, {rules.GPCC2016, Worst}} {
		start := rules.NewPosition(c.rules, rules.Size{Width: 2, Height: 2})
		solution, err := retrograde.Solve(t.Context(), c.rules, start.Size(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, g, compared := New(Config{Model: c.model}), playout.NewGenerator(5), 0
		for range 4 {
			for p := range searchtest.RandomGame(start, g.Below) {
				s.Choose(p, p.AppendMoves(nil), deep(MaxDepth))
				compareWithExact(t, p, s.Result(), solution)
				compared++
			}
		}
		if compared < 20 {
			t.Errorf("%v: only %d positions are compared", c.rules, compared)
		}
	}
}

func compareWithExact(t *testing.T, p rules.Position, s searching.Result, solution *retrograde.Solution) {
	t.Helper()
	want, err := solution.Moves(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		i := slices.IndexFunc(s.Moves, func(m searching.Move) bool { return m.Move == w.Move })
		if got := s.Moves[i].Value - float64(p.Score()); math.Abs(got-w.Value.Gain) > 1e-5 {
			t.Fatalf("%v, %v: %v is worth %v, exactly %v", p.Rules(), p, w.Move, got, w.Value.Gain)
		}
	}
}

// TestPublished searches 2x2 solo to its end from a board with two 2s. The table of Yamashita 2023 has the
// value 67.6 for it (truncated). All such boards have one of two values; two thirds have 2s side by side.
func TestPublished(t *testing.T) {
	mean := 0.0
	for text, share := range map[string]float64{"2,2/0,0 D": 2.0 / 3, "2,0/0,2 D": 1.0 / 3} {
		p := searchtest.Position(t, rules.Solo, text)
		s := New(Config{})
		s.Choose(p, p.AppendMoves(nil), searching.Budget{})
		mean += share * s.Result().Moves[0].Value
	}
	if math.Abs(mean-67.6963) > 5e-5 {
		t.Errorf("two 2s are worth %v, want 67.6963", mean)
	}
}

// TestStop stops searches sooner and later. The moves with the deepest searches must come first, and the first
// of them must be the best.
func TestStop(t *testing.T) {
	for text, attacks := range map[string]bool{
		searchtest.Midgame:                    false,
		"0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A": true,
	} {
		p := searchtest.Position(t, rules.Solo, text)
		for calls := range 15 {
			s, left := New(Config{Evaluation: ov3y}), calls
			s.Choose(p, p.AppendMoves(nil), searching.Budget{Stop: func() bool { left--; return left < 0 }})
			if s.tree.count.Nodes > int64(calls+1)*searching.Period+64 {
				t.Errorf("stopped at call %d after %d nodes", calls+1, s.tree.count.Nodes)
			}
			for _, m := range s.last.moves[1:] {
				best := s.last.moves[0]
				if m.slides > best.slides || m.slides == best.slides && m.value != best.value && (m.value > best.value) != attacks {
					t.Errorf("stopped at call %d: %+v comes before %+v", calls+1, best, m)
				}
			}
		}
	}
}

// TestHuge asks for moves if a 65536 is on the board or comes up in the search.
func TestHuge(t *testing.T) {
	for _, text := range []string{
		"32768,32768/0,0 D",
		"65536,2/2,0 A",
		"32768,2/32768,4 D",
		"65536,65536/2,2 D",
		"32768,16384,8192/0,8192,8192 A",
	} {
		p := searchtest.Position(t, rules.Solo, text)
		s := New(Config{})
		if _, err := p.Play(s.Choose(p, p.AppendMoves(nil), deep(4))); err != nil {
			t.Error(err)
		}
	}
}

// TestTranspositions checks that the table finds the right values, and that it keeps the deepest search and the
// latest one.
func TestTranspositions(t *testing.T) {
	table := newTranspositions()
	for n := range 600 { // more often than the number of ages
		table.forget()
		if v, ok := table.find(1, 2, 0); ok {
			t.Fatalf("after %d times %v is still there", n+1, v)
		}
		table.keep(1, 2, 0.5, 1.25)
	}
	for _, c := range []struct {
		board       rules.Board
		slides      int
		probability float64
		want        bool
	}{
		{1, 2, 0.5, true},
		{1, 2, 0.25, true},
		{1, 2, 0.75, false},
		{1, 3, 0.5, false},
		{1, 1, 0.5, false},
		{2, 2, 0.5, false},
	} {
		if v, ok := table.find(c.board, c.slides, c.probability); ok != c.want || ok && v != 1.25 {
			t.Errorf("%+v: found %v, %v", c, v, ok)
		}
	}
	var boards []rules.Board // four boards that share a pair
	depths := []int{4, 8, 2, 6}
	for b := rules.Board(1); len(boards) < 4; b++ {
		if table.pair(b, depths[len(boards)]) == table.pair(1, 4) {
			boards = append(boards, b)
		}
	}
	for i, slides := range depths {
		table.keep(boards[i], slides, 1, 0)
	}
	for i, slides := range depths {
		if _, got := table.find(boards[i], slides, 1); got != (i == 1 || i == 3) {
			t.Errorf("board %d is kept: %v", i, got)
		}
	}
}

// BenchmarkSearch searches a position of the middle of a game.
func BenchmarkSearch(b *testing.B) {
	p := searchtest.Position(b, rules.Solo, searchtest.Midgame)
	for _, search := range []struct {
		name  string
		depth int
		rare  float64
	}{{"all", 4, 0}, {"rare", 5, 0.001}} {
		b.Run(search.name, func(b *testing.B) {
			s, nodes := New(Config{Evaluation: ov3y, Rare: search.rare}), int64(0)
			for b.Loop() {
				s.Choose(p, p.AppendMoves(nil), deep(search.depth))
				nodes += s.Result().Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
