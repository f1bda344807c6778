package rules_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"versus2048/rules"
)

func TestPositionText(t *testing.T) {
	for _, test := range []struct {
		rules      rules.Ruleset
		text, want string
	}{
		{rules.GPCC2015, "0,0/0,0 A", "0,0/0,0 A 0 0"},
		{rules.GPCC2015, "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D", "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 0"},
		{rules.GPCC2015, "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 37", "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 37"},
		{rules.GPCC2016, "8,2/0,0 A 8", "8,2/0,0 A 8 0"},
		{rules.Solo, "  4,0,2/0,0,0\tD  0  1", "4,0,2/0,0,0 D 0 1"},
		{rules.GPCC2015, "65536,0/32768,2 A", "65536,0/32768,2 A 1441792 0"},
	} {
		p, err := rules.ParsePosition(test.rules, test.text)
		if err != nil || p.String() != test.want || p.Rules() != test.rules {
			t.Errorf("%q is read as %v (%v), %v, want %s", test.text, p, p.Rules(), err, test.want)
		}
	}
}

var notPositions = []struct {
	rules     rules.Ruleset
	text, why string
}{
	{rules.GPCC2015, "", "want the tiles"},
	{rules.GPCC2015, "2,0/0,0", "want the tiles"},
	{rules.GPCC2015, "2,0/0,0 A 0 0 0", "want the tiles"},
	{rules.GPCC2015, "2,0/0,0 X", "want A (attacker) or D (defender)"},
	{rules.GPCC2015, "2,0 D", "want WIDTHxHEIGHT"},
	{rules.GPCC2015, "2,0,0,0,0/0,0,0,0,0 D", "want WIDTHxHEIGHT"},
	{rules.GPCC2015, "2,0/0 D", "row 2 has 1 cells"},
	{rules.GPCC2015, "2,3/0,0 D", "tile at (2,1): 3"},
	{rules.GPCC2015, "2,0/1,0 D", "tile at (1,2): 1"},
	{rules.GPCC2015, "2,0/-2,0 D", "tile at (1,2): -2"},
	{rules.GPCC2015, "131072,0/0,0 D", "want 0 or a power of two from 2 to 65536"},
	{rules.GPCC2015, "2,,0/0,0 D", `tile ""`},
	{rules.GPCC2015, "2,4/4,2 A", "no cell is empty"},
	{rules.GPCC2015, "4,0/0,0 D 0", "score 0: want 4, the score of these tiles"},
	{rules.GPCC2015, "4,0/0,0 D x", `score "x"`},
	{rules.GPCC2015, "4,0/0,0 D 4 x", `ply "x"`},
	{rules.GPCC2015, "4,0/0,0 D 4 -1", "ply -1"},
	{rules.GPCC2015, "4,0/0,0 D 4 1048577", "ply 1048577"},
	{rules.GPCC2016, "8,0/0,0 D 20", "score 20: want 8 to 16"},
	{rules.GPCC2016, "8,0/0,0 D 14", "score 14: want 8 to 16"},
	{rules.GPCC2016, "8,0/0,0 D 4", "score 4: want 8 to 16"}, // 4+4 scored at least 8
	{rules.GPCC2016, "2,0/0,0 D -4", "score -4: want 0, the score of these tiles"},
}

func TestParsePositionRejects(t *testing.T) {
	for _, test := range notPositions {
		p, err := rules.ParsePosition(test.rules, test.text)
		if err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%q is read as %v with error %v, want an error that says %q", test.text, p, err, test.why)
		}
	}
}

func TestPositionFromRejects(t *testing.T) {
	for why, tiles := range map[string][][]int{
		`size "0x0"`:     nil,
		`size "2x1"`:     {{2, 0}},
		"row 2 has 3":    {{2, 0}, {0, 0, 0}},
		"tile at (2,1):": {{2, 6}, {0, 0}},
	} {
		if p, err := rules.PositionFrom(rules.GPCC2015, tiles, rules.Defender, 0, 0); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v became %v with error %v, want one that says %q", tiles, p, err, why)
		}
	}
}

