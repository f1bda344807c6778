package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

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
	return NewCrosstable(e, format.After(e, done), done)
}

func text(t *testing.T, c Crosstable) string {
	t.Helper()
	var b strings.Builder
	if err := c.WriteText(&b, 0); err != nil {
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

// A crosstable of very many bots has each bot's sums, without cells.
func TestCrosstableOfManyBots(t *testing.T) {
	names := []string{"a", "b", "c"}
	for i := len(names); i <= mostCrossed; i++ {
		names = append(names, fmt.Sprint("bot", i))
	}
	few := crosstable(tournament.Event{Entries: entries("a", "b", "c")}, tournament.Matches(smallGames()))
	many := crosstable(tournament.Event{Entries: entries(names...)}, tournament.Matches(smallGames()))
	for _, s := range many.Standings {
		if len(s.Against) > 0 {
			t.Fatalf("%s has %d cells", s.Name, len(s.Against))
		}
		i := slices.IndexFunc(few.Standings, func(o Standing) bool { return o.Name == s.Name })
		if i >= 0 && (s.Total != few.Standings[i].Total || s.MeanScore != few.Standings[i].MeanScore) {
			t.Errorf("%+v, with few bots %+v", s, few.Standings[i])
		}
	}
	if got := text(t, many); strings.Contains(got, "a cell is") || strings.Count(got, "\n") != len(names)+1 {
		t.Errorf("%d lines: %.500s", strings.Count(got, "\n"), got)
	}
	if rows := many.table(Cell.text); len(rows.Columns) != 8 || len(rows.Rows[0]) != 8 {
		t.Errorf("%d columns, the first row has %d", len(rows.Columns), len(rows.Rows[0]))
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
	if encoded, err := json.Marshal(crosstable(tournament.Event{}, nil)); err != nil || string(encoded) != `{"standings":[],"matches":0,"repeated":0}` {
		t.Errorf("of nobody: %s, %v", encoded, err)
	}
}

func TestCrosstableNames(t *testing.T) {
	long := "mcts:playouts=10000,c=1000,expand=5,seed=7"
	got := text(t, crosstable(tournament.Event{Entries: entries("evil\x1b[2J\tname", "größe", long)}, nil))
	if strings.ContainsAny(got, "\x1b\t") {
		t.Errorf("control characters in %q", got)
	}
	for _, want := range []string{"mcts:playout…nd=5,seed=7", "row 3 is " + long + "\n", "evil\\x1b[2J\\tname", "größe"} {
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

func TestWriteTextError(t *testing.T) {
	if err := crosstable(tournament.Event{}, nil).WriteText(full{}, 0); !errors.Is(err, errFull) {
		t.Errorf("crosstable: %v", err)
	}
	if err := WriteHeadToHeads(full{}, nil, 0); !errors.Is(err, errFull) {
		t.Errorf("head-to-heads: %v", err)
	}
}

const crosstableGolden = `     bot  points  played  won  drawn  lost  mean score             1             2             3
  1  a       2.5       4    2      1     1      5332.0             x  1.5 +1 =1 -1  1.0 +1 =0 -0
  2  b       1.5       3    1      1     1       148.0  1.5 +1 =1 -1             x             -
  3  c       0.0       1    0      0     1        68.0  0.0 +0 =0 -1             -             x

A column's number is the row of the opponent there; a cell is points +won =drawn -lost.
`

// The crosstable has the standings' order and places at every point of an event, in
// every format, with and without strikes.
func TestCrosstableRanksLikeStandings(t *testing.T) {
	for _, kind := range tournament.Formats() {
		for _, strikes := range []tournament.Strikes{{}, {Faults: 2}, {Faults: 2, Games: tournament.VoidGames}} {
			for seed := range uint64(20) {
				e := tournament.Event{Matches: 2, Entries: entries("c", "a", "e", "b", "d")}
				e.Settings.Plan.Kind = kind
				e.Settings.Strikes = strikes
				if kind == tournament.SPRT {
					e.Entries = e.Entries[:2]
					e.Settings.Plan.SPRT.Elo1 = 100
				}
				name := fmt.Sprintf("%s, strikes %+v, seed %d", kind, strikes, seed)
				for _, done := range playAtRandom(e, rand.New(rand.NewPCG(seed, 13))) {
					wantOneRanking(t, name, e, done)
				}
			}
		}
	}
}

func wantOneRanking(t *testing.T, name string, e tournament.Event, done []tournament.MatchResult) {
	t.Helper()
	f := format.After(e, done)
	standings, table := f.Standings(), NewCrosstable(e, f, done)
	if len(table.Standings) != len(e.Entries) || len(standings.Places) != len(e.Entries) {
		t.Fatalf("%s: %d rows and %d places of %d bots", name, len(table.Standings), len(standings.Places), len(e.Entries))
	}
	for i, p := range standings.Places {
		s := table.Standings[i]
		if s.Name != p.Name || s.Rank != p.Place {
			t.Fatalf("%s after %d matches: row %d is %d. %s, want %d. %s", name, len(done), i+1, s.Rank, s.Name, p.Place, p.Name)
		}
		if e.Settings.Plan.Kind == tournament.RoundRobin && (s.Points != p.Values[0] || s.Played != p.Played) {
			t.Fatalf("%s after %d matches: %s has %v points of %d matches, in the standings %v of %d",
				name, len(done), s.Name, s.Points, s.Played, p.Values[0], p.Played)
		}
	}
}

// playAtRandom plays up to 60 matches with random results, some of them draws and
// faults, and returns the decided matches at the start and after each match.
func playAtRandom(e tournament.Event, random *rand.Rand) [][]tournament.MatchResult {
	f := format.New(e)
	var done []tournament.MatchResult
	all := [][]tournament.MatchResult{nil}
	var next []tournament.Pairing
	for len(done) < 60 {
		for p, ok := f.Next(tournament.Everyone{}); ok && len(next) < 100; p, ok = f.Next(tournament.Everyone{}) {
			next = append(next, p)
		}
		next = slices.DeleteFunc(next, func(p tournament.Pairing) bool { return f.SetAside().Of(p) != nil })
		if len(next) == 0 {
			break
		}
		var book tournament.Scorebook
		i := random.IntN(len(next))
		p := next[i]
		next = slices.Delete(next, i, i+1)
		for leg := 1; leg <= 2; leg++ {
			game := tournament.Summary{Score: random.IntN(3), Ending: record.Mate}
			if random.IntN(10) == 0 {
				game.Ending, game.Forfeited = record.IllegalMove, random.IntN(2) == 0
			}
			if m, decided := book.Add(tournament.Result{Pairing: p, Leg: leg, Summary: game}); decided {
				done = append(done, m)
				f.Add(m)
			}
		}
		all = append(all, done[:len(done):len(done)])
	}
	return all
}
