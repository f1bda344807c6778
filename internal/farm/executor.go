package farm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"versus2048/players"
	"versus2048/tournament"
)

// Executor plays the matches of one event on a farm. It implements tournament.Elsewhere.
type Executor struct {
	farm    *Coordinator
	changed <-chan struct{}
	leave   func()
	open    sync.WaitGroup // matches that are played or checked
	waiting atomic.Int32   // matches that wait for a check

	mu     sync.Mutex
	files  map[string]File    // the files of its bots, by path; they do not change while the event is played
	parts  map[int64][]string // the workers of each game in progress, and of finished ones that had several
	aside  map[string]string  // its workers that are set aside, with the reasons
	broken chan struct{}      // closed when aside has some
}

// Executor returns an Executor for one event. The caller must close it.
func (c *Coordinator) Executor() *Executor {
	v := &Executor{farm: c, files: map[string]File{}, parts: map[int64][]string{}, aside: map[string]string{}, broken: make(chan struct{})}
	v.changed, v.leave = c.cards.follow()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.executors[v] = map[string]bool{}
	return v
}

// Close ends the Executor and withdraws the files of its bots.
func (v *Executor) Close() {
	v.leave()
	for _, f := range v.files {
		v.farm.Withdraw(f)
	}
	v.farm.mu.Lock()
	defer v.farm.mu.Unlock()
	delete(v.farm.executors, v)
}

// Takes implements tournament.Elsewhere.
func (v *Executor) Takes(entries ...tournament.Entry) bool { return v.farm.Takes(entries...) }

// Takes reports whether workers can make the bots: they have specs, or are programs that workers run.
func (c *Coordinator) Takes(entries ...tournament.Entry) bool {
	return !slices.ContainsFunc(entries, func(e tournament.Entry) bool {
		if e.Spec == "" {
			return c.config.Programs[e.Name] == nil
		}
		_, err := players.ParseClosed(e.Spec)
		return err != nil
	})
}

// Room returns the number of matches to give out at once, at least 1: as many as the workers play, and a quarter
// more, so that no worker waits for its next match. Matches that wait for a check are subtracted.
func (v *Executor) Room() int {
	games := v.farm.cards.games()
	return max(1, games+max(1, games/4)-int(v.waiting.Load()))
}

// Changed implements tournament.Elsewhere.
func (v *Executor) Changed() <-chan struct{} { return v.changed }

// Play implements tournament.Executor: it gives the games to a worker, and to another one if the first stays silent for
// the lease. It returns a *tournament.DistrustError if a worker that has played games of the event is set aside, and
// tournament.ErrInterrupted if ctx ends.
func (v *Executor) Play(ctx context.Context, s tournament.MatchWork, d tournament.Recorder) error {
	v.open.Add(1)
	defer v.open.Done()
	m := &match{assignment: assignment{farm: v.farm}, executor: v, work: s, recorder: d}
	var err error
	if m.files, err = v.stock(ctx, m.entries()); ctx.Err() != nil {
		return tournament.ErrInterrupted
	}
	if err != nil {
		return err
	}
	return m.play(ctx)
}

// stock publishes the files of bots. It publishes the file of each path once in the life of the Executor.
func (v *Executor) stock(ctx context.Context, entries []tournament.Entry) (stock, error) {
	all := stock{}
	for bot, options := range filesOf(entries) {
		for option, path := range options {
			f, err := v.publish(ctx, path)
			if err != nil {
				return nil, fmt.Errorf("bot %q: %w", bot, err)
			}
			if all[bot] == nil {
				all[bot] = map[string]File{}
			}
			all[bot][option] = f
		}
	}
	return all, nil
}

func (v *Executor) publish(ctx context.Context, path string) (File, error) {
	v.mu.Lock()
	f, ok := v.files[path]
	v.mu.Unlock()
	if ok {
		return f, nil
	}
	f, err := v.farm.Publish(ctx, path)
	if err != nil {
		return f, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if first, ok := v.files[path]; ok { // another match has published it meanwhile
		v.farm.Withdraw(f)
		return first, nil
	}
	v.files[path] = f
	return f, nil
}

// takesPart notes that a worker plays some of the games.
func (v *Executor) takesPart(worker string, games []tournament.Game) {
	v.mu.Lock()
	for _, g := range games {
		if !slices.Contains(v.parts[g.ID], worker) {
			v.parts[g.ID] = append(v.parts[g.ID], worker)
		}
	}
	v.mu.Unlock()
	v.meets(worker)
}

// Settle waits until all checks of the event's matches are over. It returns a *tournament.DistrustError if a
// worker that has played games of the event is set aside, or tournament.ErrInterrupted if ctx ends.
func (v *Executor) Settle(ctx context.Context) error {
	over := make(chan struct{})
	go func() { v.open.Wait(); close(over) }()
	select {
	case <-over:
	case <-v.broken:
	case <-ctx.Done():
		return tournament.ErrInterrupted
	}
	return v.Met()
}

// Unchecked returns the reason why matches with a bot of an event cannot be checked, "" if they can.
func (v *Executor) Unchecked(e tournament.Event, entry tournament.Entry) string {
	return v.farm.Unchecked(e, entry)
}

// Met notes workers that have played games of the event before. It returns a *tournament.DistrustError if one of the
// Executor's workers is set aside.
func (v *Executor) Met(workers ...string) error {
	v.meets(workers...)
	select {
	case <-v.broken:
		return v.distrust()
	default:
		return nil
	}
}

// meets notes that workers have done some of the work for this Executor.
func (v *Executor) meets(workers ...string) {
	v.farm.mu.Lock()
	defer v.farm.mu.Unlock()
	aside := map[string]string{}
	for _, worker := range workers {
		v.farm.executors[v][worker] = true
		if why := v.farm.aside[worker]; why != "" {
			aside[worker] = why
		}
	}
	v.breakUp(aside)
}

// ended notes that a game is on record. The record has the worker that ended it, so parts keeps only games of several
// workers.
func (v *Executor) ended(game int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.parts[game]) == 1 {
		delete(v.parts, game)
	}
}

// breakUp notes workers that have played some of the Executor's games and are set aside, with the reasons. If there
// are any, it ends all games.
func (v *Executor) breakUp(aside map[string]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.aside) == 0 && len(aside) > 0 {
		close(v.broken)
	}
	maps.Copy(v.aside, aside)
}

// distrust returns the Executor's workers that are set aside, and the games that they play now or have played in part.
// The record names the worker of each other game.
func (v *Executor) distrust() *tournament.DistrustError {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := &tournament.DistrustError{Workers: maps.Clone(v.aside)}
	for game, workers := range v.parts {
		if slices.ContainsFunc(workers, func(worker string) bool { return v.aside[worker] != "" }) {
			d.Games = append(d.Games, game)
		}
	}
	return d
}
