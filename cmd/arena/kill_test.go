package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// killsVariable sets how often each of these tests kills: 200 times in make kills.
const killsVariable = "VERSUS2048_KILLS"

// howOften returns how often a test kills.
func howOften(t *testing.T) int {
	t.Helper()
	text := os.Getenv(killsVariable)
	if text == "" {
		return testkit.Amount(t, kills, 1)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s: want a number from 1 on", killsVariable, text)
	}
	return n
}

func TestKilledArenaResumes(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, spec := range killSpecs {
		h.bot(t, name, spec, "--slots", "4", "--quiet")
	}
	h.serve(t)
	const seed = 2048
	random := rand.New(rand.NewPCG(seed, 9))
	n, inTheMiddle, midGame := howOften(t), 0, 0
	// On a loaded machine an event may be over before the kill: then there are more.
	for round := 0; round < n || round < 5*n && (inTheMiddle < n*2/3 || midGame < n/4); round++ {
		setup := killSetup(uint64(round))
		h.await(t, len(killSpecs))
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		h.followOn(t, event, time.Duration(random.IntN(500))*time.Millisecond)
		before, after := h.killAndResume(t, event, len(killSpecs))
		compareGames(t, expectedGames(t, inProcess(setup)), after)
		if n := finished(before); n < len(after) && len(before) > 0 {
			inTheMiddle++
		}
		if resumedMidGame(before) {
			midGame++
		}
	}
	t.Logf("%d of %d kills (seed %d) fell in the middle of an event, %d left journalled plies of unfinished games", inTheMiddle, n, seed, midGame)
	if midGame < n/4 {
		t.Errorf("only %d kills left journalled plies of unfinished games", midGame)
	}
	if inTheMiddle < n*2/3 {
		t.Errorf("only %d of %d kills fell in the middle of an event", inTheMiddle, n)
	}
}

// Games inside the arena on a small board begin and end between two writes of the journal. After a
// kill, all that the arena has told about are on record.
func TestKilledDuringQuickGames(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	const seed = 2049
	random := rand.New(rand.NewPCG(seed, 9))
	n, inTheMiddle, atOnce := howOften(t), 0, 0
	for round := 0; round < n || round < 5*n && inTheMiddle < n/2; round++ {
		setup := quickSetup(uint64(round))
		h.await(t, 0)
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		told := h.followOn(t, event, time.Duration(random.IntN(200))*time.Millisecond)
		before, after := h.killAndResume(t, event, 0)
		compareGames(t, expectedGames(t, setup), after)
		if finished(before) < told {
			t.Fatalf("round %d: %d games are on record, the arena had told of %d", round, finished(before), told)
		}
		if n := finished(before); n > 0 && n < len(after) {
			inTheMiddle++
		}
		atOnce += finished(before)
	}
	t.Logf("%d of %d kills (seed %d) fell in the middle of an event, after %d games in all", inTheMiddle, n, seed, atOnce)
	if inTheMiddle < n/2 {
		t.Errorf("only %d of %d kills fell in the middle of an event", inTheMiddle, n)
	}
}

