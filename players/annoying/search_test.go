package annoying

import (
	"math"
	"reflect"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// plain searches the same tree without alpha-beta, position by position.
type plain struct {
	evaluation searching.Evaluation
	rating     *evaluation.Ov3y
	winning    bool // a 2048 ends a line of play
}

func newPlain(p rules.Position, c Config) plain {
	s := plain{ov3y(p.Size()), evaluation.NewOv3y(p.Size()), c.Win && p.LargestTile() < 2048}
	if c.Evaluation != nil {
		s.evaluation = c.Evaluation(p.Size())
	}
	return s
}

// value looks the given number of slides ahead.
func (s plain) value(p rules.Position, slides int) int {
	switch {
	case p.Over():
		return -Win - slides
	case p.SideToMove() == rules.Defender:
		best := math.MinInt
		for _, m := range p.AppendMoves(nil) {
			best = max(best, s.value(p.Next(m), slides-1))
		}
		return best
	case s.winning && p.LargestTile() >= 2048:
		return Win + slides
	case slides == 0:
		value := s.evaluation.Of(p.Board())
		if scored, ok := s.evaluation.(searching.Scored); ok {
			value += scored.PointValue() * (p.Score() - p.Board().Potential())
		}
		return value
	}
	best := math.MaxInt
	for _, m := range s.mostAnnoying(p) {
		best = min(best, s.value(p.Next(m), slides))
	}
	return best
}

func (s plain) mostAnnoying(p rules.Position) (most []rules.Move) {
	highest := math.MinInt
	for _, m := range p.AppendMoves(nil) {
		if rating := s.rating.Annoyance(p.Next(m).Board()); rating > highest {
			highest, most = rating, nil
		}
		if s.rating.Annoyance(p.Next(m).Board()) == highest {
			most = append(most, m)
		}
	}
	return most
}

// after returns the value of p after m, looking as many slides ahead from p.
func (s plain) after(p rules.Position, m rules.Move, slides int) int {
	if p.SideToMove() == rules.Defender {
		slides--
	}
	return s.value(p.Next(m), slides)
}

// configs are configurations that the options of the bot ov3y can give.
var configs = []Config{
	{},
	{Win: true},
	{Cache: true},
	{Win: true, Cache: true, Evaluation: score},
	{Evaluation: score},
	{Threads: 3, Win: true},
}

// score counts each point as three.
func score(rules.Size) searching.Evaluation { return scored{} }

type scored struct{}

func (scored) Of(b rules.Board) int { return 3 * b.Potential() }
func (scored) PointValue() int      { return 3 }

// TestPlainly compares searches at every depth with the plain search, on every size of board and under
// all rules.
func TestPlainly(t *testing.T) {
	g := playout.NewGenerator(3)
	compared := 0
	for p := range searchtest.RandomPositions(g.Below, 2) {
		if len(p.AppendMoves(nil)) > 1 {
			compare(t, p, 3, configs[compared%len(configs)], &g)
			compared++
		}
	}
	if compared < 400 {
		t.Errorf("only %d positions are compared", compared)
	}
}

// TestNear2048 compares searches with a 2048, a mate, or both within their reach.
func TestNear2048(t *testing.T) {
	g := playout.NewGenerator(4)
	for _, text := range []string{
		"1024,512,256,128/512,4,0,128/0,0,2,0/0,0,0,0 D",
		"1024,1024,2,0/0,4,0,0/0,0,2,0/0,0,0,0 A",
		"1024,512,512,2/2,4,8,4/4,16,32,16/2,4,0,8 A",
		"512,512/1024,2 D",
		"2048,2/4,0 A",
		"2048,1024/1024,1024 D",
		"4096,4,2/0,2,4/8,16,0 D",
	} {
		for _, r := range rules.Rulesets() {
			for _, c := range configs {
				compare(t, searchtest.Position(t, r, text), 3, c, &g)
			}
		}
	}
}

// compare compares the values of the moves at every depth.
func compare(t *testing.T, p rules.Position, depth int, c Config, g *playout.Generator) {
	t.Helper()
	want := newPlain(p, c)
	s := New(c)
	for slides := 1; slides <= depth; slides++ {
		moves := p.AppendMoves(nil)
		g.Shuffle(moves)
		chosen := s.Choose(p, moves, deep(slides))
		best := want.value(p, slides)
		if got := want.after(p, chosen, slides); got != best {
			t.Fatalf("%v, %v, depth %d, %+v: chose %v, whose value is %d, not %d", p.Rules(), p, slides, c, chosen, got, best)
		}
		stats := s.Result()
		for i, m := range stats.Moves {
			if i == 0 && m.Move != chosen || int(m.Value) != want.after(p, m.Move, slides) {
				t.Fatalf("%v, %v, depth %d, %+v: chose %v with %+v", p.Rules(), p, slides, c, chosen, stats)
			}
		}
		checkVariation(t, p, slides, stats, want)
	}
}

// deep is the budget of a search that looks some slides ahead.
func deep(slides int) searching.Budget { return searching.Budget{Depth: slides} }

// checkVariation follows the principal variation, and checks that each of its moves leads to the value of the search.
func checkVariation(t *testing.T, p rules.Position, depth int, s searching.Result, want plain) {
	t.Helper()
	if len(s.Variation) == 0 || s.Variation[0] != s.Moves[0].Move || s.Nodes <= s.Moves[0].Visits || len(s.Expanded) == 0 {
		t.Fatalf("%v: %+v", p, s)
	}
	left := depth
	for i, m := range s.Variation {
		if want.after(p, m, left) != int(s.Moves[0].Value) {
			t.Fatalf("%v, depth %d: move %d of %+v does not lead to its value", p, depth, i+1, s)
		}
		if p.SideToMove() == rules.Defender {
			left--
		}
		p = p.Next(m)
	}
}

// TestAttacker checks that an attacker only makes most annoying placements.
func TestAttacker(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2016, "8,8,0,0/2,0,0,0/0,0,0,0/0,0,4,16 A")
	chosen := New(Config{}).Choose(p, p.AppendMoves(nil), deep(2))
	rating := evaluation.NewOv3y(p.Size())
	for _, m := range p.AppendMoves(nil) {
		if rating.Annoyance(p.Next(m).Board()) > rating.Annoyance(p.Next(chosen).Board()) {
			t.Errorf("chose %v, %v is more annoying", chosen, m)
		}
	}
}

