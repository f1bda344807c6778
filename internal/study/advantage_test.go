package study_test

import (
	"slices"
	"testing"

	"versus2048/internal/study"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/players/ntuple"
	"versus2048/rules"
	"versus2048/rules/record"
)

var small = rules.Size{Width: 2, Height: 2}

// solvedBoard returns the tables of a small board.
func solvedBoard(t *testing.T, all ...rules.Ruleset) (tables study.Values) {
	t.Helper()
	for _, r := range all {
		s, err := retrograde.Solve(t.Context(), r, small, nil)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, s.Table)
	}
	return tables
}

// parsed returns a finished game.
func parsed(t *testing.T, text string) *record.Record {
	t.Helper()
	r, err := record.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// The empty 2x2 board has the values that docs/analysis.md states.
func TestExactScores(t *testing.T) {
	values := solvedBoard(t, rules.GPCC2015, rules.GPCC2016)
	for r, want := range map[rules.Ruleset]int{rules.GPCC2015: 68, rules.GPCC2016: 8} {
		score, isExact, ok := values.Expected(rules.NewPosition(r, small))
		if score != want || !isExact || !ok {
			t.Errorf("%v: %d (exact %t, known %t), want %d", r, score, isExact, ok, want)
		}
	}
}

// Without a table small boards have no value, and a position that no game reaches has none in a table.
func TestUnknownScores(t *testing.T) {
	unreachable, err := rules.ParsePosition(rules.GPCC2015, "16,16/16,0 A")
	if err != nil {
		t.Fatal(err)
	}
	game := &record.Record{Start: unreachable, Ending: record.Unfinished}
	for name, values := range map[string]study.Values{"no table": nil, "the table": solvedBoard(t, rules.GPCC2015)} {
		if a := values.In(game, unreachable, nil); a != nil {
			t.Errorf("%s knows %+v", name, a)
		}
		if c := values.Part(game, 0, 0, nil); c != nil || c.First() != nil {
			t.Errorf("%s knows %+v", name, c)
		}
	}
}

// On 4x4 the network for the rules knows the rest of the score: with the defender to move by its best slide.
func TestExpectedByNetwork(t *testing.T) {
	var none study.Values
	for _, r := range rules.Rulesets() {
		p := rules.NewPosition(r, rules.Full)
		for _, m := range []rules.Move{p.AppendMoves(nil)[0], rules.South, p.AppendMoves(nil)[5]} {
			network, want := ntuple.Own(r), p.Score()
			if p.SideToMove() == rules.Attacker {
				want += network.Of(p.Board())
			} else {
				_, points, _ := network.Best(p.Board())
				want += points
			}
			if score, isExact, ok := none.Expected(p); score != want || isExact || !ok {
				t.Errorf("%v %v: %d (exact %t, known %t), want %d", r, p, score, isExact, ok, want)
			}
			p = p.Next(m)
		}
	}
}

// A mated defender makes no more points, and a board with a 65536 is beyond the networks.
func TestExpectedAtTheEnd(t *testing.T) {
	var none study.Values
	mated, err := rules.ParsePosition(rules.GPCC2015, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 D")
	if err != nil {
		t.Fatal(err)
	}
	if score, _, ok := none.Expected(mated); score != mated.Score() || !ok {
		t.Errorf("a mated defender with %d points makes %d", mated.Score(), score)
	}
	huge, err := rules.ParsePosition(rules.GPCC2015, "65536,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A")
	if err != nil {
		t.Fatal(err)
	}
	if score, _, ok := none.Expected(huge); ok {
		t.Errorf("a network sees a 65536: %d", score)
	}
}

// mistake is a game on 2x2 that the defender could have continued to 68 points.
const mistake = `[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)`

// The share compares the expected score with the other game's, or with the value of the start while that is not known.
func TestShare(t *testing.T) {
	values, game := solvedBoard(t, rules.GPCC2015), parsed(t, mistake)
	game.Ending = record.Mate
	start := values.In(game, game.Start, nil)
	if want := (study.Advantage{Expected: 68, Other: 68, Exact: true}); *start != want || start.Share() != 50 || start.Both() != 136 {
		t.Errorf("at the start: %+v, %d %%, want %+v, 50 %%", start, start.Share(), want)
	}
	for other, want := range map[int]int{0: 100, 68: 50, 204: 25, 136: 33} {
		if a := values.In(game, game.Start, &other); a.Share() != want {
			t.Errorf("68 points beside %d are %d %%, want %d %%", other, a.Share(), want)
		}
	}
	if nothing := (&study.Advantage{}); nothing.Share() != 0 {
		t.Errorf("no points of none are %d %%", nothing.Share())
	}
}

// In the course of a game the expected score falls with each mistake of the defender, and ends with the score.
func TestCourse(t *testing.T) {
	values, game := solvedBoard(t, rules.GPCC2015), parsed(t, mistake)
	game.Ending = record.Mate
	last, err := game.Replay()
	if err != nil {
		t.Fatal(err)
	}
	n := len(game.Moves)
	c := values.Part(game, 0, n, nil)
	if len(c.Expected) != n+1 || c.Expected[0] != 68 || c.Expected[n] != last.Score() || c.Other != 68 || !c.Exact {
		t.Fatalf("%+v, want 68 to %d at %d plies", c, last.Score(), n+1)
	}
	for ply := 1; ply <= n; ply++ {
		slid := game.Moves[ply-1].IsSlide()
		if before, after := c.Expected[ply-1], c.Expected[ply]; slid && after > before || !slid && after < before {
			t.Errorf("ply %d, %v, changes the final score from %d to %d", ply, game.Moves[ply-1], before, after)
		}
	}
	other := 4
	part := values.Part(game, 3, 6, &other)
	if !slices.Equal(part.Expected, c.Expected[3:7]) || *part.First() != (study.Advantage{Expected: c.Expected[3], Other: 4, Exact: true}) {
		t.Errorf("plies 3 to 6: %+v, want %v", part, c.Expected[3:7])
	}
}

// A game that has ended by anything but mate makes no more points, but an interrupted one may go on.
func TestCutShort(t *testing.T) {
	values := solvedBoard(t, rules.GPCC2015)
	for ending, want := range map[record.Ending]int{record.Resigned: 0, record.Time: 0, record.Unfinished: 68} {
		game := parsed(t, "[Size \"2x2\"]\n\n1. (1,1) S")
		game.Ending = ending
		last, err := game.Replay()
		if err != nil {
			t.Fatal(err)
		}
		if a := values.In(game, last, nil); a.Expected != want {
			t.Errorf("%s: %d points, want %d", ending, a.Expected, want)
		}
	}
}

// The final score of a game with a 65536 is known, although networks do not see that tile.
func TestFinalScoreWithHugeTile(t *testing.T) {
	var none study.Values
	start, err := rules.ParsePosition(rules.GPCC2015, "32768,32768,0,0/2,0,0,0/0,0,0,0/0,0,0,0 D")
	if err != nil {
		t.Fatal(err)
	}
	last, err := start.Play(rules.West)
	if err != nil {
		t.Fatal(err)
	}
	score := 1000
	for _, other := range []*int{nil, &score} {
		game := &record.Record{Start: start, Moves: []rules.Move{rules.West}, Ending: record.Resigned}
		if a := none.In(game, last, other); a == nil || a.Expected != last.Score() || a.Exact {
			t.Errorf("at the end: %+v, want %d points", a, last.Score())
		}
		game.Ending = record.Unfinished
		if a := none.In(game, last, other); a != nil {
			t.Errorf("in progress: %+v, want nothing", a)
		}
	}
}

// A value takes no memory, since pages of games in progress ask for one at each frame.
func TestExpectedAllocatesNothing(t *testing.T) {
	var none study.Values
	p := rules.NewPosition(rules.GPCC2015, rules.Full).Next(0)
	if n := testing.AllocsPerRun(100, func() { _, _, _ = none.Expected(p) }); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

func BenchmarkExpected(b *testing.B) {
	values := study.Values([]*exact.Table{})
	p, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _, _ = values.Expected(p)
	}
}
