package players

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// plainMinimax searches the whole tree down to the given number of slides.
func plainMinimax(p rules.Position, slides int, as evaluation.Variant) int {
	if p.Over() || p.SideToMove() == rules.Attacker && slides == 0 {
		return searchtest.PlainEvaluation(p, as)
	}
	var values []int
	for _, m := range p.AppendMoves(nil) {
		values = append(values, plainMinimax(p.Next(m), slidesLeft(p, slides), as))
	}
	if p.SideToMove() == rules.Defender {
		return slices.Max(values)
	}
	return slices.Min(values)
}

// slidesLeft is how many of depth slides are left after a move in p.
func slidesLeft(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}

// plainChoice is the first best of moves.
func plainChoice(p rules.Position, moves []rules.Move, depth int, as evaluation.Variant) rules.Move {
	var values []int
	for _, m := range moves {
		values = append(values, plainMinimax(p.Next(m), slidesLeft(p, depth), as))
	}
	if p.SideToMove() == rules.Defender {
		return moves[slices.Index(values, slices.Max(values))]
	}
	return moves[slices.Index(values, slices.Min(values))]
}

// plainDepth is how far plain minimax can look from p in a test.
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

// readings are those that the bot's options give.
var readings = [4]evaluation.Variant{{}, {Mate: 50}, {Empty: evaluation.EmptyIsNothing}, {Empty: evaluation.EmptyIsNothing, Mate: evaluation.MaxMate}}

// TestEvMinimaxIsMinimax compares the bot with plain minimax, move for move.
func TestEvMinimaxIsMinimax(t *testing.T) {
	g := playout.NewGenerator(5)
	compared := 0
	for p := range searchtest.RandomPositions(g.Below, 4) {
		if len(p.AppendMoves(nil)) > 1 {
			compareWithMinimax(t, p, plainDepth(p), uint64(compared), readings[compared%len(readings)])
			compared++
		}
	}
	if compared < 500 {
		t.Errorf("only %d positions compared", compared)
	}
}

// TestEvMinimaxOfLargeTiles compares where a 65536 is on the board, or comes up
// in the search, or nearly does.
func TestEvMinimaxOfLargeTiles(t *testing.T) {
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
			for seed := range uint64(4) {
				compareWithMinimax(t, searchtest.Position(t, r, text), 3, seed, readings[seed])
			}
		}
	}
}

// compareWithMinimax looks at every depth up to the given one.
func compareWithMinimax(t *testing.T, p rules.Position, depth int, seed uint64, as evaluation.Variant) {
	t.Helper()
	bot := evMinimax{reading: as}
	for bot.depth = 1; bot.depth <= depth; bot.depth++ {
		g := playout.NewGenerator(seed)
		fork := g
		got := bot.choose(t.Context(), p, p.AppendMoves(nil), &g)
		moves := p.AppendMoves(nil)
		fork.Shuffle(moves)
		if want := plainChoice(p, moves, bot.depth, as); got != want {
			t.Fatalf("%v, %v, depth %d: chose %v, want %v", p.Rules(), p, bot.depth, got, want)
		}
	}
}

// countdown is a context that ends once it has been asked so many times.
type countdown struct {
	context.Context
	left *int
}

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestEvMinimaxCutShort ends the search at every moment that it looks at the
// clock: it plays what it found at the last depth that it finished, and is
// never far from looking.
func TestEvMinimaxCutShort(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A")
	const depth = 7
	var want []rules.Move
	for d := range depth {
		g := playout.NewGenerator(1)
		want = append(want, (&evMinimax{depth: d + 1}).choose(t.Context(), p, p.AppendMoves(nil), &g))
	}
	var got []rules.Move
	for asked, left := 0, -1; left < 0; asked++ {
		left = asked
		g, bot := playout.NewGenerator(1), evMinimax{depth: depth}
		got = append(got, bot.choose(countdown{t.Context(), &left}, p, p.AppendMoves(nil), &g))
		if most := int64(asked+1) * 2 * nodesPerLook; bot.last.nodes > most {
			t.Errorf("%d nodes until the clock said so at the %d. look, want at most %d", bot.last.nodes, asked+1, most)
		}
	}
	if len(got) < 3*depth {
		t.Errorf("it looked at the clock only %d times", len(got))
	}
	if got, want := slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) || len(want) < 3 {
		t.Errorf("with more and more time it chose %v, want %v, three moves at least", got, want)
	}
}

