package tournament_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// runs plays an event with one game at a time, with several at a time, and with interruptions, and returns each run's
// games. with may change the bots of a run before they play. It may be nil.
func runs(t *testing.T, e tournament.Event, with func(*tournament.Runner)) [][]tournament.Game {
	t.Helper()
	run := func(concurrency int, journal *memory, watcher tournament.Watcher, ctx context.Context) ([]tournament.Game, error) {
		e.Concurrency = concurrency
		r := newRunner(e, journal, concurrency)
		r.Watcher = watcher
		if with != nil {
			with(r)
		}
		return play(ctx, r)
	}
	var all [][]tournament.Game
	for _, concurrency := range []int{1, 7} {
		games, err := run(concurrency, newMemory(), nil, t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, games)
	}
	for plies := 3; plies < 60; plies += 8 {
		journal := newMemory()
		for stopped := true; stopped; {
			ctx, cancel := context.WithCancel(t.Context())
			games, err := run(3, journal, &stopper{n: plies, stop: cancel}, ctx)
			cancel()
			stopped = errors.Is(err, tournament.ErrInterrupted)
			if !stopped && err != nil {
				t.Fatal(err)
			}
			if !stopped {
				all = append(all, games)
			}
		}
	}
	return all
}

// endings returns the ending of each game, by match and leg.
func endings(games []tournament.Game) map[gameKey]record.Ending {
	all := map[gameKey]record.Ending{}
	for _, g := range games {
		all[keyOf(&g)] = g.Record.Ending
	}
	return all
}

// count returns how many of the games have the ending.
func count(games []tournament.Game, ending record.Ending) (n int) {
	for _, g := range games {
		if g.Record.Ending == ending {
			n++
		}
	}
	return n
}

func TestEarlyDecisionIsReproducible(t *testing.T) {
	e := smallEvent(3, 4, 1)
	plain := runs(t, e, nil)[0]
	e.Settings.Adjudication.EarlyDecision = true
	all := runs(t, e, nil)
	if n := count(all[0], record.Decided); n == 0 || n == len(all[0]) {
		t.Fatalf("%d of %d games were decided early: the test wants some", n, len(all[0]))
	}
	for i, games := range all {
		if !reflect.DeepEqual(moves(games), moves(all[0])) || !reflect.DeepEqual(endings(games), endings(all[0])) {
			t.Errorf("run %d has other games", i)
		}
	}
	// Every match has the winner that it would have had, and first games are played out.
	whole := tournament.Matches(plain)
	for i, m := range tournament.Matches(all[0]) {
		if m.Outcome != whole[i].Outcome || m.By != whole[i].By || m.Legs[0] != whole[i].Legs[0] {
			t.Errorf("match %d: %+v, played out %+v", m.Match, m, whole[i])
		}
		if m.Legs[1].Ending == record.Decided && (m.Scored() || m.Outcome != tournament.SecondWins || m.Legs[1].Score > whole[i].Legs[1].Score) {
			t.Errorf("match %d decided early: %+v", m.Match, m)
		}
	}
}

func TestOpenings(t *testing.T) {
	e := smallEvent(3, 6, 1)
	e.Settings.Openings = tournament.Openings{Starts: []string{"2,0,0/0,2,0 D 0 9", "0,4,0/0,2,0 A 4 6"}}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	all := runs(t, e, nil)
	for i, games := range all {
		if !reflect.DeepEqual(moves(games), moves(all[0])) {
			t.Errorf("run %d has other games", i)
		}
	}
	type pair [2]string
	of := map[pair]map[string]int{} // games of two bots from each start, by the defender
	for _, g := range all[0] {
		names := pair{min(g.First, g.Second), max(g.First, g.Second)}
		if of[names] == nil {
			of[names] = map[string]int{}
		}
		of[names][g.Record.Start.String()+" "+g.Record.Defender]++
		if _, err := g.Record.Replay(); err != nil {
			t.Error(err)
		}
	}
	if len(of) != 3 {
		t.Errorf("%d pairs of bots have played, want 3", len(of))
	}
	// Six matches are three pairs: the first opening twice, the second once.
	for names, starts := range of {
		for _, name := range names {
			if a, b := starts[e.Settings.Openings.Starts[0]+" "+name], starts[e.Settings.Openings.Starts[1]+" "+name]; a != 4 || b != 2 || len(starts) != 4 {
				t.Errorf("%v: %v", names, starts)
			}
		}
	}
	for _, g := range all[0] {
		for _, h := range all[0] {
			if g.Match == h.Match && g.Record.Start != h.Record.Start {
				t.Errorf("the games of match %d start from different positions", g.Match)
			}
		}
	}
}

func TestRunnerRejectsOpeningsOfAnotherSize(t *testing.T) {
	e := smallEvent(2, 1, 1)
	e.Settings.Openings.Starts = []string{"2,0/0,2 D"}
	if err := newRunner(e, newMemory(), 1).Run(t.Context()); err == nil {
		t.Error("no error for an opening of another size")
	}
}

// asJSON returns the crosstable as clients receive it.
func asJSON(t *testing.T, c report.Crosstable) string {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
