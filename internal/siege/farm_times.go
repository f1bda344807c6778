package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

// farmTimes measures how long the first move of a new worker takes, and how long a match has no move after its worker
// was killed. In each round a worker starts and plays, a second worker starts and has no work, and the first worker is
// killed.
type farmTimes struct {
	arena  string // the program; "" to build it
	rounds int
	seed   uint64        // of the times of the kills
	lease  time.Duration // of the farm: if a worker sends nothing for this long, others get its tasks
}

// farmTimesReport is the result of a farmTimes. All times are in milliseconds.
type farmTimesReport struct {
	First       spread `json:"new_worker_first_move_ms"`   // from the start of its process until the arena has the move
	AfterDeaths spread `json:"death_to_move_elsewhere_ms"` // from the kill until the arena has a move of the other worker
}

// spread is the distribution of some figures.
type spread struct {
	Least  float64   `json:"least"`
	Median float64   `json:"median"`
	Most   float64   `json:"most"`
	All    []float64 `json:"all"` // in the order of their measurement
}

func (s *spread) add(t time.Duration) {
	s.All = append(s.All, float64(t.Microseconds())/1e3)
	sorted := slices.Sorted(slices.Values(s.All))
	s.Least, s.Median, s.Most = sorted[0], sorted[len(sorted)/2], sorted[len(sorted)-1]
}

// run plays all rounds. It returns an error if the arena or a worker fails.
func (m farmTimes) run(ctx context.Context) (r farmTimesReport, err error) {
	f, err := newFarmArena(ctx, m.arena, "--farm-lease", m.lease.String())
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	random := rand.New(rand.NewPCG(m.seed, 0))
	for round := range m.rounds {
		first, quiet, err := f.measureDeath(round, time.Duration(random.Int64N(int64(m.lease/beatsPerLease))))
		if err != nil {
			return r, fmt.Errorf("round %d: %w", round+1, err)
		}
		fmt.Fprintf(os.Stderr, "round %d: first move after %v, played elsewhere after %v\n", round+1, first, quiet)
		r.First.add(first)
		r.AfterDeaths.add(quiet)
	}
	return r, nil
}

// beatsPerLease is the number of times that a worker renews a lease before the lease ends. A worker is killed at any
// time between two renewals.
const beatsPerLease = 4

// measureDeath starts a match without a worker, then a worker, then a second worker, and kills the first worker after
// the given time. It returns how long the first move took, and how long the match had no move after the death.
func (f *farmArena) measureDeath(round int, after time.Duration) (first, quiet time.Duration, err error) {
	event, err := f.client.Start(f.ctx, tournament.Event{
		Bots: []string{"ann=mcts:playouts=20000", "bob=mcts:playouts=20000"}, Size: rules.Full, Matches: 1, Concurrency: 1, Seed: uint64(round),
	})
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	worker, err := f.worker(fmt.Sprintf("first-%d", round))
	if err != nil {
		return 0, 0, err
	}
	defer killProcess(worker)
	if first, err = f.awaitPly(event, 0, began); err != nil {
		return 0, 0, err
	}
	var second *exec.Cmd
	if second, err = f.worker(fmt.Sprintf("second-%d", round)); err != nil {
		return 0, 0, err
	}
	defer killProcess(second)
	if err := f.awaitWorkers(2); err != nil {
		return 0, 0, err
	}
	wait(f.ctx, after)
	killed := time.Now()
	killProcess(worker)
	wait(f.ctx, arrival)
	left, err := f.client.Status(f.ctx, event)
	if err != nil {
		return 0, 0, err
	}
	if quiet, err = f.awaitPly(event, left.Plies, killed); err != nil {
		return 0, 0, err
	}
	return first, quiet, f.clear(event, second)
}

// arrival is how long the last messages of a worker that was killed may take to arrive.
const arrival = 100 * time.Millisecond

// awaitPly waits until an event has more than the given number of plies, for at most a minute from since. It returns
// the time from since to that moment.
func (f *farmArena) awaitPly(event, plies int64, since time.Time) (time.Duration, error) {
	for f.ctx.Err() == nil && time.Since(since) < time.Minute {
		now, err := f.client.Status(f.ctx, event)
		if err != nil {
			return 0, err
		}
		if now.Plies > plies {
			return time.Since(since), nil
		}
		wait(f.ctx, 5*time.Millisecond)
	}
	f.failed = true
	return 0, errors.Join(fmt.Errorf("no ply after the first %d within a minute; the logs are in %s", plies, f.folder), f.ctx.Err())
}

// clear ends an event and the worker that plays it.
func (f *farmArena) clear(event int64, w *exec.Cmd) error {
	if err := f.client.Stop(f.ctx, event); err != nil {
		return err
	}
	killProcess(w)
	return f.awaitWorkers(0)
}
