package retrograde_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"versus2048/players/exact"
	"versus2048/rules"
)

// written writes the table of a small board and returns its path and content.
func written(t *testing.T, r rules.Ruleset, size string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.table")
	solution := solve(t, r, size)
	if err := solution.WriteFile(path, true); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || len(content) != solution.Bytes() {
		t.Fatalf("%d bytes, %v, want %d", len(content), err, solution.Bytes())
	}
	return path, content
}

func TestOpen(t *testing.T) {
	for r, size := range map[rules.Ruleset]string{rules.GPCC2015: "3x2", rules.GPCC2016: "2x2", rules.Solo: "2x2"} {
		path, _ := written(t, r, size)
		table, err := exact.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all := naive{}
		all.value(rules.NewPosition(r, table.Size()))
		for _, want := range all {
			compare(t, table, all, want)
		}
		if table.Rules() != r || table.Size().String() != size || table.States() == 0 {
			t.Errorf("%v, %v, %d states", table.Rules(), table.Size(), table.States())
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The tables in the tests of package exact are the tables that Solve makes.
func TestTablesOfTests(t *testing.T) {
	for _, r := range rules.Rulesets() {
		_, content := written(t, r, "2x2")
		want, err := os.ReadFile("../../players/exact/testdata/" + r.String() + "-2x2.table")
		if err != nil || !bytes.Equal(content, want) {
			t.Errorf("%v: another table, error %v", r, err)
		}
	}
}
