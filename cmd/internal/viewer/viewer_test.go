package viewer

import (
	"strings"
	"testing"
	"time"

	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/rules/record"
)

const shortGame = `[Game "7"]
[Attacker "ann"]
[Defender "bob"]
[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
`

func newGame(t *testing.T, text string) *Game {
	t.Helper()
	record, err := record.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(&record)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestPlainText(t *testing.T) {
	var out strings.Builder
	if err := newGame(t, shortGame).WriteFrom(&out, 0, false); err != nil {
		t.Fatal(err)
	}
	want := `ply 11 of 11: ann places (2,2), score 8
  2  4
  4  2
mate: bob scored 8, largest tile 4

`
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("the end is shown as:\n%s", out.String()[max(0, out.Len()-300):])
	}
	if n := strings.Count(out.String(), "ply "); n != 11 {
		t.Errorf("%d plies are shown", n)
	}
}

func TestRecordWithoutNames(t *testing.T) {
	g := newGame(t, shortGame)
	g.Record.Game, g.Record.Attacker, g.Record.Defender = "", "", ""
	var out strings.Builder
	if err := g.WriteFrom(&out, 0, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"game: gpcc2015 2x2\n", ": the attacker places (2,2), score 8\n", "mate: the defender scored 8,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

func TestSearchesAreShown(t *testing.T) {
	g := newGame(t, shortGame)
	g.Record.Searches = make([]*record.SearchReport, len(g.Record.Moves))
	g.Record.Searches[0] = &record.SearchReport{
		Playouts: 1000, Nodes: 1, Expanded: []int64{1, 4, 20}, Time: 1830 * time.Microsecond,
		Variation: []rules.Move{rules.Place(0, false), rules.South},
		Moves: []record.RootMove{
			{Move: rules.Place(0, false), Value: 16, Visits: 700},
			{Move: rules.Place(4, false), Value: -1240.253},
			{Move: rules.Place(1, false)},
			{Move: rules.Place(1, true)},
			{Move: rules.Place(5, false)},
			{Move: rules.Place(5, true)},
			{Move: rules.Place(0, true)},
		},
	}
	g.Record.Searches[1] = &record.SearchReport{}
	g.Record.Searches[2] = &record.SearchReport{Time: time.Second, TokensRead: 812, TokensWritten: 9}
	var out strings.Builder
	if err := g.WriteFrom(&out, 1, true); err != nil {
		t.Fatal(err)
	}
	want := `ply 1 of 11: ann places (1,1), score 0
  2  .
  .  .
  search: 1000 playouts, 1 node, 1.8 ms
       move     value  visits
      (1,1)        16     700
      (1,2)  -1240.25       0
      (2,1)         0       0
    (2,1,4)         0       0
      (2,2)         0       0
  and 2 more
  expanded by depth: 1 4 20
  principal variation: (1,1) S

ply 2 of 11: bob slides S, score 0
  .  .
  2  .
  search: the bot gave no numbers

ply 3 of 11: ann places (1,1), score 0
  2  .
  2  .
  search: 1000.0 ms, 812 tokens read, 9 written

`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("shown:\n%s", out.String()[:min(len(want)+50, out.Len())])
	}
}

// The time that a clock stood still is shown at its ply, and for the move that never came at the end; on the screen,
// too.
func TestPausesAreShown(t *testing.T) {
	g := newGame(t, shortGame)
	r := g.Record
	r.Moves, g.Positions, r.Ending = r.Moves[:3], g.Positions[:4], record.Disconnect
	r.Times = []time.Duration{time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond}
	r.Pauses = []record.Pause{{Ply: 1, Stall: 20 * time.Second, Away: 7400 * time.Millisecond}, {Ply: 3, Away: 30 * time.Second}}
	for ply, want := range []string{
		"",
		"ply 1 of 3: ann places (1,1), score 0, 1.0 ms\n",
		"ply 2 of 3: bob slides S, score 0, 2.0 ms, not counting 20.00 s while the arena stalled and 7.40 s while the bot was away\n",
		"\ndisconnect: bob scored 0, largest tile 2; the attacker wins the game, not counting 30.00 s while the bot was away\n",
	} {
		if got := g.Text(ply, false); !strings.Contains(got, want) {
			t.Errorf("ply %d: %s\nwant %s", ply, got, want)
		}
		screen := strings.Join((&state{game: g, ply: ply}).lines(80, 24), " ")
		if stood := strings.Contains(screen, " away"); stood != (ply > 1) {
			t.Errorf("ply %d on the screen:\n%s", ply, screen)
		}
	}
}

// The names of the bots in a record and its text about the ending never control the terminal.
func TestTextsAreHarmless(t *testing.T) {
	g := newGame(t, shortGame)
	evil := "e\x1b]0;owned\a\x1b[2J\nv\u202el"
	g.Record.Game, g.Record.Attacker, g.Record.Defender, g.Record.Detail = evil, evil, evil, evil
	g.Record.Ending = record.Resigned
	g.Record.Moves, g.Positions = g.Record.Moves[:5], g.Positions[:6]
	var out strings.Builder
	if err := g.WriteFrom(&out, 0, true); err != nil {
		t.Fatal(err)
	}
	s := &state{game: g, marks: g.Marks(t.Context()), judged: true}
	for s.ply = range g.Positions {
		out.WriteString(strings.Join(s.lines(80, 24), "\n"))
	}
	if strings.ContainsAny(out.String(), "\x1b\a\u202e") || !strings.Contains(out.String(), `e\x1b]0;owned\a`) {
		t.Errorf("shown: %q", out.String())
	}
}

// mistake is a game in which the defender slides to the west although the search prefers the east, and the attacker is
// then out of time.
func mistake(t *testing.T) *Game {
	t.Helper()
	start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 4, 8, 16}, {16, 8, 4, 2}, {2, 4, 8, 16}, {16, 8, 0, 4}}, rules.Defender, 272, 62)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(&record.Record{Attacker: "ann", Defender: "bob", Start: start, Moves: []rules.Move{rules.West}, Ending: record.Time})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The marks are the fault at the end and the moves that lose most.
