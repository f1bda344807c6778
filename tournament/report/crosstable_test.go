package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func entries(names ...string) []tournament.Entry {
	var all []tournament.Entry
	for _, name := range names {
		all = append(all, tournament.Entry{Name: name})
	}
	return all
}

// crosstable returns the crosstable of an event with its own standings.
func crosstable(e tournament.Event, done []tournament.MatchResult) Crosstable {
	return NewCrosstable(e, format.New(e).Standings(done), done)
}

func text(t *testing.T, c Crosstable) string {
	t.Helper()
	var b strings.Builder
	if err := c.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCrosstableText(t *testing.T) {
	got := text(t, crosstable(tournament.Event{Entries: entries("c", "b", "a")}, tournament.Matches(smallGames())))
	if got != crosstableGolden {
		t.Errorf("got:\n%s\nwant:\n%s", got, crosstableGolden)
	}
}

func TestHeadToHeadText(t *testing.T) {
	var got strings.Builder
	event := tournament.Event{Entries: entries("a", "b"), Seed: 42}
	if err := WriteHeadToHeads(&got, HeadToHeads(event, smallGames())); err != nil {
		t.Fatal(err)
	}
	if got.String() != headToHeadGolden {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), headToHeadGolden)
	}
}

func TestCrosstableBreaksTies(t *testing.T) {
	// Each of a, b and c wins once and loses once; d, e have not played.
	ab, bc, ca := tournament.Pairing{Match: 1, First: "a", Second: "b"}, tournament.Pairing{Match: 2, First: "b", Second: "c"}, tournament.Pairing{Match: 3, First: "c", Second: "a"}
	c := crosstable(tournament.Event{Entries: entries("e", "d", "c", "b", "a")}, tournament.Matches([]tournament.Game{
		mated(ab, 1, 64), mated(ab, 2, 32),
		mated(bc, 1, 2048), mated(bc, 2, 32),
		mated(ca, 1, 64), mated(ca, 2, 32),
	}))
	var order []string
	for i, s := range c.Standings {
		order = append(order, s.Name)
		if want := min(i+1, 4); s.Rank != want {
			t.Errorf("%s has rank %d in row %d, want %d", s.Name, s.Rank, i+1, want)
		}
	}
	if got := strings.Join(order, " "); got != "b a c e d" {
		t.Errorf("order %q, want b, a, c by margin, then e, d by entry", got)
	}
}

func TestCrosstableSumsUp(t *testing.T) {
	c := crosstable(tournament.Event{Entries: entries("a", "b", "c")}, tournament.Matches(smallGames()))
	for i, s := range c.Standings {
		points, played := 0.0, 0
		for j, cell := range s.Against {
			points += cell.Points
			played += cell.Played()
			if other := c.Standings[j].Against[i]; i != j && (cell.Won != other.Lost || cell.Drawn != other.Drawn) {
				t.Errorf("%s against %s: %+v and %+v", s.Name, c.Standings[j].Name, cell, other)
			}
		}
		if points != s.Points || played != s.Played || s.Against[i].Played() != 0 {
			t.Errorf("%s: %v points of %d matches, its cells have %v of %d", s.Name, s.Points, s.Played, points, played)
		}
	}
}

func TestCrosstableRoundTrip(t *testing.T) {
	for _, games := range [][]tournament.Game{nil, smallGames()} {
		want := crosstable(tournament.Event{Entries: entries("a", "b", "c")}, tournament.Matches(games))
		encoded, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var back Crosstable
		if err := json.Unmarshal(encoded, &back); err != nil {
			t.Fatal(err)
		}
		if text(t, back) != text(t, want) {
			t.Errorf("came back as\n%s\nwant\n%s", text(t, back), text(t, want))
		}
	}
	if encoded, err := json.Marshal(crosstable(tournament.Event{}, nil)); err != nil || string(encoded) != `{"standings":[]}` {
		t.Errorf("of nobody: %s, %v", encoded, err)
	}
}

