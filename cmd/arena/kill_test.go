package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func TestKilledArenaResumes(t *testing.T) {
	h := newHost(t)
	for name, spec := range killSpecs {
		h.bot(t, name, spec, "--slots", "4", "--quiet")
	}
	h.serve(t)
	random := rand.New(rand.NewPCG(2048, 9))
	inTheMiddle, midGame := 0, 0
	for round := range kills {
		h.await(t, len(killSpecs))
		setup := killSetup(uint64(round))
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		h.followFor(t, event, time.Duration(random.IntN(500))*time.Millisecond)
		h.server.kill()
		before := h.games(t, event)

		h.serve(t)
		h.await(t, len(killSpecs))
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		last, err := h.client.Follow(t.Context(), event, func(arena.Progress) {})
		if err != nil || last.State != arena.Finished {
			t.Fatalf("round %d: after the resume the event is %s: %s %v", round, last.State, last.Message, err)
		}
		after := h.games(t, event)
		compareGames(t, before, after)
		compareTimes(t, before, after)
		compareSearches(t, before, after)
		compareGames(t, expectedGames(t, setup), after)
		h.verify(t, event, len(after))
		if n := finished(before); n < len(after) && len(before) > 0 {
			inTheMiddle++
		}
		if resumedMidGame(before) {
			midGame++
		}
	}
	t.Logf("%d of %d kills fell in the middle of an event, %d left journalled plies of unfinished games", inTheMiddle, kills, midGame)
	if midGame < kills/4 {
		t.Errorf("only %d kills left journalled plies of unfinished games", midGame)
	}
	if inTheMiddle < kills*2/3 {
		t.Errorf("only %d of %d kills fell in the middle of an event", inTheMiddle, kills)
	}
}

// killSetup returns an event that takes about a second. Its seed alone determines
// the games.
func killSetup(seed uint64) tournament.Event {
	return tournament.Event{
		Size: rules.Full, Seed: seed, Matches: 6, Concurrency: 4, Clock: tournament.Clock{PerMove: 10 * time.Second},
		Bots: []string{"ann", "bob", "cid"}, Search: true,
	}
}

var killSpecs = map[string]string{"ann": "random", "bob": "greedy", "cid": "mcts:playouts=1"}

// followFor follows an event for some time, or until it is over.
func (h *host) followFor(t *testing.T, event int64, d time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	_, _ = h.client.Follow(ctx, event, func(arena.Progress) {}) // ends with the time, or with the event
}

// finished counts the finished games.
func finished(games map[gameName]record.Record) (n int) {
	for _, r := range games {
		if r.Ending != record.Unfinished {
			n++
		}
	}
	return n
}

// compareGames checks that every game of the first set continued as it had begun: a
// finished one is the same, one in progress has the same moves so far.
func compareGames(t *testing.T, before, after map[gameName]record.Record) {
	t.Helper()
	for name, b := range before {
		a, ok := after[name]
		if !ok {
			t.Fatalf("match %d game %d is lost", name.match, name.leg)
		}
		if len(a.Moves) < len(b.Moves) || fmt.Sprint(a.Moves[:len(b.Moves)]) != fmt.Sprint(b.Moves) {
			t.Fatalf("match %d game %d went another way after the resume", name.match, name.leg)
		}
		if b.Ending != record.Unfinished && (len(a.Moves) != len(b.Moves) || a.Ending != b.Ending) {
			t.Fatalf("match %d game %d was finished and has changed", name.match, name.leg)
		}
		if a.Ending != record.Mate {
			t.Fatalf("match %d game %d ended by %s: %s", name.match, name.leg, a.Ending, a.Detail)
		}
	}
}

// compareTimes checks that the games continued from what was on disk: a game that
// started again would have other times.
func compareTimes(t *testing.T, before, after map[gameName]record.Record) {
	t.Helper()
	for name, b := range before {
		if a := after[name]; !slices.Equal(a.Times[:len(b.Times)], b.Times) {
			t.Fatalf("match %d game %d was not resumed from its journal: its first %d times have changed", name.match, name.leg, len(b.Times))
		}
	}
}