func TestMarks(t *testing.T) {
	marks := mistake(t).Marks(t.Context())
	if len(marks) != 2 || marks[0].Ply != 1 || marks[1].Ply != 1 {
		t.Fatalf("marks %+v", marks)
	}
	if marks[0].Why != "fault of ann as attacker: time" || !strings.HasPrefix(marks[1].Why, "bad move of bob: W, ") || !strings.Contains(marks[1].Why, " worse than E by a search ") {
		t.Errorf("marks %+v", marks)
	}
	// The marks of a longer game are in order, and no side has more than its share.
	g := newGame(t, shortGame)
	count, last := map[bool]int{}, 0
	for _, m := range g.Marks(t.Context()) {
		if m.Ply < last || m.Ply < 1 || m.Ply > g.Last() || !strings.HasPrefix(m.Why, "bad move of ") {
			t.Errorf("mark %+v", m)
		}
		last = m.Ply
		count[g.Record.Moves[m.Ply-1].IsSlide()]++
	}
	if max(count[true], count[false]) > 3 {
		t.Errorf("marks by side: %v", count)
	}
}

func TestKeys(t *testing.T) {
	s := &state{game: newGame(t, shortGame), speed: normalSpeed, judged: true, marks: []Mark{{Ply: 3, Why: "three"}, {Ply: 7, Why: "seven"}}}
	for _, tc := range []struct {
		sent string
		ply  int
	}{
		{"\x1b[C", 1},
		{"\x1b[C\x1bOC\r", 4},
		{"\x1b[D", 3},
		{"\x1b[B", 11},
		{"\x1b[A", 1},
		{"\x1b[F", 11},
		{"\x1b[H", 0},
		{"\x1b[D", 0},
		{"n", 3},
		{"n", 7},
		{"n", 7},
		{"p", 3},
		{"p", 3},
		{"\x1b[99;5X", 3},
		{"xyz", 3},
		{"\x1b[4~", 11},
		{"\x1b[5~", 1},
	} {
		for _, k := range parseKeys(tc.sent) {
			if !s.press(k) {
				t.Fatalf("%q quits", tc.sent)
			}
		}
		if s.ply != tc.ply {
			t.Fatalf("after %q ply %d is shown, want %d", tc.sent, s.ply, tc.ply)
		}
	}
	for _, sent := range []string{"q", "\x03", "\x1b"} {
		if keys := parseKeys(sent); len(keys) != 1 || s.press(keys[0]) {
			t.Errorf("%q does not quit", sent)
		}
	}
}

func TestAutoplay(t *testing.T) {
	s := &state{game: newGame(t, shortGame), speed: normalSpeed, ply: 11}
	s.press(keyPlay)
	if !s.playing || s.ply != 0 {
		t.Errorf("at the end it does not start again: %+v", s)
	}
	s.press(keyFaster)
	if s.speed != normalSpeed+1 || !strings.Contains(s.status(), "playing, 250ms a ply") {
		t.Errorf("speed %d, status %q", s.speed, s.status())
	}
	for range 20 {
		s.press(keySlower)
	}
	if s.speed != 0 || !s.playing {
		t.Errorf("speed %d, playing %v", s.speed, s.playing)
	}
	for range 11 {
		s.step()
	}
	if s.ply != 11 || s.playing {
		t.Errorf("at the end: ply %d, playing %v", s.ply, s.playing)
	}
	s.press(keyNextMark)
	if s.status() != "still looking for bad moves" {
		t.Errorf("status %q", s.status())
	}
}

// The screen has its size, whatever it shows.
func TestScreenFits(t *testing.T) {
	g := newGame(t, shortGame)
	g.Record.Attacker = strings.Repeat("日本", 20)
	s := &state{game: g, marks: []Mark{{Ply: 11, Why: strings.Repeat("long ", 30)}}}
	for _, size := range [][2]int{{80, 24}, {40, 12}, {30, 5}, {2, 1}} {
		for s.ply = range s.game.Positions {
			lines := s.lines(size[0], size[1])
			if len(lines) != size[1] {
				t.Errorf("%d lines on a screen of %d", len(lines), size[1])
			}
			for _, line := range lines {
				if n := terminal.Width(line); n > size[0] {
					t.Errorf("a line of %d on a screen of %d: %s", n, size[0], line)
				}
			}
		}
	}
	s.ply = 0 // the caption of ply 0 is shorter than the text in the record
	if shown := strings.Join(s.lines(30, 24), "\n"); !strings.Contains(shown, "\nply 0: the start\n") || strings.Count(shown, "日") > 20 {
		t.Errorf("screen\n%s", shown)
	}
	s.ply = 11
	if shown := strings.Join(s.lines(80, 24), "\n"); !strings.Contains(shown, "  2  4\n  4  2\nmate: bob") || !strings.Contains(shown, "! long") || !strings.Contains(shown, keysHelp) {
		t.Errorf("screen\n%s", shown)
	}
}
