package labcmd

import (
	"strings"
	"testing"

	"versus2048/internal/text/terminal"
	"versus2048/lab/claims"
)

// The table for people names the first files, the others are counted. CSV names all.
func TestStaleTable(t *testing.T) {
	changes := []claims.Change{
		{Name: "few", Files: []string{"a", "b", "c"}},
		{Name: "many", Files: []string{"a", "b", "c", "d", "e"}},
		{Name: "foreign", Files: []string{}, Unknown: true},
	}
	csv := func(table terminal.Table) string {
		var text strings.Builder
		if err := table.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	const end = "foreign,its commit is not in this clone\n"
	if got := csv(staleTable(changes, 3)); got != "claim,changed files\nfew,\"a, b, c\"\nmany,\"a, b, c and 2 more\"\n"+end {
		t.Error(got)
	}
	if got := csv(staleTable(changes, 100)); !strings.Contains(got, "many,\"a, b, c, d, e\"\n"+end) {
		t.Error(got)
	}
}