// TestEnough checks that a depth is finished once it has begun, unless the search is stopped.
func TestEnough(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for depth := 1; depth < 6; depth++ {
		whole, left := New(Config{}), New(Config{})
		want := whole.Choose(p, p.AppendMoves(nil), deep(depth))
		asked := 0
		got := left.Choose(p, p.AppendMoves(nil), searching.Budget{Enough: func(searching.Progress) bool { asked++; return asked == depth }})
		if got != want || !reflect.DeepEqual(left.Result(), whole.Result()) {
			t.Errorf("after %d depths: %v, %+v, want %v, %+v", depth, got, left.Result(), want, whole.Result())
		}
	}
}

// TestDecided looks for wins and mates: where a depth finds one, a search three slides deeper makes the same choice.
func TestDecided(t *testing.T) {
	g, decided := playout.NewGenerator(6), 0
	positions := []rules.Position{
		searchtest.Position(t, rules.GPCC2015, "1024,512,256,128/512,4,0,128/0,0,2,0/0,0,0,0 D"),
		searchtest.Position(t, rules.GPCC2015, "1024,1024,2,0/0,4,0,0/0,0,2,0/0,0,0,0 A"),
	}
	for range 100 {
		p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2})
		var game []rules.Position
		for ; !p.Over(); p = p.Next(p.AppendMoves(nil)[g.Below(len(p.AppendMoves(nil)))]) {
			game = append(game, p)
		}
		positions = append(positions, game[max(0, len(game)-8):]...)
	}
	for _, p := range positions {
		s, moves := New(Config{Win: true}), p.AppendMoves(nil)
		last := searching.Progress{}
		chosen := s.Choose(p, moves, searching.Budget{Depth: 4, Enough: func(p searching.Progress) bool {
			last = p
			return p.Decided
		}})
		if !last.Decided {
			continue
		}
		decided++
		if again := New(Config{Win: true}).Choose(p, moves, deep(last.Depth+3)); again != chosen {
			t.Errorf("%v: decided for %v at depth %d, three slides deeper for %v", p, chosen, last.Depth, again)
		}
	}
	if decided < 50 {
		t.Errorf("only %d positions are decided", decided)
	}
}

// TestStop stops searches sooner and later. They return the result of some depth.
func TestStop(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	choices := map[rules.Move]bool{}
	for depth := 1; depth < 6; depth++ {
		choices[New(Config{}).Choose(p, p.AppendMoves(nil), deep(depth))] = true
	}
	for _, c := range configs {
		for calls := range 8 {
			s, left := New(c), calls
			got := s.Choose(p, p.AppendMoves(nil), searching.Budget{Stop: func() bool { left--; return left < 0 }})
			if !choices[got] || s.boards[0].count.Nodes > int64(calls+1)*searching.Period+500 {
				t.Errorf("%+v stopped at call %d: chose %v after %d nodes", c, calls+1, got, s.boards[0].count.Nodes)
			}
		}
	}
}

// TestHuge asks for moves if a 65536 is on the board or may come up.
func TestHuge(t *testing.T) {
	for _, text := range []string{
		"32768,32768/0,0 D",
		"65536,2/2,0 A",
		"32768,2/32768,4 D",
		"65536,65536/2,2 D",
		"32768,16384,8192/0,8192,8192 A",
	} {
		p := searchtest.Position(t, rules.GPCC2016, text)
		s := New(Config{Cache: true})
		if _, err := p.Play(s.Choose(p, p.AppendMoves(nil), deep(5))); err != nil {
			t.Error(err)
		}
		for _, m := range s.Result().Variation {
			var err error
			if p, err = p.Play(m); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// BenchmarkSearch searches a position of the middle of a game six slides ahead.
func BenchmarkSearch(b *testing.B) {
	p := searchtest.Position(b, rules.GPCC2015, searchtest.Midgame)
	for name, c := range map[string]Config{"plain": {}, "cache": {Cache: true}, "win": {Win: true}} {
		b.Run(name, func(b *testing.B) {
			s, nodes := New(c), int64(0)
			for b.Loop() {
				s.Choose(p, p.AppendMoves(nil), deep(6))
				nodes += s.Result().Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
