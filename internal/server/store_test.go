package server_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// memoryStore is a server.Store for tests, with its own server.Tokens.
type memoryStore struct {
	mu     sync.Mutex
	events []tournament.Event
	games  map[int64][]tournament.Game // of each event, finished
	tokens map[string]string           // by role and name
	broken error                       // returned by Finish
	frozen error                       // returned by SetMemberships
	hold   bool                        // Open blocks for games after the second match until the event is stopped
}

func newStore() *memoryStore {
	return &memoryStore{games: map[int64][]tournament.Game{}, tokens: map[string]string{}}
}

func (s *memoryStore) CreateEvent(_ context.Context, e tournament.Event) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.ID = int64(len(s.events) + 1)
	s.events = append(s.events, e)
	return e.ID, nil
}

func (s *memoryStore) Event(_ context.Context, id int64) (tournament.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || id > int64(len(s.events)) {
		return tournament.Event{}, tournament.ErrUnknownEvent
	}
	return s.events[id-1], nil
}

func (s *memoryStore) Extend(_ context.Context, id int64, matches int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events[id-1].Matches = max(s.events[id-1].Matches, matches)
	return nil
}

// Voidable allows every match with a fault.
func (s *memoryStore) Voidable(_ context.Context, event int64, match int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.games[event], func(g tournament.Game) bool { return g.Match == match && g.Record.Ending.Fault() }) {
		return nil
	}
	return fmt.Errorf("no fault: %w", tournament.ErrNotVoidable)
}

func (s *memoryStore) Void(_ context.Context, event int64, match int, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.games[event] = slices.DeleteFunc(s.games[event], func(g tournament.Game) bool { return g.Match == match })
	return nil
}

func (s *memoryStore) Has(_ context.Context, role, name string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens[role+name] != "", nil
}

func (s *memoryStore) Valid(_ context.Context, role, name, token string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, made := range s.tokens {
		if made == token && (key == role+name || name == "" && strings.HasPrefix(key, role)) {
			return true, nil
		}
	}
	return false, nil
}

func (s *memoryStore) Owners(context.Context) (names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.tokens {
		if name, isBot := strings.CutPrefix(key, string(server.BotRole)); isBot {
			names = append(names, name)
		}
	}
	return names, nil
}

// revoke makes the token of a name invalid.
func (s *memoryStore) revoke(role server.Role, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tokens, string(role)+name)
}

func (s *memoryStore) Writable(context.Context) error { return nil }

func (s *memoryStore) Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error {
	return play(ctx, &memoryJournal{s, event})
}

func (s *memoryStore) Results(_ context.Context, e tournament.Event, each func(tournament.Result) error) error {
	for _, g := range s.finished(e.ID) {
		if err := each(tournament.ResultOf(&g)); err != nil {
			return err
		}
	}
	return nil
}

func (s *memoryStore) Collect(_ context.Context, e tournament.Event, _ bool) (*report.Collector, error) {
	return report.CollectorOf(e, s.finished(e.ID)), nil
}

func (s *memoryStore) Reopen(_ context.Context, event int64, worker string, _ []int64, adapts bool) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, first := len(s.games[event]), math.MaxInt
	for _, g := range s.games[event] {
		if g.Origin.Worker == worker {
			first = min(first, g.Match)
		}
	}
	s.games[event] = slices.DeleteFunc(s.games[event], func(g tournament.Game) bool {
		return g.Origin.Worker == worker || adapts && g.Match > first
	})
	return before - len(s.games[event]), nil
}

func (s *memoryStore) Workers(_ context.Context, event int64) ([]string, error) {
	workers := map[string]bool{}
	for _, g := range s.finished(event) {
		if g.Origin.Worker != "" {
			workers[g.Origin.Worker] = true
		}
	}
	return slices.Sorted(maps.Keys(workers)), nil
}

// finished returns the finished games of an event.
func (s *memoryStore) finished(event int64) []tournament.Game {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.games[event])
}

// memoryJournal is the journal of one event. It does not keep the plies of unfinished games.
type memoryJournal struct {
	store *memoryStore
	event int64
}

func (j *memoryJournal) Open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	if j.store.hold && g.Match > 2 {
		<-ctx.Done()
		return g, ctx.Err()
	}
	g.ID = 100*j.event + int64(10*g.Match+g.Leg)
	return g, nil
}

func (j *memoryJournal) Append(int64, tournament.Ply) {}

func (j *memoryJournal) Finish(_ context.Context, g tournament.Game) error {
	j.store.mu.Lock()
	defer j.store.mu.Unlock()
	if j.store.broken != nil {
		return j.store.broken
	}
	j.store.games[j.event] = append(j.store.games[j.event], g)
	return nil
}

func (j *memoryJournal) Finished(ctx context.Context, each func(tournament.Result) error) error {
	e, err := j.store.Event(ctx, j.event)
	if err != nil {
		return err
	}
	return j.store.Results(ctx, e, each)
}

func (j *memoryJournal) TakesPart(int64, tournament.Origin) {}

// Begun finds nothing: this journal keeps no plies.
func (j *memoryJournal) Begun(context.Context, func(tournament.Pairing) error) error { return nil }

func (j *memoryJournal) SetMemberships(_ context.Context, entry tournament.Entry, all []tournament.Membership) error {
	j.store.mu.Lock()
	defer j.store.mu.Unlock()
	if j.store.frozen != nil {
		return j.store.frozen
	}
	e := &j.store.events[j.event-1]
	if !slices.ContainsFunc(e.Entries, func(o tournament.Entry) bool { return o.Name == entry.Name }) {
		e.Entries = append(slices.Clip(e.Entries), entry)
	}
	e.Memberships = slices.DeleteFunc(slices.Clone(e.Memberships), func(s tournament.Membership) bool { return s.Name == entry.Name })
	e.Memberships = append(e.Memberships, all...)
	return nil
}

func (j *memoryJournal) Identify(context.Context, tournament.Identity) error { return nil }

// forget forgets the games of an event, which a store has on disk.
func (s *memoryStore) forget(event int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.games, event)
}
