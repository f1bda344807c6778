package cmdline

import (
	"strings"
	"testing"
)

// A command that is printed has no token in it.
func TestSameArguments(t *testing.T) {
	for line, want := range map[string]string{
		"":                                         "",
		"experiment table1 --db x --matches 2":     " experiment table1 --db x --matches 2",
		"experiment --token secret --db x":         " experiment --db x",
		"experiment --token=secret --db x":         " experiment --db x",
		"experiment -token secret --db x":          " experiment --db x",
		"experiment --db x --token":                " experiment --db x",
		"experiment --token secret --token secret": " experiment",
	} {
		if got := sameArguments(strings.Fields(line)); got != want {
			t.Errorf("%s is printed as%s, want%s", line, got, want)
		}
	}
}
