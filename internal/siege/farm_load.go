package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

// farmLoad measures the resources that an arena with a farm needs for a crowd of workers: first while they wait
// for work, then while they play with bots that use hardly any processor time.
type farmLoad struct {
	arena   string // the program; "" to build it
	workers int
	pause   time.Duration // before each move of the bots
	time    time.Duration // of each phase
}

// farmLoadReport is the result of a farmLoad.
type farmLoadReport struct {
	Workers int      `json:"workers"`
	Pause   float64  `json:"pause_ms"` // before each move
	Alone   farmCost `json:"alone"`    // before the workers connect
	Idle    farmCost `json:"idle"`     // while the workers wait
	Playing farmCost `json:"playing"`
	// Possible is the number of games a minute that the arena's process could take with a processor of its own.
	Possible float64  `json:"games_per_minute_of_processor_time"`
	Begun    float64  `json:"event_of_a_million_matches_begins_ms"` // until the arena has answered the start request
	Games    int      `json:"games"`                                // finished in all
	Database int64    `json:"database_bytes"`
	Streams  int64    `json:"streams_bytes"`
	Lost     []string `json:"lost"` // games that a bot lost by a fault
}

// farmCost has the games of a phase, and the resources that they needed.
type farmCost struct {
	Seconds        float64 `json:"seconds"`
	Games          int     `json:"games"`
	Plies          int64   `json:"plies"`
	GamesPerMinute float64 `json:"games_per_minute"`
	// Arena and Crowd are seconds of processor time, of the arena's process and of the process of all workers.
	Arena float64 `json:"arena_processor_seconds"`
	Crowd float64 `json:"workers_processor_seconds"`
	Bytes float64 `json:"arena_resident_bytes"` // at the end
}

// run measures. It returns an error if the arena or the workers fail, or if the system does not report the
// resources of a process.
func (l farmLoad) run(ctx context.Context) (r farmLoadReport, err error) {
	flags, err := l.flags()
	if err != nil {
		return r, err
	}
	f, err := newFarmArena(ctx, l.arena, flags...)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	r.Workers, r.Pause = l.workers, float64(l.pause.Microseconds())/1e3
	if r.Alone, err = l.watch(f, 0); err != nil {
		return r, err
	}
	if err := f.crowd(l.workers, l.pause); err != nil {
		return r, err
	}
	wait(ctx, l.time/4) // until the workers have settled
	if r.Idle, err = l.watch(f, 0); err != nil {
		return r, err
	}
	asked := time.Now()
	event, err := f.client.Start(ctx, tournament.Event{Bots: l.bots(), Size: rules.Full, Matches: 1_000_000, Concurrency: 1, Seed: 7})
	if err != nil {
		return r, err
	}
	r.Begun = float64(time.Since(asked).Microseconds()) / 1e3
	wait(ctx, l.time/4)
	if r.Playing, err = l.watch(f, event); err != nil {
		return r, err
	}
	r.Possible = 60 * ratio(float64(r.Playing.Games), r.Playing.Arena)
	if r.Streams, err = bytesBelow(f.db() + ".farm"); err != nil {
		return r, err
	}
	if err := f.stop(); err != nil {
		return r, err
	}
	if r.Database, err = bytesBelow(f.db()); err != nil {
		return r, err
	}
	r.Games, r.Lost, err = f.gamesAndFaults()
	return r, err
}

// bots returns the bots of the event. Without a pause they are bots of the arena's program.
func (l farmLoad) bots() []string {
	if l.pause > 0 {
		return []string{"ann", "bob"}
	}
	return []string{"ann=random", "bob=random"}
}

// flags returns flags of the arena. With a pause, the arena knows the bots as programs, but the crowd plays in their
// place.
func (l farmLoad) flags() (flags []string, err error) {
	if l.pause == 0 {
		return nil, nil
	}
	self, err := os.Executable()
	flags = append(flags, "--farm-exec")
	for _, name := range l.bots() {
		flags = append(flags, "--bot", fmt.Sprintf("%s=exec:%s slow-bot --pause %v", name, self, l.pause))
	}
	return flags, err
}

// watch measures a phase. event is the event that is played meanwhile, 0 for none.
func (l farmLoad) watch(f *farmArena, event int64) (c farmCost, err error) {
	before, err := f.figures(event)
	if err != nil {
		return c, err
	}
	wait(f.ctx, l.time)
	after, err := f.figures(event)
	if err != nil {
		return c, err
	}
	c = farmCost{
		Seconds: after.Seconds - before.Seconds, Games: after.Games - before.Games, Plies: after.Plies - before.Plies,
		Arena: after.Arena - before.Arena, Crowd: after.Crowd - before.Crowd, Bytes: after.Bytes,
	}
	c.GamesPerMinute = 60 * ratio(float64(c.Games), c.Seconds)
	fmt.Fprintf(os.Stderr, "%.0f s: %.0f games a minute, %.1f s of the arena's processor time and %.1f s of the workers', %.0f MiB\n", c.Seconds, c.GamesPerMinute, c.Arena, c.Crowd, c.Bytes/(1<<20))
	return c, f.ctx.Err()
}
