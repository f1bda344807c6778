package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"versus2048/internal/text/terminal"
	"versus2048/tournament"
)

// longNames are names as bots really have them, and some that are wider than they have letters.
func longNames(n int) []string {
	names := []string{"日本語の名前を持つ強いボット", "mcts:playouts=10000,c=1000,expand=5,seed=7", "🚀🚀🚀 rocket", "ann"}
	for i := len(names); i < n; i++ {
		names = append(names, fmt.Sprintf("evminimax:depth=%d,ties=first", i))
	}
	return names[:n]
}

// At 80 columns no line of any table is wider, for any format and any names, and every cell is
// still there.
func TestTextsFitEightyColumns(t *testing.T) {
	for _, kind := range tournament.Formats() {
		for _, bots := range []int{2, 12} {
			if kind == tournament.SPRT && bots > 2 {
				continue
			}
			e := tournament.Event{Matches: 2, Entries: entries(longNames(bots)...), Seed: 1}
			e.Settings.Plan.Kind = kind
			e.Settings.Plan.SPRT.Elo1 = 100
			all := playAtRandom(e, rand.New(rand.NewPCG(1, 2)))
			done := all[len(all)-1]
			s, err := collected(e, done).Statistics(nil)
			if err != nil {
				t.Fatal(err)
			}
			narrow, wide := allTexts(t, s, 80), allTexts(t, s, 0)
			for line := range strings.Lines(narrow) {
				if n := terminal.Width(strings.TrimSuffix(line, "\n")); n > 80 {
					t.Errorf("%s of %d: a line of %d columns: %s", kind, bots, n, line)
				}
			}
			for _, name := range e.Entries {
				if !strings.Contains(wide, shortened(name.Name)) {
					t.Errorf("%s of %d: without a limit %s is not shown", kind, bots, shortened(name.Name))
				}
			}
			for _, title := range []string{"mean score", "lost", "points", "max"} {
				if !strings.Contains(narrow, title) {
					t.Errorf("%s of %d: no %q at 80 columns", kind, bots, title)
				}
			}
		}
	}
}

// allTexts returns all that is written of statistics for a terminal.
func allTexts(t *testing.T, s Statistics, width int) string {
	t.Helper()
	var b bytes.Buffer
	for _, err := range []error{
		WriteStandings(&b, s.Standings, width),
		s.Crosstable.WriteText(&b, width),
		s.Ratings.WriteText(&b, width),
		WriteRoles(&b, s.Roles, width),
		WriteFaults(&b, s.Roles, width),
		WriteHeadToHeads(&b, s.HeadToHeads, width),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// The columns of a table stay aligned when names have wide letters.
func TestWideNamesAlign(t *testing.T) {
	s := tournament.Standings{Format: tournament.Swiss, Columns: []string{"points"}}
	for i, name := range longNames(4) {
		s.Places = append(s.Places, tournament.Place{Place: i + 1, Name: name, Played: 7, Values: []float64{float64(i)}})
	}
	var b strings.Builder
	if err := WriteStandings(&b, s, 60); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for _, line := range lines[1:5] {
		if terminal.Width(line) != terminal.Width(lines[0]) {
			t.Errorf("%q is %d columns wide, the heading %d", line, terminal.Width(line), terminal.Width(lines[0]))
		}
	}
	if !strings.Contains(b.String(), "A point is a round won") {
		t.Errorf("it does not say what the points are:\n%s", b.String())
	}
}

// However little room there is, the verdict of a test can be read.
func TestVerdictComesFirst(t *testing.T) {
	s := tournament.Standings{Format: tournament.SPRT, Columns: []string{"points"}}
	s.Test = &tournament.TestState{First: longNames(2)[1], LLR: 2.95, Lower: -2.94, Upper: 2.94, Trials: 104, Outcome: "H1"}
	var b strings.Builder
	if err := WriteStandings(&b, s, 40); err != nil {
		t.Fatal(err)
	}
	const want = "sprt: H1 is accepted after 104 trials"
	if !strings.HasPrefix(b.String(), want) || !strings.HasPrefix(StandingsLine(s), want) {
		t.Errorf("standings\n%s\nline %s", b.String(), StandingsLine(s))
	}
}
