package templates

import (
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Narrow spaces divide the thousands of a number, and its minus sign is a true one. An absent number is a dash.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		n    any
		want string
	}{
		{0, "0"},
		{999, "999"},
		{1000, "1\u202f000"},
		{-1000, "−1\u202f000"},
		{-12, "−12"},
		{1234567, "1\u202f234\u202f567"},
		{"16165.0", "16\u202f165.0"},
		{"-1234.5", "−1\u202f234.5"},
		{"0.25", "0.25"},
		{14.5, "14.5"},
		{"-", "–"},
		{uint64(1) << 17, "131\u202f072"},
	} {
		if got := Number(c.n); got != c.want {
			t.Errorf("Number(%v) = %q, want %q", c.n, got, c.want)
		}
	}
}

func TestSigned(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.4: "0", -0.4: "0", 0.5: "+1", 7: "+7", -7.2: "−7", 1703.6: "+1\u202f704", -1703.6: "−1\u202f704"} {
		if got := Signed(x); got != want {
			t.Errorf("Signed(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		one  string
		many []string
		want string
	}{
		{0, "game", nil, "0 games"},
		{1, "game", nil, "1 game"},
		{1500, "game", nil, "1\u202f500 games"},
		{1, "match", []string{"matches"}, "1 match"},
		{2, "match", []string{"matches"}, "2 matches"},
	} {
		if got := Count(c.n, c.one, c.many...); got != c.want {
			t.Errorf("Count(%d, %q, %q) = %q, want %q", c.n, c.one, c.many, got, c.want)
		}
	}
}

// A long span is written roughly, in the unit that gives two or three digits.
func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "a second", 900 * time.Millisecond: "a second", time.Second: "1 second", 99 * time.Second: "99 seconds",
		100 * time.Second: "2 minutes", 99 * time.Minute: "99 minutes", 100 * time.Minute: "2 hours", 71 * time.Hour: "71 hours",
		72 * time.Hour: "3 days", 84 * time.Hour: "4 days", 1000 * 24 * time.Hour: "1\u202f000 days", Century: "a century or more",
	} {
		if got := Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

// The ending of a game by a fault names the bot at fault.
func TestEndingText(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, e := range record.Endings() {
		r := record.Record{Attacker: "ann", Defender: "bob", Start: start, Moves: []rules.Move{rules.Place(0, false)}, Ending: e}
		text := Ending(&r)
		if named := strings.HasPrefix(text, "bob, the defender, "); named != (e.Fault() || e == record.Resigned) {
			t.Errorf("%s: %q", e, text)
		}
		if e != record.Unfinished && text == string(e) {
			t.Errorf("%s has no words", e)
		}
	}
}

// A pause is told at the ply of its move, or at the last ply if the move was never made.
func TestPauseText(t *testing.T) {
	r := record.Record{Moves: make([]rules.Move, 3), Pauses: []record.Pause{{Ply: 1, Away: 1500 * time.Millisecond}, {Ply: 0, Stall: time.Microsecond}, {Ply: 3, Stall: time.Second, Away: time.Minute}}}
	for ply, want := range []string{
		"", "", "The clock stood still for 1.5s because the bot was disconnected.",
		"The clock stood still for 1m0s because the bot was disconnected, and for 1s because the arena itself stood still.",
	} {
		if got := Pause(&r, ply); got != want {
			t.Errorf("ply %d: %q, want %q", ply, got, want)
		}
	}
}

// A move is told with its side, its merges, the small ones first, and the score after it.
func TestMove(t *testing.T) {
	for _, c := range []struct{ position, move, want string }{
		{"0,0,0/0,0,0/0,0,0 A", "(3,1)", "The attacker places a 2 at (3,1)"},
		{"0,0,0/0,0,0/0,0,0 A", "(2,3,4)", "The attacker places a 4 at (2,3)"},
		{"8,8,0/0,0,0/0,0,0 D", "W", "The defender slides left: 8+8=16, 48 points in all"},
		{"0,0,2/0,0,0/0,0,0 D", "S", "The defender slides down, 0 points in all"},
		{"8,8,2/4,4,2/2,2,4 D", "E", "The defender slides right: 2+2=4, 4+4=8, 8+8=16, 72 points in all"},
		{"2,2,4/2,2,4/0,0,8 D", "N", "The defender slides up: 2+2=4, 2+2=4, 4+4=8, 40 points in all"},
	} {
		p, err := rules.ParsePosition(rules.GPCC2016, c.position)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rules.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := Move(p, m); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.move, c.position, got, c.want)
		}
	}
}
