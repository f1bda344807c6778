package alphabeta

import (
	"reflect"
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// plain is minimax without any pruning.
type plain struct {
	variant evaluation.Variant
	config  Config // its Evaluation, if it has one, and its Hurry
	root    int    // the ply of the root
}

// rate evaluates the end of a line.
func (m plain) rate(p rules.Position) int {
	switch {
	case p.Over() && m.config.Hurry:
		return p.Ply() - m.root - Mated
	case m.config.Evaluation == nil:
		return searchtest.PlainEvaluation(p, m.variant)
	default:
		return m.config.Evaluation(p.Size()).Of(p.Board())
	}
}

// value searches the whole tree down to the given number of slides.
func (m plain) value(p rules.Position, slides int) int {
	if p.Over() || p.SideToMove() == rules.Attacker && slides == 0 {
		return m.rate(p)
	}
	var values []int
	for _, move := range p.AppendMoves(nil) {
		values = append(values, m.value(p.Next(move), slidesLeft(p, slides)))
	}
	if p.SideToMove() == rules.Defender {
		return slices.Max(values)
	}
	return slices.Min(values)
}

// plainMinimax is the plain value with the paper's evaluation.
func plainMinimax(p rules.Position, slides int, v evaluation.Variant) int {
	return plain{variant: v}.value(p, slides)
}

// slidesLeft returns the number of slides, out of depth, that are left after a move in p.
func slidesLeft(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}

// choice returns the first of the best moves and its value.
func (m plain) choice(p rules.Position, moves []rules.Move, depth int) (rules.Move, int) {
	var values []int
	for _, move := range moves {
		values = append(values, m.value(p.Next(move), slidesLeft(p, depth)))
	}
	best := slices.Min(values)
	if p.SideToMove() == rules.Defender {
		best = slices.Max(values)
	}
	return moves[slices.Index(values, best)], best
}

// plainDepth returns the number of slides that plain minimax can look ahead from p in a test.
func plainDepth(p rules.Position) int {
	empty := p.Board().EmptyCells(p.Size())
	switch {
	case p.Size().Cells() <= 6 && !p.Rules().Fours():
		return 4
	case empty < 4:
		return 3
	case empty > 8:
		return 1
	default:
		return 2
	}
}

// configs are searches without reductions, most of them with settings that the bots evminimax and alphabeta can give.
var configs = []plain{
	{},
	{variant: evaluation.Variant{Mate: 50}},
	{variant: evaluation.Variant{Empty: evaluation.EmptyIsNothing}},
	{variant: evaluation.Variant{Empty: evaluation.EmptyIsNothing, Mate: evaluation.MaxMate}},
	{config: Config{Hurry: true}},
	{config: Config{Hurry: true, Keep: true, Table: searching.MinBits}},
	{config: Config{Hurry: true, Keep: true, Evaluation: reserve}},
	{config: Config{Hurry: true, Evaluation: along(evaluation.Room())}},
	{config: Config{Evaluation: along(evaluation.Slope())}},
	{config: Config{Hurry: true, Evaluation: blog}},
	{config: Config{Evaluation: unsorted}},
}

// along returns an evaluation in the form that a Config needs.
func along(g evaluation.Gradient) func(rules.Size) searching.Evaluation {
	return func(s rules.Size) searching.Evaluation { return g.On(s) }
}

func reserve(s rules.Size) searching.Evaluation { return evaluation.Reserve().On(s) }

func blog(s rules.Size) searching.Evaluation { return evaluation.NewOv3y(s) }

// hash is an evaluation without knowledge: the value of a board is arbitrary.
type hash struct{}

func (hash) Of(b rules.Board) int { return int(uint64(b) * 0x9E37_79B9_7F4A_7C15 >> 50) }

func unsorted(rules.Size) searching.Evaluation { return hash{} }

// search returns the Search that must find the same moves and values.
func (m plain) search() *Search {
	c := m.config
	if c.Mate = m.variant.Mate; c.Evaluation == nil {
		c.Evaluation = oka(m.variant)
	}
	return New(c)
}

// TestMinimax compares the search with plain minimax, move for move, in the positions of some random games for each
// size and rule set.
func TestMinimax(t *testing.T) {
	g := playout.NewGenerator(5)
	compared := 0
	searches := map[rules.Size][]*Search{}
	for p := range searchtest.RandomPositions(g.Below, testkit.Amount(t, 10, 1)) {
		if len(p.AppendMoves(nil)) > 1 {
			i := compared % len(configs)
			for len(searches[p.Size()]) <= i {
				searches[p.Size()] = append(searches[p.Size()], configs[len(searches[p.Size()])].search())
			}
			depth := max(1, plainDepth(p)-compared/len(configs)%2) // half of them a slide less, to be quick
			compareWithMinimax(t, p, depth, uint64(compared), configs[i], searches[p.Size()][i])
			compared++
		}
	}
	if compared < testkit.Amount(t, 2000, 150) {
		t.Errorf("only %d positions compared", compared)
	}
}

// TestLargeTiles compares with plain minimax in positions with a 65536 on the board, or a 65536 that comes up
// in the search, or nearly does.
func TestLargeTiles(t *testing.T) {
	for _, text := range []string{
		"32768,32768/0,2 D",
		"2,32768,2/0,2,32768 A",
		"32768,0,32768/2,0,4 A",
		"32768,16384/16384,0 A",
		"16384,2,16384/32768,0,4/2,0,0 D",
		"65536,0,2/2,32768,32768 A",
		"65536,65536/2,2 D",
		"32768,16384,8192/0,2,8192 D",
		"32768,16384,4096/0,2,4096 D",
	} {
		for _, r := range rules.Rulesets() {
			for i, m := range configs {
				compareWithMinimax(t, searchtest.Position(t, r, text), 3, uint64(i), m, m.search())
			}
		}
	}
}

// compareWithMinimax compares the choices of a search at every depth up to the given one.
func compareWithMinimax(t *testing.T, p rules.Position, depth int, seed uint64, m plain, s *Search) {
	t.Helper()
	m.root = p.Ply()
	for slides := 1; slides <= depth; slides++ {
		g, moves := playout.NewGenerator(seed), p.AppendMoves(nil)
		g.Shuffle(moves)
		got := s.Choose(p, moves, deep(slides))
		value := int(s.Result().Moves[0].Value)
		if want, wantValue := m.choice(p, moves, slides); got != want || value != wantValue {
			t.Fatalf("%v, %v, depth %d, %+v: chose %v with the value %d, want %v with %d",
				p.Rules(), p, slides, m, got, value, want, wantValue)
		}
	}
}

// oka returns the paper's evaluation in the form that a Config needs.
func oka(v evaluation.Variant) func(rules.Size) searching.Evaluation {
	return func(s rules.Size) searching.Evaluation { return evaluation.New(s, v) }
}

// deep is the budget of a search that looks some slides ahead.
func deep(slides int) searching.Budget { return searching.Budget{Depth: slides} }

// shuffled returns the legal moves in p in an order drawn by g.
func shuffled(p rules.Position, g *playout.Generator) []rules.Move {
	moves := p.AppendMoves(nil)
	g.Shuffle(moves)
	return moves
}

// TestStop ends the search at each call of stop in turn. The search must choose the result of its last finished
// depth, and never continue for long without calling stop.
func TestStop(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A")
	const depth = 7
	g := playout.NewGenerator(1)
	moves := shuffled(p, &g)
	var want []rules.Move
	for d := range depth {
		want = append(want, New(Config{}).Choose(p, moves, deep(d+1)))
	}
	var got []rules.Move
	for calls, left := 0, -1; left < 0; calls++ {
		left = calls
		s := New(Config{})
		got = append(got, s.Choose(p, moves, searching.Budget{Depth: depth, Stop: func() bool { left--; return left < 0 }}))
		if most := int64(calls+1) * 2 * searching.Period; s.Result().Nodes > most {
			t.Errorf("%d nodes until call %d of stop ended the search, want at most %d", s.Result().Nodes, calls+1, most)
		}
	}
	if len(got) < 3*depth {
		t.Errorf("stop was called only %d times", len(got))
	}
	if got, want := slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) || len(want) < 3 {
		t.Errorf("with more and more time it chose %v, want %v, at least three moves", got, want)
	}
}

