package main

import (
	"strings"
	"testing"

	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// A completion comes from the database of --db, like the output of the command, also where --server has a default.
func TestCompletionReadsTheDatabase(t *testing.T) {
	t.Parallel()
	db := t.TempDir() + "/some.db"
	store, err := results.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.CreateEvent(t.Context(), tournament.Event{
		Name: "cup", Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true, Seed: 1,
		Entries: []tournament.Entry{{Name: "random", Spec: "random:seed=0"}, {Name: "greedy", Spec: "greedy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]string{"carol": "bot", "olga": "operator"} {
		if _, err := store.Tokens().Make(t.Context(), role, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"event status":            "1\tcup\n",
		"stats":                   "1\tcup\n",
		"token revoke":            "carol\n",
		"token revoke --operator": "olga\n",
		"rate":                    "", // connected bots only
	} {
		words := append(strings.Fields(line), "--db", db, "")
		if stdout, stderr, code := run(t, "arena", append([]string{"__complete", "fish", "--"}, words...)...); code != 0 || stdout != want {
			t.Errorf("%s: exit code %d, the candidates are %q, want %q: %s", line, code, stdout, want, stderr)
		}
	}
}