func TestCrosstableNames(t *testing.T) {
	long := "mcts:playouts=10000,c=1000,expand=5,seed=7"
	got := text(t, crosstable(tournament.Event{Entries: entries("evil\x1b[2J\tname", "größe", long)}, nil))
	if strings.ContainsAny(got, "\x1b\t") {
		t.Errorf("control characters in %q", got)
	}
	for _, want := range []string{"mcts:playou..nd=5,seed=7", "row 3 is " + long + "\n", "evil?[2J?name", "größe"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	rows := strings.Split(got, "\n")
	for _, row := range rows[1:4] {
		if a, b := len([]rune(row)), len([]rune(rows[0])); a != b {
			t.Errorf("row %q has %d characters, the heading %d", row, a, b)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestTextReturnsTheWritersError(t *testing.T) {
	if err := crosstable(tournament.Event{}, nil).WriteText(full{}); !errors.Is(err, errFull) {
		t.Errorf("crosstable: %v", err)
	}
	if err := WriteHeadToHeads(full{}, nil); !errors.Is(err, errFull) {
		t.Errorf("head-to-heads: %v", err)
	}
}

const crosstableGolden = `     bot  points  played  won  drawn  lost  mean score             1             2             3
  1  a       2.5       4    2      1     1      5332.0             x  1.5 +1 =1 -1  1.0 +1 =0 -0
  2  b       1.5       3    1      1     1       148.0  1.5 +1 =1 -1             x             -
  3  c       0.0       1    0      0     1        68.0  0.0 +0 =0 -1             -             x

A column's number is the row of the opponent there; a cell is points +won =drawn -lost.
`

const headToHeadGolden = `first / second   mean first (SD)    mean second (SD)   difference [95% CI]   2048 first / second
a / b            6996.0 (11695.2)   148.0 (0.0)        96.0 [0.0, 192.0]     33.3% / 0.0%

a / b: 3 matches, 1 won, 1 drawn, 1 lost (by forfeit 0, 0, 1)
  of a, by 3 matches: Elo 0.00 +/- 561.20, nElo 0.00 +/- 393.15, LOS 50.0%
  matches still needed for an Elo +/- 50: 123, +/- 20: 772, +/- 10: 3091
  difference over 2 matches; interval: bootstrap by match, 10000 resamples, seed 42; left out: 1, where a game was cut short
                                               a                    b
  games as defender (cut short)                3 (0)                2 (1)
  score min to max                             148 to 20500         148 to 148
  games with a 2048                            1                    0
  largest tile                                 2048                 32
  mean length, turns                           0.7                  1.0
  ms a move as defender, mean / median / max   - / - / -            - / - / -
  ms a move as attacker, mean / median / max   10.0 / 10.0 / 10.0   10.0 / 10.0 / 10.0
  lag ms as defender, mean / max               - / -                - / -
  lag ms as attacker, mean / max               1.0 / 1.0            1.0 / 1.0
  faults as defender                           1 time               none
  faults as attacker                           1 illegal-move       none
`

// A score that is a lower bound enters no mean, and no difference.
func TestDecidedGamesHaveNoScore(t *testing.T) {
	p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
	decided := endedGame(p, 2, 64, record.Decided, rules.Attacker)
	h := NewHeadToHead("a", "b", []tournament.Game{mated(p, 1, 32), decided}, 1)
	if h.Matches != (tournament.Tally{Lost: 1}) || h.Forfeits != (tournament.Tally{}) || h.LeftOut != 1 || h.Difference.Matches != 0 {
		t.Errorf("%+v", h)
	}
	if h.Second.Games != 0 || h.Second.CutShort != 1 || !h.Second.MeanScore.Absent() || h.First.Games != 1 || len(h.Second.Defending.Faults) != 0 {
		t.Errorf("first %+v, second %+v", h.First, h.Second)
	}
	c := crosstable(tournament.Event{Entries: entries("a", "b")}, tournament.Matches([]tournament.Game{mated(p, 1, 32), decided}))
	if s := c.Standings[0]; s.Name != "b" || s.Points != 1 || !s.MeanScore.Absent() {
		t.Errorf("%+v", s)
	}
}