// TestStopAtOnce checks that a search without any time looks one slide ahead.
func TestStopAtOnce(t *testing.T) {
	g := playout.NewGenerator(7)
	for p := range searchtest.RandomPositions(g.Below, 1) {
		fork := g
		moves := shuffled(p, &fork)
		got := New(Config{}).Choose(p, moves, searching.Budget{Depth: 8, Stop: func() bool { return true }})
		if want := New(Config{}).Choose(p, moves, deep(1)); got != want {
			t.Fatalf("%v: chose %v, want %v", p, got, want)
		}
	}
}

// TestStats compares the statistics of searches with plain minimax, and with the statistics of a Search that
// has searched before.
func TestStats(t *testing.T) {
	g := playout.NewGenerator(8)
	used := map[rules.Size]*Search{}
	for p := range searchtest.RandomPositions(g.Below, 1) {
		if len(p.AppendMoves(nil)) == 1 {
			continue
		}
		if used[p.Size()] == nil {
			used[p.Size()] = New(Config{})
		}
		depth := plainDepth(p)
		again, s, moves := used[p.Size()], New(Config{}), shuffled(p, &g)
		chosen := s.Choose(p, moves, deep(depth))
		again.Choose(p, moves, deep(depth))
		got, other := s.Result(), again.Result()
		checkStats(t, p, depth, chosen, got)
		if !reflect.DeepEqual(got, other) {
			t.Fatalf("%v: %+v, and after other searches %+v", p, got, other)
		}
	}
}

