package rules_test

import (
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
	{rules.GPCC2015, "4,0/0,0 D 0", "score 0: want 4 to 4"},
	{rules.GPCC2015, "4,0/0,0 D x", `score "x"`},
	{rules.GPCC2015, "4,0/0,0 D 4 x", `ply "x"`},
	{rules.GPCC2015, "4,0/0,0 D 4 -1", "ply -1"},
	{rules.GPCC2015, "4,0/0,0 D 4 1048577", "ply 1048577"},
	{rules.GPCC2016, "8,0/0,0 D 20", "score 20: want 8 to 16"},
	{rules.GPCC2016, "8,0/0,0 D 14", "score 14: want 8 to 16"},
	{rules.GPCC2016, "8,0/0,0 D 4", "score 4: want 8 to 16"}, // 4+4 scored 8 at the least
	{rules.GPCC2016, "2,0/0,0 D -4", "score -4: want 0 to 0"},
}

func TestParsePositionRefuses(t *testing.T) {
	for _, test := range notPositions {
		p, err := rules.ParsePosition(test.rules, test.text)
		if err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%q is read as %v with error %v, want an error that says %q", test.text, p, err, test.why)
		}
	}
}

func TestPositionFromRefuses(t *testing.T) {
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

func TestPositionFacts(t *testing.T) {
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