func FuzzParsePosition(f *testing.F) {
	f.Add(uint8(0), "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 37")
	f.Add(uint8(1), "8,65536/0,0 A")
	for _, test := range notPositions {
		f.Add(uint8(test.rules), test.text)
	}
	f.Fuzz(func(t *testing.T, ruleset uint8, text string) {
		r := rules.Rulesets()[int(ruleset)%len(rules.Rulesets())]
		p, err := rules.ParsePosition(r, text)
		if err != nil {
			return
		}
		if again := parse(t, r, p.String()); again != p {
			t.Errorf("%q is read as %v, and that as %v", text, p, again)
		}
	})
}

func TestSum(t *testing.T) {
	for text, want := range map[string]struct{ board, position int }{
		"0,0/0,0 A":                 {0, 0},
		"2,0,16/4,0,0 D":            {22, 22},
		"2,4,8,16/32768,0,0,0 D":    {30 + 32768, 30 + 32768},
		"65536,0/0,2 A":             {32768 + 2, 65536 + 2},
		"65536,2/32768,65536 D":     {3*32768 + 2, 5*32768 + 2},
		"65536,65536/65536,65536 D": {4 * 32768, 4 * 65536},
	} {
		p := parse(t, rules.GPCC2015, text)
		if p.Board().Sum() != want.board || p.Sum() != want.position {
			t.Errorf("%v: sum of the board %d, of the position %d, want %+v", p, p.Board().Sum(), p.Sum(), want)
		}
	}
}

func TestPositionAttributes(t *testing.T) {
	p := parse(t, rules.GPCC2016, "2,0,16/4,0,0 D 44 9")
	if p.Size() != (rules.Size{Width: 3, Height: 2}) || p.SideToMove() != rules.Defender || p.Ply() != 9 || p.Score() != 44 {
		t.Errorf("%v: size %v, %v to move, ply %d, score %d", p, p.Size(), p.SideToMove(), p.Ply(), p.Score())
	}
	if p.LargestTile() != 16 || p.Tile(3, 1) != 16 || p.Tile(1, 2) != 4 || p.Tile(2, 2) != 0 || p.Exponent(2) != 4 || p.HasHuge() {
		t.Errorf("%v: largest tile %d, (3,1) %d, (1,2) %d, (2,2) %d", p, p.LargestTile(), p.Tile(3, 1), p.Tile(1, 2), p.Tile(2, 2))
	}
	for _, outside := range [][2]int{{0, 1}, {1, 0}, {4, 1}, {1, 3}} {
		if tile := p.Tile(outside[0], outside[1]); tile != 0 {
			t.Errorf("tile %d at %v, outside the board", tile, outside)
		}
	}
	if empty := p.Board().EmptyCells(p.Size()); empty != 3 {
		t.Errorf("%v: %d empty cells, want 3", p, empty)
	}
	if start := rules.NewPosition(rules.Solo, rules.Full); start.LargestTile() != 0 || start.Over() || start.Score() != 0 {
		t.Errorf("the empty board: largest tile %d, over %v, score %d", start.LargestTile(), start.Over(), start.Score())
	}
}

func TestIllegalMoves(t *testing.T) {
	for _, test := range []struct {
		rules    rules.Ruleset
		position string
		move     rules.Move
		want     rules.Reason
	}{
		{rules.GPCC2015, "2,0/0,0 A", rules.North, rules.NotYourMove},
		{rules.GPCC2015, "2,0/0,0 D", rules.Place(1, false), rules.NotYourMove},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(2, false), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(8, false), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(15, true), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(0, false), rules.CellOccupied},
		{rules.GPCC2015, "65536,0/0,0 A", rules.Place(0, false), rules.CellOccupied},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(1, true), rules.NoFours},
		{rules.GPCC2015, "2,0/0,0 D", rules.West, rules.NothingMoves},
		{rules.GPCC2015, "65536,0/0,0 D", rules.West, rules.NothingMoves},
		{rules.GPCC2015, "2,0/0,0 A", rules.East + 1, rules.UnknownMove},
		{rules.GPCC2015, "2,0/0,0 D", 255, rules.UnknownMove},
		{rules.GPCC2015, "2,4/4,2 D", rules.West, rules.GameOver},
		{rules.GPCC2015, "0,0/0,0 D", rules.West, rules.GameOver},
		{rules.GPCC2016, "2,0/0,0 A", rules.Place(0, true), rules.CellOccupied},
	} {
		p := parse(t, test.rules, test.position)
		after, err := p.Play(test.move)
		var illegal *rules.IllegalMoveError
		if !errors.As(err, &illegal) {
			t.Errorf("%v: %v leads to %v, %v, want: %s", p, test.move, after, err, test.want)
			continue
		}
		if want := (rules.IllegalMoveError{Move: test.move, Position: p, Reason: test.want}); *illegal != want {
			t.Errorf("error %+v, want %+v", *illegal, want)
		}
		if after != p {
			t.Errorf("the illegal %v changed %v to %v", test.move, p, after)
		}
		why := string(test.want)
		if test.want == rules.NotYourMove {
			why = fmt.Sprintf(", but the %v is to move by ", p.SideToMove())
		}
		for _, part := range []string{test.move.String(), p.String(), why} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %q does not say %q", err, part)
			}
		}
	}
}