func checkStats(t *testing.T, p rules.Position, depth int, chosen rules.Move, s searching.Result) {
	t.Helper()
	if len(s.Moves) == 0 || s.Moves[0].Move != chosen || len(s.Variation) == 0 || s.Variation[0] != chosen {
		t.Fatalf("%v: chose %v, its statistics are %+v", p, chosen, s)
	}
	below := int64(0)
	for _, m := range s.Moves {
		below += m.Visits
		if want := plainMinimax(p.Next(m.Move), slidesLeft(p, depth), evaluation.Variant{}); int(m.Value) != want {
			t.Fatalf("%v, depth %d: %v has the value %v, want %d", p, depth, m.Move, m.Value, want)
		}
	}
	if s.Nodes <= below || s.Expanded[0] != int64(depth) {
		t.Fatalf("%v, depth %d: its statistics are %+v", p, depth, s)
	}
	end := p
	for _, m := range s.Variation {
		var err error
		if end, err = end.Play(m); err != nil {
			t.Fatalf("%v: variation %v: %v", p, s.Variation, err)
		}
	}
	whole := end.Over() || len(s.Variation) == len(s.Expanded)
	if !whole && !p.Rules().Fours() {
		t.Fatalf("%v: variation %v is too short", p, s.Variation) // with 4s it may be: a board does not tell merged ones from placed ones
	}
	if v := searchtest.PlainEvaluation(end, evaluation.Variant{}); whole && v != int(s.Moves[0].Value) {
		t.Fatalf("%v: variation %v ends with %d, want %v", p, s.Variation, v, s.Moves[0].Value)
	}
}

// TestThreads searches with threads that share a table. Without reductions, the choice and its value must be
// the same as with one thread.
func TestThreads(t *testing.T) {
	g := playout.NewGenerator(11)
	alone := New(Config{Hurry: true, Evaluation: reserve})
	three := New(Config{Hurry: true, Evaluation: reserve, Keep: true, Threads: 3})
	for p := range searchtest.RandomPositions(g.Below, 1) {
		moves := shuffled(p, &g)
		if p.Rules() != rules.GPCC2015 || len(moves) == 1 {
			continue
		}
		want, got := alone.Choose(p, moves, deep(4)), three.Choose(p, moves, deep(4))
		if wantValue, gotValue := alone.Result().Moves[0].Value, three.Result().Moves[0].Value; got != want || gotValue != wantValue {
			t.Fatalf("%v: three threads choose %v with the value %v, one %v with %v", p, got, gotValue, want, wantValue)
		}
		nodes := three.last.count.Nodes
		for _, visited := range three.visited { // Result has waited for the threads
			nodes += *visited
		}
		if got := three.Result().Nodes; got != nodes {
			t.Errorf("%v: %d nodes are reported, all threads have visited %d", p, got, nodes)
		}
	}
}

