package arena_test

import (
	"strings"
	"testing"

	"versus2048/arena"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// ladder is a ladder without an end, of bots inside the arena's process.
func ladder() tournament.Event {
	s := local(0)
	s.Settings.Plan.Kind = format.Ladder
	return s
}

// A bot joins a ladder while it is played, and leaves; after a stop the ladder
// goes on with those who are there.
func TestJoinAndLeave(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), ladder())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "late=greedy"); err != nil {
		t.Fatal(err)
	}
	if err := c.Leave(t.Context(), event, "random"); err != nil {
		t.Fatal(err)
	}
	for problem, err := range map[string]error{
		"takes part in event 1 already": c.Join(t.Context(), event, "late"),
		"does not take part":            c.Leave(t.Context(), event, "random"),
		"is not a spec either":          c.Join(t.Context(), event, "nobody"),
		"event 7 is not being played":   c.Join(t.Context(), 7, "greedy"),
	} {
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("error %v, want %q", err, problem)
		}
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "random"); err == nil || !strings.Contains(err.Error(), "resume it first") {
		t.Errorf("joining what is stopped: error %v", err)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "random"); err != nil {
		t.Fatal(err)
	}
	last, err := c.Follow(t.Context(), event, func(p arena.Progress) {
		if p.Done > 40 && p.State == arena.Running {
			_ = c.Stop(t.Context(), event) // again and again until it has stopped
		}
	})
	if err != nil || last.State != arena.Interrupted || last.Total != 0 || last.Done <= 40 {
		t.Errorf("progress %+v, error %v", last, err)
	}
	s, err := c.Standings(t.Context(), event)
	if err != nil || len(s.Places) != 3 || s.Format != format.Ladder {
		t.Errorf("standings %+v, error %v", s, err)
	}
}

func TestOnlyALadderIsJoined(t *testing.T) {
	store := newStore()
	store.hold = true
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "late=greedy"); err == nil || !strings.Contains(err.Error(), "not a ladder") {
		t.Errorf("error %v", err)
	}
}
