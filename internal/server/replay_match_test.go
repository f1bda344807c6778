package server_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/rules/record"
)

// endings returns how the finished games of a match ended.
func (s *memoryStore) endings(event int64, match int) (all []record.Ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.games[event] {
		if g.Match == match {
			all = append(all, g.Record.Ending)
		}
	}
	return all
}

// matchOf returns the number of the match of two bots, which is over.
func (s *memoryStore) matchOf(t *testing.T, event int64, a, b string) int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.games[event] {
		if g.First == a && g.Second == b || g.First == b && g.Second == a {
			return g.Match
		}
	}
	t.Fatalf("%s and %s have played no game", a, b)
	return 0
}

// A match that was lost by a fault is played again: in an event that is being played, while its other games go on, and
// in one that is over.
func TestReplayMatch(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]bool{"while the event is played": true, "when the event is over": false} {
		t.Run(name, func(t *testing.T) {
			store := newStore()
			c := serve(t, store, func(config *server.Config) { config.Grace = 50 * time.Millisecond })
			ann := connectWire(t, c, &wireBot{name: "ann", slots: 4, wrong: true}, nil)
			connectWire(t, c, &wireBot{name: "bob", slots: 4}, nil)
			cyd := connectWire(t, c, &wireBot{name: "cyd", slots: 4, silent: silent}, nil)
			event := startAll(t, c, between("one", 1, "ann", "bob", "cyd"))[0]
			done := 6
			if silent {
				done = 3 // cyd answers nothing
			}
			until(t, c, event, func(p server.Progress) bool { return p.Done == done && (silent || p.State.Ended()) })
			match := store.matchOf(t, event, "ann", "bob")
			ann.disconnect()
			reconnectWire(t, c, &wireBot{name: "ann", slots: 4}, nil)
			if err := c.ReplayMatch(t.Context(), event, match); err != nil {
				t.Fatal(err)
			}
			until(t, c, event, func(p server.Progress) bool { return p.Done == done })
			if got := store.endings(event, match); len(got) != 2 || got[0] != record.Mate || got[1] != record.Mate {
				t.Errorf("its games ended by %v", got)
			}
			cyd.disconnect()
			if last := ended(t, c, event); last.State != server.Finished || last.Done != 6 {
				t.Errorf("the event is %s after %d games", last.State, last.Done)
			}
			var refused *server.RequestError
			if err := c.ReplayMatch(t.Context(), event, match); !errors.As(err, &refused) {
				t.Errorf("a match without a fault is played again: %v", err)
			}
		})
	}
}

// An event with a voided match waits for the bots that are to play the match again.
func TestReplayMatchWaitsForItsBots(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	ann := connectWire(t, c, &wireBot{name: "ann", slots: 4, wrong: true}, nil)
	connectWire(t, c, &wireBot{name: "bob", slots: 4}, nil)
	event := startAll(t, c, between("one", 1, "ann", "bob"))[0]
	ended(t, c, event)
	ann.disconnect()
	awaitBots(t, c, "bob")
	if err := c.ReplayMatch(t.Context(), event, 1); err != nil || len(store.endings(event, 1)) != 0 {
		t.Fatal(err)
	}
	until(t, c, event, func(p server.Progress) bool { return p.State == server.Waiting })
	var refused *server.RequestError
	if err := c.ReplayMatch(t.Context(), event, 1); !errors.As(err, &refused) {
		t.Errorf("voided twice: %v", err)
	}
	reconnectWire(t, c, &wireBot{name: "ann", slots: 4}, nil)
	if last := ended(t, c, event); last.State != server.Finished || last.Done != 2 || last.Faults != nil {
		t.Errorf("%+v", last)
	}
}

// unvoidableStore cannot void a match.
type unvoidableStore struct{ *memoryStore }

func (unvoidableStore) Void(context.Context, int64, int, time.Time) error {
	return errors.New("the disk is full")
}

// An event that was interrupted for a match goes on if the match cannot be voided.
func TestEventGoesOnWithoutReplay(t *testing.T) {
	store := newStore()
	c := serve(t, unvoidableStore{store}, nil)
	connectWire(t, c, &wireBot{name: "ann", slots: 4, wrong: true}, nil)
	connectWire(t, c, &wireBot{name: "bob", slots: 4}, nil)
	connectWire(t, c, &wireBot{name: "cyd", slots: 4, silent: true}, nil)
	event := startAll(t, c, between("one", 1, "ann", "bob", "cyd"))[0]
	until(t, c, event, func(p server.Progress) bool { return p.Done == 3 })
	if err := c.ReplayMatch(t.Context(), event, store.matchOf(t, event, "ann", "bob")); err == nil {
		t.Error("a match is voided on a disk that is full")
	}
	until(t, c, event, func(p server.Progress) bool { return p.State == server.Running && p.Done == 3 })
}
