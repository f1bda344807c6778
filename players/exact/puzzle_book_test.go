package exact_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/players/exact"
	"versus2048/rules"
)

const three = "# a comment\n" +
	"gpcc2015\t2,0,2/0,4,2 A 4 5\t2\t40 44\n" +
	"solo\t4,4/0,2 D 8 5\t1\t40.25 44 38\n" +
	"gpcc2016\t0,2,0/0,0,4 D 0 3\t0\t44 40 36 32\n"

// parsed reads puzzles that are right.
func parsed(t *testing.T, text string) *exact.PuzzleBook {
	t.Helper()
	book, err := exact.ParsePuzzles(text)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestAnswers(t *testing.T) {
	book := parsed(t, three)
	want := [][]exact.PuzzleAnswer{
		{{Move: rules.Place(1, false), Score: 40}, {Move: rules.Place(4, false), Score: 44, Loss: 4}},
		{{Move: rules.South, Score: 40.25, Loss: 3.75}, {Move: rules.West, Score: 44}, {Move: rules.East, Score: 38, Loss: 6}},
	}
	for i, answers := range want {
		p := book.Puzzles[i]
		if got := p.Answers(); !reflect.DeepEqual(got, answers) {
			t.Errorf("puzzle %d has the answers %v, want %v", p.Number, got, answers)
		}
	}
	for i, margin := range []float64{4, 3.75, 4} {
		if got := book.Puzzles[i].Margin(); got != margin {
			t.Errorf("puzzle %d has the margin %v, want %v", i+1, got, margin)
		}
	}
	if best := book.Puzzles[0].Best(); best != rules.Place(1, false) {
		t.Errorf("the attacker's best move is %v", best)
	}
	if best := book.Puzzles[1].Best(); best != rules.West {
		t.Errorf("the defender's best move is %v", best)
	}
}

func TestLevels(t *testing.T) {
	for depth, want := range []exact.PuzzleLevel{exact.Hard, exact.Easy, exact.Medium, exact.Medium, exact.Hard, exact.Hard} {
		if got := (&exact.Puzzle{Depth: depth}).Level(); got != want {
			t.Errorf("depth %d is %s, want %s", depth, got, want)
		}
	}
}

// A book is read as it is written.
func TestWrite(t *testing.T) {
	var text strings.Builder
	if err := parsed(t, three).Write(&text, "a comment"); err != nil {
		t.Fatal(err)
	}
	if text.String() != three {
		t.Errorf("written as\n%s, want\n%s", text.String(), three)
	}
}

func TestWrongPuzzles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "without a puzzle",
		"# only this\n":                          "without a puzzle",
		"gpcc2015\t2,0/0,2 D\t1\n":               "3 fields",
		"chess\t2,0/0,2 D\t1\t1 2\n":             "chess",
		"gpcc2015\t2,0/0,3 D\t1\t1 2\n":          "3",
		"gpcc2015\t2,0/0,0 D\tdeep\t0 4\n":       "depth",
		"gpcc2015\t2,0/0,0 D\t9\t0 4\n":          "depth 9",
		"gpcc2015\t2,0/0,0 D\t1\t0 x\n":          "score",
		"gpcc2015\t2,0/0,0 D\t1\t0\n":            "1 scores for 2 legal moves",
		"gpcc2015\t2,0/0,0 D\t1\t4 4\n":          "2 moves lead to 4 points",
		"gpcc2015\t2,4/4,2 D\t1\t\n":             "0 scores for 0 legal moves",
		three + "gpcc2015\t2,0/0,0 D\t1\t4 4\n":  "line 5",
		three + "\ngpcc2015\t2,0/0,0 D\t1\t4 4":  "line 5",
		"gpcc2015\t2,0/0,0 D\t1\t4 8\nno puzzle": "line 2",
	} {
		if _, err := exact.ParsePuzzles(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one about %q", text, err, want)
		}
	}
	book := parsed(t, three)
	book.Puzzles[1].Scores[0] = 44
	if err := book.Write(&strings.Builder{}, ""); err == nil || !strings.Contains(err.Error(), "puzzle 2") {
		t.Errorf("a wrong puzzle is written: %v", err)
	}
}

func TestNumbered(t *testing.T) {
	book := parsed(t, three)
	for _, n := range []int{-1, 0, 4} {
		if _, err := book.Numbered(n); err == nil {
			t.Errorf("there is a puzzle %d of 3", n)
		}
	}
	if p, err := book.Numbered(3); err != nil || p.Number != 3 || p.Position.Rules() != rules.GPCC2016 {
		t.Errorf("puzzle 3 is %v, %v", p, err)
	}
}

// The days take the puzzles in their order, and each begins at midnight in UTC.
func TestDaily(t *testing.T) {
	book := parsed(t, three)
	midnight := time.Date(2026, 11, 28, 0, 0, 0, 0, time.FixedZone("", 0))
	first := book.Daily(midnight).Number
	for hours, later := range map[int]int{-73: 2, -1: 2, 0: 0, 23: 0, 24: 1, 47: 1, 48: 2, 72: 0} {
		at := midnight.Add(time.Duration(hours) * time.Hour).In(time.FixedZone("", 14*60*60))
		if got, want := book.Daily(at).Number, (first-1+later)%3+1; got != want {
			t.Errorf("after %d hours the puzzle is %d, want %d", hours, got, want)
		}
	}
	if p := book.Daily(time.Date(1920, 1, 1, 0, 0, 0, 0, time.UTC)); p.Number < 1 || p.Number > 3 {
		t.Errorf("long ago the puzzle was %d", p.Number)
	}
}

func TestNext(t *testing.T) {
	book := parsed(t, three)
	defenders := rules.Variants{Roles: []rules.Side{rules.Defender}}
	for _, c := range []struct {
		after  int
		chosen rules.Variants
		want   int
	}{
		{0, rules.Variants{}, 1},
		{1, rules.Variants{}, 2},
		{3, rules.Variants{}, 1},
		{-5, rules.Variants{}, 1},
		{99, rules.Variants{}, 1},
		{0, defenders, 2},
		{2, defenders, 3},
		{3, defenders, 2},
		{1, rules.Variants{Rules: []rules.Ruleset{rules.GPCC2015}}, 1},
		{0, rules.Variants{Sizes: []rules.Size{rules.Full}}, 0},
	} {
		got := 0
		if p, ok := book.Next(c.after, c.chosen); ok {
			got = p.Number
		}
		if got != c.want {
			t.Errorf("after %d, of %v: %d, want %d", c.after, c.chosen, got, c.want)
		}
	}
	if got := book.Sizes(); !reflect.DeepEqual(got, []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}}) {
		t.Errorf("the boards are %v", got)
	}
}