// followOn follows an event until a game has ended, and for some time more, or until it is over. It returns the number
// of ended games that the arena told of last.
func (h *host) followOn(t *testing.T, event int64, d time.Duration) (told int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := h.client.Follow(ctx, event, func(p server.Progress) {
		if told == 0 && p.Done > 0 {
			time.AfterFunc(d, cancel)
		}
		told = p.Done
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return told
}

// killAndResume kills the arena, starts it again with that number of bots, and lets it play the event to its end. No
// game that was on disk after the kill may be lost or changed. It returns the games on disk after the kill, and at the
// end.
func (h *host) killAndResume(t *testing.T, event int64, bots int) (before, after map[gameName]record.Record) {
	t.Helper()
	h.server.Kill()
	before = h.games(t, event)
	h.serve(t)
	h.await(t, bots)
	if err := h.client.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.State != server.Finished {
		t.Fatalf("after the resume event %d is %s: %s %v", event, last.State, last.Message, err)
	}
	after = h.games(t, event)
	compareGames(t, before, after)
	compareTimes(t, before, after)
	compareSearches(t, before, after)
	h.verify(t, event, len(after))
	return before, after
}

// killSetup returns an event that takes about a second. Its seed alone determines
// the games.
func killSetup(seed uint64) tournament.Event {
	return tournament.Event{
		Size: rules.Full, Seed: seed, Matches: 6, Concurrency: 4, Clock: tournament.Clock{PerMove: 10 * time.Second},
		Bots: []string{"ann", "bob", "cid"}, Search: true,
	}
}

// quickSetup returns an event of very short games inside the arena's process.
func quickSetup(seed uint64) tournament.Event {
	setup := killSetup(seed)
	setup.Size, setup.Matches = rules.Size{Width: 2, Height: 2}, 100
	return inProcess(setup)
}

// inProcess returns the event with the arena's own bots of the same names.
func inProcess(setup tournament.Event) tournament.Event {
	setup.InProcess, setup.Bots = true, slices.Clone(setup.Bots)
	for i, name := range setup.Bots {
		setup.Bots[i] = name + "=" + killSpecs[name]
	}
	return setup
}

var killSpecs = map[string]string{"ann": "random", "bob": "greedy", "cid": "mcts:playouts=1"}

// followFor follows an event for some time, or until it is over.
func (h *host) followFor(t *testing.T, event int64, d time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	_, _ = h.client.Follow(ctx, event, func(server.Progress) {}) // ends with the time, or with the event
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

// compareGames checks that every game of the first set continued as it had begun, and without a fault.
func compareGames(t *testing.T, before, after map[gameName]record.Record) {
	t.Helper()
	compareMoves(t, before, after)
	for name := range before {
		if a := after[name]; a.Ending != record.Mate {
			t.Fatalf("match %d game %d ended by %s: %s", name.match, name.leg, a.Ending, a.Detail)
		}
	}
}

// compareMoves checks that every game of the first set continued as it had begun: a
// finished one is the same, one in progress has the same moves so far.
func compareMoves(t *testing.T, before, after map[gameName]record.Record) {
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
	}
}

// compareTimes checks that the games continued from their journal: a game that started again would have other times.
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

// expectedGames plays an event of the arena's own bots in this process, undisturbed.
func expectedGames(t *testing.T, setup tournament.Event) map[gameName]record.Record {
	t.Helper()
	db := t.TempDir() + "/expected.db"
	a, err := hosting.OpenLocal(t.Context(), db, hosting.Terms{Grace: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	event, err := a.Client.Start(t.Context(), setup)
	if err == nil {
		_, err = a.Client.Follow(t.Context(), event, func(server.Progress) {})
	}
	if err := errors.Join(err, a.Close()); err != nil {
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
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	for _, kind := range playedFormats() {
		h.serve(t)
		event := h.killInside(t, formatSetup(kind))
		h.serve(t)
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		got := h.standings(t, event)
		event, err := h.client.Start(t.Context(), formatSetup(kind))
		if err != nil {
			t.Fatal(err)
		}
		if want := h.standings(t, event); !reflect.DeepEqual(got, want) || len(want.Places) < 2 {
			t.Errorf("%s: standings\n%+v\nwant\n%+v", kind, got, want)
		}
		h.server.Kill()
	}
}

// killInside starts an event and kills the arena in the middle of it. If the event is over before, another one is
// started.
func (h *host) killInside(t *testing.T, setup tournament.Event) (event int64) {
	t.Helper()
	for range 10 {
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		killed := false
		_, err = h.client.Follow(t.Context(), event, func(p server.Progress) {
			if p.Done >= 2 && !killed && !p.State.Ended() {
				h.server.Kill()
				killed = true
			}
		})
		if killed {
			return event
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s is over each time before the arena can be killed", setup.Settings.Plan.Kind)
	return 0
}

// playedFormats returns the formats that tests play: under the race detector the first of them.
func playedFormats() []string {
	names := tournament.Formats()
	return names[:min(mostFormats, len(names))]
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
	case tournament.Gauntlet, tournament.Knockout:
		s.Matches = 3
	case tournament.Ladder:
		s.Matches = 5
	case tournament.Placement:
		s.Matches = 10 // in all
	case tournament.SPRT:
		s.Bots, s.Matches = s.Bots[:2], 0
		s.Settings.Plan.SPRT.Elo1 = 100
	}
	return s
}
