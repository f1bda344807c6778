package farm

import (
	"context"
	"slices"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

// The measurement of speed: a search of fixed size from the empty board. (Stockfish's fishtest measures its machines
// in this way.) The search is repeated, and the fastest time counts, since other programs can only slow it down.
const (
	speedSpec     = "mcts:playouts=2000,threads=1"
	speedPlayouts = 2000
	speedTries    = 4
)

// MeasureSpeed returns the number of playouts a second that one core of this machine makes in a search. It returns 0 if
// ctx ends before the first search does. It takes some 100 ms.
func MeasureSpeed(ctx context.Context) float64 {
	spec, err := players.Parse(speedSpec)
	if err != nil {
		return 0 // never: a test parses speedSpec
	}
	best := 0.0
	for range speedTries {
		began := time.Now()
		_, err := spec.New(players.Game{Seed: 1}).Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full))
		if took := time.Since(began); err == nil && ctx.Err() == nil {
			best = max(best, speedPlayouts/took.Seconds())
		}
	}
	return best
}

// mostSlowness is the largest factor for times, and its reciprocal the smallest one. Speeds that give a larger or
// smaller factor were not measured rightly.
const mostSlowness = 10.0

// slowness returns the time of the worker's machine for a playout, divided by the time of the arena's machine, within
// the bounds of mostSlowness. It returns 1 if a speed is unknown, and in an event without limits of time.
func slowness(e tournament.Event, arena, worker float64) float64 {
	timed := func(entry tournament.Entry) bool {
		spec, err := players.ParseClosed(entry.Spec)
		return err == nil && spec.Within(e.Settings.Budget).Timed()
	}
	if arena <= 0 || worker <= 0 || e.Clock == (tournament.Clock{}) && !slices.ContainsFunc(e.Entries, timed) {
		return 1
	}
	return min(max(arena/worker, 1/mostSlowness), mostSlowness)
}

func longer(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * factor)
}

// slowed returns the games that a worker is to play, with all times multiplied by slow: the times of the clock, the
// times in the specs of bots, and the times of the plies so far, which count against the clock.
func (s matchWork) slowed(slow float64) tournament.MatchWork {
	out := tournament.MatchWork{Event: s.Event, Target: s.Target}
	e := &out.Event
	e.ID, e.Entries = s.ID, slices.Clone(e.Entries)
	e.Clock.PerMove, e.Clock.Base, e.Clock.Increment = longer(e.Clock.PerMove, slow), longer(e.Clock.Base, slow), longer(e.Clock.Increment, slow)
	for i := range e.Entries {
		if spec, err := players.ParseClosed(e.Entries[i].Spec); err == nil && spec.Timed() {
			e.Entries[i].Spec = spec.Slowed(slow).String()
		}
	}
	for _, g := range s.Games {
		g.Record.Times = slices.Clone(g.Record.Times)
		for i, t := range g.Record.Times {
			g.Record.Times[i] = longer(t, slow)
		}
		out.Games = append(out.Games, tournament.Game{ID: g.ID, Pairing: g.Pairing, Leg: g.Leg, Record: g.Record})
	}
	return out
}