// A move is legal if and only if AppendMoves lists it.
func TestPlayAgreesWithAppendMoves(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, text := range []string{"0,0/0,0 A", "0,0/0,0 D", "2,0,4,4/0,0,0,2 A", "2,0,4,4/0,0,0,2 D", "65536,0,32768/2,2,32768 D"} {
			p := parse(t, r, text)
			listed := make(map[rules.Move]bool)
			for _, m := range p.AppendMoves(nil) {
				listed[m] = true
			}
			for m := range rules.Move(255) {
				if _, err := p.Play(m); (err == nil) != listed[m] {
					t.Errorf("%v %v: %v listed %v, played with error %v", r, p, m, listed[m], err)
				}
			}
		}
	}
}

func TestAppendMovesAppends(t *testing.T) {
	p := parse(t, rules.GPCC2016, "2,4/8,0 A")
	got := notations(p.AppendMoves([]rules.Move{rules.North}))
	if want := "N (2,2) (2,2,4)"; strings.Join(got, " ") != want {
		t.Errorf("moves %v, want %s", got, want)
	}
}

// The zero Position is not valid: no move is legal there.
func TestZeroPosition(t *testing.T) {
	var p rules.Position
	if moves := p.AppendMoves(nil); len(moves) != 0 {
		t.Errorf("moves %v, want none", moves)
	}
	for m := range rules.Move(255) {
		if _, err := p.Play(m); err == nil {
			t.Errorf("%v was played", m)
		}
	}
}

// The score is the sum of the merged tiles, whether they were built from 2s or 4s.
func TestScoreWithFours(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Full)
	for _, ply := range []struct {
		move  string
		score int
	}{
		{"(1,1,4)", 0},
		{"E", 0},
		{"(1,1,4)", 0},
		{"E", 8}, // 4+4
		{"(1,1)", 8},
		{"S", 8},
		{"(1,3)", 8},
		{"S", 12}, // 2+2
		{"(3,4,4)", 12},
		{"W", 20}, // 4+4, and the 8 is left alone
		{"(3,4)", 20},
		{"W", 36}, // 8+8
	} {
		m, err := rules.ParseMove(ply.move)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Play(m); err != nil {
			t.Fatal(err)
		}
		if p.Score() != ply.score {
			t.Errorf("score %d after %v, want %d", p.Score(), m, ply.score)
		}
	}
}

