package arena_test

import (
	"context"
	"strings"
	"testing"

	"versus2048/arena"
)

// until follows an event until it stands as wanted.
func until(t *testing.T, c *arena.Client, event int64, wanted func(arena.Progress) bool) arena.Progress {
	t.Helper()
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	var last arena.Progress
	_, err := c.Follow(ctx, event, func(p arena.Progress) {
		if ctx.Err() == nil {
			if last = p; wanted(p) {
				enough()
			}
		}
	})
	if ctx.Err() == nil {
		t.Fatalf("the event is %+v: %v", last, err)
	}
	return last
}

// A paused event ends the games in progress and begins no others, until it is
// resumed; it can be stopped.
func TestPauseAndResume(t *testing.T) {
	c := serve(t, newStore(), nil)
	event, err := c.Start(t.Context(), ladder())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Errorf("resuming what is being played: %v", err)
	}
	until(t, c, event, func(p arena.Progress) bool { return p.Done > 3 })
	for range 2 {
		if err := c.Pause(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	paused := until(t, c, event, func(p arena.Progress) bool { return p.State == arena.Paused && p.Playing == 0 })
	if len(paused.Games) > 0 || paused.Left != 0 {
		t.Errorf("paused: %+v", paused)
	}
	if now, err := c.Status(t.Context(), event); err != nil || now.State != arena.Paused || now.Done != paused.Done {
		t.Errorf("status %+v, error %v, want %d games done", now, err, paused.Done)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	now := until(t, c, event, func(p arena.Progress) bool { return p.Done > paused.Done+3 })
	if now.State != arena.Running || now.Played != now.Done-paused.Done || len(now.Standings.Places) != 2 {
		t.Errorf("resumed: %+v", now)
	}
	if err := c.Pause(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Pause(t.Context(), event); err == nil || !strings.Contains(err.Error(), "it is interrupted") {
		t.Errorf("pausing what is stopped: %v", err)
	}
	if err := c.Pause(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "not being played") {
		t.Errorf("pausing what is not there: %v", err)
	}
	checkPauses(t, c, event)
}

// checkPauses looks in the news for games that begin while the event is paused.
// One may: that which the pause has overtaken.
func checkPauses(t *testing.T, c *arena.Client, event int64) {
	t.Helper()
	paused, begun, pauses := false, 0, 0
	if err := c.FollowNews(t.Context(), event, func(n arena.News) error {
		switch n.Type {
		case arena.EventPaused:
			paused, begun = true, 0
			pauses++
		case arena.EventResumed:
			paused = false
		case arena.GameStarted:
			if begun++; paused && begun > 1 {
				t.Errorf("%d games begin in a pause", begun)
			}
		}
		return nil
	}); err != nil || pauses != 2 {
		t.Errorf("%d pauses, error %v", pauses, err)
	}
}

func TestStatusOfWhatIsNotBeingPlayed(t *testing.T) {
	store := newStore()
	first := serve(t, store, nil)
	event, err := first.Start(t.Context(), local(2))
	if err != nil {
		t.Fatal(err)
	}
	played := ended(t, first, event)
	again := serve(t, store, nil) // an arena that has not played it
	status, err := again.Status(t.Context(), event)
	if err != nil || status.State != arena.Finished || status.Done != 4 || status.Total != 4 || status.Name != played.Name || len(status.Standings.Places) != 2 {
		t.Errorf("status %+v, error %v", status, err)
	}
	store.games[event] = store.games[event][:3]
	if status, err = again.Status(t.Context(), event); err != nil || status.State != arena.Unfinished || !status.State.Final() || status.Done != 3 {
		t.Errorf("status %+v, error %v", status, err)
	}
	if _, err := again.Status(t.Context(), 7); err == nil {
		t.Error("an event that there is not has a status")
	}
}
