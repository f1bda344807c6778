package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// killSetup is an event that takes about a second. Its bots' games follow from
// its seed alone.
func killSetup(seed uint64) tournament.Event {
	return tournament.Event{
		Size: rules.Full, Seed: seed, Matches: 6, Concurrency: 4, Clock: tournament.Clock{PerMove: 10 * time.Second},
		Bots: []string{"ann", "bob", "cid"}, Search: true,
	}
}

var killSpecs = map[string]string{"ann": "random", "bob": "greedy", "cid": "mcts:playouts=1"}

// gameName names a game within its event.
type gameName struct{ match, leg int }

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

// followFor follows an event for some time, or until it is over.
func (h *host) followFor(t *testing.T, event int64, d time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	_, _ = h.client.Follow(ctx, event, func(arena.Progress) {}) // ends by its time, or with the event
}

// games reads the event's games from the database, those in progress included.
func (h *host) games(t *testing.T, event int64) map[gameName]record.Record {
	t.Helper()
	store, err := results.OpenReader(t.Context(), h.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var ids []int64
	err = store.Games(t.Context(), results.Filter{Event: event}, func(g results.Stored) error {
		ids = append(ids, g.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	games := map[gameName]record.Record{}
	for _, id := range ids {
		g, err := store.Game(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		name := gameName{g.Match, g.Leg}
		if _, twice := games[name]; twice {
			t.Fatalf("match %d game %d is there twice", g.Match, g.Leg)
		}
		if _, err := g.Record.Replay(); err != nil {
			t.Fatalf("game %d: %v", id, err)
		}
		games[name] = g.Record
	}
	return games
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

// compareGames checks that every game of the first set went on as it had begun:
// a finished one is the same, one in progress has the same moves so far.
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

// compareTimes checks that what was on disk is the beginning of what was played
// on: a game begun anew would have other times.
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

// resumedMidGame tells whether plies of an unfinished game are on disk.
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
	var event int64
	err := withPrivateArena(t.Context(), db, time.Second, func(client *arena.Client) (err error) {
		if event, err = client.Start(t.Context(), setup); err != nil {
			return err
		}
		_, err = client.Follow(t.Context(), event, func(arena.Progress) {})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	games := (&host{db: db}).games(t, event)
	if want := setup.Matches * len(setup.Bots) * (len(setup.Bots) - 1); len(games) != want {
		t.Fatalf("%d games, want %d", len(games), want)
	}
	return games
}

// verify runs arena verify on the event.
func (h *host) verify(t *testing.T, event int64, games int) {
	t.Helper()
	stdout, stderr, code := run(t, "arena", "verify", "--db", h.db, "--event", fmt.Sprint(event))
	var n, plies, bad int
	if _, err := fmt.Sscanf(stdout, "%d games, %d plies played again: %d differ", &n, &plies, &bad); err != nil || code != 0 || n != games || bad != 0 {
		t.Fatalf("verify of %d games exits with %d: %s%s", games, code, stdout, stderr)
	}
}