// A 65536 merges with nothing, on any board, under any rules.
func TestLargestTileNeverMerges(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for text, want := range map[string]string{
			"65536,65536/0,0 D":                     "S",
			"65536,0/65536,0 D":                     "E",
			"65536,32768/0,0 D":                     "S",
			"32768,65536/0,0 D":                     "S",
			"65536,65536/65536,65536 D":             "",
			"65536,65536,65536/32768,65536,2 D":     "",
			"65536,32768/32768,65536/65536,2 D":     "",
			"65536,65536,65536,65536/0,0,0,0 D":     "S",
			"65536,32768,32768/2,4,8 D":             "W E", // only the two 32768s merge
			"32768,32768,32768,32768/2,4,2,4 D":     "W E",
			"65536,2,65536/0,0,0 D":                 "S",
			"65536,0,65536/2,4,8 D":                 "N W E",
			"0,65536/65536,0 D":                     "N S W E",
			"65536,65536,2,2/0,0,0,0/0,0,0,0 D":     "S W E",
			"32768,2,4,8/65536,4,8,2/32768,2,4,8 D": "",
		} {
			p := parse(t, r, text)
			if got := strings.Join(notations(p.AppendMoves(nil)), " "); got != want || p.Over() != (want == "") {
				t.Errorf("%v %v: slides %q, over %v, want %q", r, p, got, p.Over(), want)
			}
			for _, m := range p.AppendMoves(nil) {
				next := p.Next(m)
				if lost := count(p, 65536) - count(next, 65536); lost > 0 || next.LargestTile() > 65536 {
					t.Errorf("%v %v: %v leads to %v", r, p, m, next)
				}
			}
		}
	}
}

func count(p rules.Position, tile int) int {
	n := 0
	for _, row := range p.Tiles() {
		for _, other := range row {
			if other == tile {
				n++
			}
		}
	}
	return n
}

func TestTwoLargestTilesFromFour(t *testing.T) {
	p := parse(t, rules.GPCC2016, "32768,32768,32768,32768/0,0,0,2 D")
	after := p.Next(rules.East)
	if want := []int{0, 0, 65536, 65536}; !slices.Equal(after.Tiles()[0], want) || after.Score()-p.Score() != 2*65536 {
		t.Errorf("%v, %d more, want %v and %d", after, after.Score()-p.Score(), want, 2*65536)
	}
}

// dataLines returns the lines of a file, without its comment lines.
func dataLines(t testing.TB, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	in := bufio.NewScanner(file)
	for in.Scan() {
		if !strings.HasPrefix(in.Text(), "#") {
			lines = append(lines, in.Text())
		}
	}
	if in.Err() != nil || len(lines) == 0 {
		t.Fatalf("%s: %d lines, error %v", name, len(lines), in.Err())
	}
	return lines
}

func TestPerft(t *testing.T) {
	for _, line := range dataLines(t, "testdata/perft.txt") {
		start, counts, found := strings.Cut(line, " ; ")
		if !found {
			t.Fatalf("%q has no counts", line)
		}
		fields := strings.Fields(start)
		var rows []string
		for y := range 4 {
			rows = append(rows, strings.Join(fields[1+4*y:5+4*y], ","))
		}
		p, err := rules.ParsePosition(rules.GPCC2015, strings.Join(rows, "/")+" "+fields[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, count := range strings.Fields(counts) {
			want, err := strconv.ParseUint(count, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.Perft(p, i+1); got != want {
				t.Errorf("%v: %d sequences of %d plies, want %d", p, got, i+1, want)
			}
		}
	}
}

func TestPerftOfNothing(t *testing.T) {
	empty := rules.NewPosition(rules.GPCC2016, rules.Full)
	if got := rules.Perft(empty, 0); got != 1 {
		t.Errorf("%d sequences of no plies, want 1", got)
	}
	if got := rules.Perft(empty, 2); got != 16*2*3 {
		t.Errorf("%d sequences of 2 plies with 4s, want %d", got, 16*2*3)
	}
}

// TestCensus counts the distinct positions with the attacker to move, every two
// plies.
func TestCensus(t *testing.T) {
	positions := map[rules.Position]bool{rules.NewPosition(rules.GPCC2015, rules.Full): true}
	for _, line := range dataLines(t, "testdata/census.txt") {
		positions = successors(successors(positions))
		var plies, least, most int
		for p := range positions {
			if plies == 0 {
				least = p.Score()
			}
			plies, least, most = p.Ply(), min(least, p.Score()), max(most, p.Score())
		}
		if got := fmt.Sprint(plies, len(positions), least, most); got != line {
			t.Errorf("plies, positions, least and greatest score: %s, want %s", got, line)
		}
	}
}

// successors returns the canonical positions one ply later.
func successors(positions map[rules.Position]bool) map[rules.Position]bool {
	next := make(map[rules.Position]bool)
	for p := range positions {
		for _, m := range p.AppendMoves(nil) {
			q := p.Next(m).Canonical()
			next[q] = true
		}
	}
	return next
}