// TestEnough checks that a search ends when Enough reports true, and checks the Progress that Enough gets.
func TestEnough(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A")
	for _, reductions := range []bool{false, true} {
		s := New(Config{Reductions: reductions, Hurry: true, Evaluation: reserve})
		var depths []int
		s.Choose(p, p.AppendMoves(nil), searching.Budget{Depth: 9, Enough: func(p searching.Progress) bool {
			depths = append(depths, p.Depth)
			if p.Steady < 1 || p.Steady > p.Depth || p.Decided {
				t.Errorf("%+v", p)
			}
			return p.Depth == 4
		}})
		if want := []int{1, 2, 3, 4}; !slices.Equal(depths, want) || s.Result().Depth != 4 {
			t.Errorf("finished the depths %v and reports %d, want %v", depths, s.Result().Depth, want)
		}
	}
}

// TestMate puts a defender into positions that are lost soon. The attacker must mate as fast as it can, and the
// defender must hold out as long as it can, with reductions, too.
func TestMate(t *testing.T) {
	g := playout.NewGenerator(13)
	mates := 0
	for range 200 {
		p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2})
		for q := range searchtest.RandomGame(p, g.Below) {
			p = q // the last position is near the end
		}
		exact := New(Config{Hurry: true, Evaluation: reserve})
		reduced := New(Config{Hurry: true, Evaluation: reserve, Reductions: true})
		exact.Choose(p, p.AppendMoves(nil), deep(6))
		if v := exact.Result().Moves[0].Value; !decided(int(v)) {
			continue
		}
		mates++
		decidedEarly := false
		reduced.Choose(p, p.AppendMoves(nil), searching.Budget{Depth: 6, Enough: func(p searching.Progress) bool {
			decidedEarly = decidedEarly || p.Decided
			return p.Decided
		}})
		best := reduced.Result().Moves[0]
		if want := int(exact.Result().Moves[0].Value); !decidedEarly || int(best.Value) != want || best.Mate != want+Mated {
			t.Errorf("%v: %+v, want the value %d, a mate in %d plies", p, best, want, want+Mated)
		}
	}
	if mates < 20 {
		t.Errorf("only %d mates", mates)
	}
}

// TestZugzwang searches crowded boards where any 2 harms the attacker. A search that lets the attacker pass plays
// the blunder on each. Values are exact (lab probe): all other moves are equally good, and a blunder costs the
// side to move more than 6,600 points.
func TestZugzwang(t *testing.T) {
	for position, blunder := range map[string]string{
		"8,2,2/2,32,8/8,2,0 D 176 63":   "E",
		"0,2,4/8,32,8/2,2,8 D 180 65":   "W",
		"0,2,4/2,64,16/8,2,2 D 388 99":  "E",
		"2,2,8/16,32,2/2,2,2 D 192 67":  "W",
		"4,8,2/2,32,8/0,16,0 A 212 72":  "(1,3)",
		"4,2,0/8,32,16/2,8,0 A 212 72":  "(3,1)",
		"2,16,0/8,32,0/2,16,2 A 240 78": "(3,1)",
		"0,0,8/8,32,2/4,16,2 A 212 72":  "(2,1)",
	} {
		p, err := rules.ParsePosition(rules.GPCC2015, position)
		if err != nil {
			t.Fatal(err)
		}
		s := New(Config{Evaluation: reserve, Hurry: true, Reductions: true})
		if m := s.Choose(p, p.AppendMoves(nil), deep(8)); m.String() == blunder {
			t.Errorf("%s: plays %s", position, m)
		}
	}
}
