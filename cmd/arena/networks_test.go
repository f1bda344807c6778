package main

import (
	"testing"

	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// A recorded event may have a bot with a network for another game, though a new event may not: it is resumed unchanged.
func TestForeignNetworkIsResumed(t *testing.T) {
	t.Parallel()
	db := t.TempDir() + "/arena.db"
	store, err := results.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.CreateEvent(t.Context(), tournament.Event{
		Name: "recorded", Rules: rules.Solo, Size: rules.Full, Matches: 1, Concurrency: 1, InProcess: true, Seed: 1,
		Entries: []tournament.Entry{{Name: "old", Spec: "ntuple:weights=v1"}, {Name: "random", Spec: "random:seed=0"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run(t, "arena", "event", "resume", "1", "--db", db, "--quiet")
	if code != 0 {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	arenaCommand(t, `"defender": "old"`, "games", "--db", db, "--event", "1", "--json")
}
