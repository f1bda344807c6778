package report

import (
	"encoding/csv"
	"strings"
	"testing"

	"versus2048/tournament"
)

func someTables() []Table {
	a := Table{Title: "first", Columns: []string{"bot", "n", "share"}}
	a.add("x|y, \"z\"", 3, Figure{Value: 1.0 / 3})
	a.add("b", 0, Figure{Needs: "needs 1 game"})
	b := Table{Title: "second", Columns: []string{"points"}}
	b.add(2.5)
	return []Table{a, b}
}

func TestWriteCSV(t *testing.T) {
	const want = "table,bot,n,share\nfirst,\"x|y, \"\"z\"\"\",3,0.333333\nfirst,b,0,\n\ntable,points\nsecond,2.5\n"
	var got strings.Builder
	if err := WriteCSV(&got, someTables()); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

func TestWriteMarkdown(t *testing.T) {
	const want = "## first\n\n| bot | n | share |\n|---|---|---|\n| x\\|y, \"z\" | 3 | 0.33 |\n| b | 0 | - |\n" +
		"\n## second\n\n| points |\n|---|\n| 2.5 |\n"
	var got strings.Builder
	if err := WriteMarkdown(&got, someTables()); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

// Every table has a cell for each of its columns, and a row for each bot.
func TestTablesAreWhole(t *testing.T) {
	games := smallGames()
	e := tournament.Event{Entries: entries("a", "b", "c"), Matches: 3}
	s, err := NewStatistics(e, tournament.Matches(games), TimesheetOf(games, tournament.Matches(games)), &Anchor{"a", 1500})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range s.Tables() {
		if len(table.Rows) < 2 {
			t.Errorf("%s: %d rows", table.Title, len(table.Rows))
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s: %d cells, want %d: %v", table.Title, len(row), len(table.Columns), row)
			}
		}
	}
	var text strings.Builder
	if err := WriteCSV(&text, s.Tables()); err != nil || strings.Contains(text.String(), "NaN") {
		t.Errorf("%v: %s", err, text.String())
	}
	r := csv.NewReader(strings.NewReader(text.String()))
	r.FieldsPerRecord = -1
	if _, err := r.ReadAll(); err != nil {
		t.Error(err)
	}
}

// What a bot defended another attacked: by role, all bots' games are the same.
func TestRolesSeeTheSameGames(t *testing.T) {
	games := smallGames()
	e := tournament.Event{Entries: entries("a", "b", "c"), Matches: 3}
	scores, reached := map[string]float64{}, map[string]int{}
	for _, r := range NewRoles(e, tournament.Matches(games), TimesheetOf(games, tournament.Matches(games))) {
		scores[r.Side] += r.MeanScore.Value * float64(r.Games)
		reached[r.Side] += r.Games
	}
	if scores["defender"] != scores["attacker"] || reached["defender"] != reached["attacker"] || reached["defender"] == 0 {
		t.Errorf("scores %v in %v games by role: want the same twice", scores, reached)
	}
}

func TestBars(t *testing.T) {
	none := Figure{Needs: unlimited}
	for _, tc := range []struct {
		i    Interval
		want string
	}{
		{Interval{Figure{Value: 0}, Figure{Value: -24}, Figure{Value: 24}}, "|" + strings.Repeat("-", 23) + "o" + strings.Repeat("-", 23) + "|"},
		{Interval{Figure{Value: -20}, none, Figure{Value: -16}}, "<---o---|" + strings.Repeat(" ", 40)},
		{Interval{none, Figure{Value: 22}, none}, strings.Repeat(" ", 46) + "|->"},
		{Interval{Figure{Value: 24}, Figure{Value: 24}, Figure{Value: 24}}, strings.Repeat(" ", 48) + "o"},
	} {
		if got := tc.i.bar(-24, 24); got != tc.want {
			t.Errorf("bar of %v: %q, want %q", tc.i, got, tc.want)
		}
	}
}