// compareSearches checks that the search reports that were on disk are kept.
func compareSearches(t *testing.T, before, after map[gameName]record.Record) {
	t.Helper()
	for name, b := range before {
		a := after[name]
		if searched := a.Attacker == "cid" || a.Defender == "cid"; searched != (a.Searches != nil) {
			t.Fatalf("match %d game %d of %s and %s has %d search reports", name.match, name.leg, a.Attacker, a.Defender, len(a.Searches))
		}
		if b.Searches != nil && !reflect.DeepEqual(a.Searches[:len(b.Searches)], b.Searches) {
			t.Fatalf("match %d game %d: its first %d search reports have changed", name.match, name.leg, len(b.Searches))
		}
	}
}

// resumedMidGame reports whether plies of an unfinished game are on disk.
func resumedMidGame(games map[gameName]record.Record) bool {
	for _, r := range games {
		if r.Ending == record.Unfinished && len(r.Moves) > 0 {
			return true
		}
	}
	return false
}

// expectedGames plays the event in this process, undisturbed.
func expectedGames(t *testing.T, setup tournament.Event) map[gameName]record.Record {
	t.Helper()
	for i, name := range setup.Bots {
		setup.Bots[i] = name + "=" + killSpecs[name]
	}
	setup.InProcess = true
	db := t.TempDir() + "/expected.db"
	a, err := openLocal(t.Context(), db, time.Second, 0)
	if err != nil {
		t.Fatal(err)
	}
	event, err := a.client.Start(t.Context(), setup)
	if err == nil {
		_, err = a.client.Follow(t.Context(), event, func(arena.Progress) {})
	}
	if err := errors.Join(err, a.close()); err != nil {
		t.Fatal(err)
	}
	games := (&host{db: db}).games(t, event)
	if want := setup.Matches * len(setup.Bots) * (len(setup.Bots) - 1); len(games) != want {
		t.Fatalf("%d games, want %d", len(games), want)
	}
	return games
}

// An arena that is killed in the middle of an event resumes it after a restart, and
// comes to the same standings as an undisturbed one.
func TestKilledFormatsResume(t *testing.T) {
	h := newHost(t)
	for _, kind := range format.Names() {
		h.serve(t)
		h.await(t, 0)
		event, err := h.client.Start(t.Context(), formatSetup(kind))
		if err != nil {
			t.Fatal(err)
		}
		killed := false
		_, err = h.client.Follow(t.Context(), event, func(p arena.Progress) {
			if p.Done >= 2 && !killed && !p.State.Final() {
				h.server.kill()
				killed = true
			}
		})
		if !killed || err == nil {
			t.Fatalf("%s was over before the arena could be killed: %v", kind, err)
		}
		h.serve(t)
		h.await(t, 0)
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		got := h.standings(t, event)
		if event, err = h.client.Start(t.Context(), formatSetup(kind)); err != nil {
			t.Fatal(err)
		}
		if want := h.standings(t, event); !reflect.DeepEqual(got, want) || len(want.Places) < 2 {
			t.Errorf("%s: standings\n%+v\nwant\n%+v", kind, got, want)
		}
		h.server.kill()
	}
}

// formatSetup returns an event of eight bots inside the arena's process, or of two
// for an sprt.
func formatSetup(kind string) tournament.Event {
	search := fmt.Sprintf("mcts:playouts=%d", slowPlayouts)
	s := tournament.Event{
		Size: rules.Full, Seed: 3, Concurrency: 3, InProcess: true, Matches: 1,
		Bots: []string{"a=" + search, "b=" + search + ",c=1", "c=greedy", "d=random", "e=" + search + ",c=100", "f=greedy", "g=random", "h=" + search + ",c=300"},
	}
	s.Settings.Plan.Kind = kind
	switch kind {
	case format.Gauntlet, format.Knockout:
		s.Matches = 3
	case format.Ladder:
		s.Matches = 5
	case format.SPRT:
		s.Bots, s.Matches = s.Bots[:2], 0
		s.Settings.Plan.SPRT.Elo1 = 100
	}
	return s
}
