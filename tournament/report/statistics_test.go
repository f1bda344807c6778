package report

import (
	"encoding/csv"
	"strings"
	"testing"

	"versus2048/tournament"
)

// Every table has two rows or more, and each row has a cell for each column.
func TestTablesAreComplete(t *testing.T) {
	games := smallGames()
	e := tournament.Event{Entries: entries("a", "b", "c"), Matches: 3}
	s, err := CollectorOf(e, games).Statistics(&Anchor{"a", 1500})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range s.tables() {
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
	if err := s.tables().WriteCSV(&text); err != nil || strings.Contains(text.String(), "NaN") {
		t.Errorf("%v: %s", err, text.String())
	}
	r := csv.NewReader(strings.NewReader(text.String()))
	r.FieldsPerRecord = -1
	if _, err := r.ReadAll(); err != nil {
		t.Error(err)
	}
}

// In each game one bot attacks and the other defends, so that the sums over all bots are
// the same for both roles.
func TestRolesHaveTheSameGames(t *testing.T) {
	games := smallGames()
	e := tournament.Event{Entries: entries("a", "b", "c"), Matches: 3}
	scores, reached := map[string]float64{}, map[string]int{}
	for _, r := range CollectorOf(e, games).roles() {
		scores[r.Side] += r.MeanScore.Value * float64(r.Games)
		reached[r.Side] += r.Games
	}
	if scores["defender"] != scores["attacker"] || reached["defender"] != reached["attacker"] || reached["defender"] == 0 {
		t.Errorf("scores %v in %v games by role: want the same twice", scores, reached)
	}
}