// TestEvMinimaxFallback checks that with no time at all it looks one slide
// ahead.
func TestEvMinimaxFallback(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	g := playout.NewGenerator(7)
	for p := range searchtest.RandomPositions(g.Below, 1) {
		late, shallow := g, g
		got := (&evMinimax{depth: 8}).choose(ended, p, p.AppendMoves(nil), &late)
		if want := (&evMinimax{depth: 1}).choose(t.Context(), p, p.AppendMoves(nil), &shallow); got != want {
			t.Fatalf("%v: chose %v, want %v", p, got, want)
		}
	}
}

// TestEvMinimaxReport holds what the bot says of its searches against plain
// minimax, and against what another says that has not searched before.
func TestEvMinimaxReport(t *testing.T) {
	g := playout.NewGenerator(8)
	before := map[rules.Size]*evMinimax{}
	for p := range searchtest.RandomPositions(g.Below, 1) {
		if len(p.AppendMoves(nil)) == 1 {
			continue
		}
		if before[p.Size()] == nil {
			before[p.Size()] = &evMinimax{}
		}
		depth := plainDepth(p)
		again, bot := before[p.Size()], evMinimax{depth: depth}
		again.depth = depth
		fork := g
		chosen := bot.choose(t.Context(), p, p.AppendMoves(nil), &g)
		again.choose(t.Context(), p, p.AppendMoves(nil), &fork)
		got, other := bot.report(), again.report()
		checkSearch(t, p, depth, chosen, got)
		got.Time, other.Time = 0, 0
		if !reflect.DeepEqual(got, other) {
			t.Fatalf("%v: %+v, and after other searches %+v", p, got, other)
		}
	}
}

func checkSearch(t *testing.T, p rules.Position, depth int, chosen rules.Move, r *record.SearchReport) {
	t.Helper()
	if len(r.Moves) == 0 || r.Moves[0].Move != chosen || len(r.Variation) == 0 || r.Variation[0] != chosen {
		t.Fatalf("%v: chose %v, reports %+v", p, chosen, r)
	}
	visits := int64(0)
	for _, m := range r.Moves {
		visits += m.Visits
		if want := plainMinimax(p.Next(m.Move), slidesLeft(p, depth), evaluation.Variant{}); m.Value != float64(want) {
			t.Fatalf("%v, depth %d: %v has the value %v, want %d", p, depth, m.Move, m.Value, want)
		}
	}
	if r.Nodes <= visits || r.Expanded[0] != int64(depth) || r.Time <= 0 {
		t.Fatalf("%v, depth %d: reports %+v", p, depth, r)
	}
	end := p
	for _, m := range r.Variation {
		var err error
		if end, err = end.Play(m); err != nil {
			t.Fatalf("%v: variation %v: %v", p, r.Variation, err)
		}
	}
	whole := end.Over() || len(r.Variation) == len(r.Expanded)
	if !whole && !p.Rules().Fours() {
		t.Fatalf("%v: variation %v is too short", p, r.Variation) // as it may be where a 4 comes about in two ways
	}
	if v := searchtest.PlainEvaluation(end, evaluation.Variant{}); whole && float64(v) != r.Moves[0].Value {
		t.Fatalf("%v: variation %v ends with %d, want %v", p, r.Variation, v, r.Moves[0].Value)
	}
}

// TestFirstTie checks that of equal moves the first is played if the spec says
// so.
func TestFirstTie(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	player := mustParse(t, "evminimax:ties=first").New(1)
	for range 5 {
		if m, err := player.Choose(t.Context(), p); err != nil || m != rules.Place(0, false) {
			t.Errorf("chose %v, %v, want the first of four equal cells", m, err)
		}
	}
}
