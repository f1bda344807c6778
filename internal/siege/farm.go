package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"time"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/tournament"
)

// farmLoad measures what a crowd of workers costs an arena with a farm: first while they wait for work, then while they
// play with bots that cost nothing.
type farmLoad struct {
	arena   string // the program; "" to build it
	workers int
	time    time.Duration // of each phase
}

// farmLoadReport is the result of a farmLoad.
type farmLoadReport struct {
	Workers int      `json:"workers"`
	Alone   farmCost `json:"alone"` // before the workers come
	Idle    farmCost `json:"idle"`
	Playing farmCost `json:"playing"`
	// Possible is how many games a minute the arena's process could take if it had one processor for itself.
	Possible float64  `json:"games_per_minute_of_processor_time"`
	Games    int      `json:"games"` // finished in all
	Lost     []string `json:"lost"`  // games that a bot lost by a fault
}

// farmCost is what happens in a phase, and what that costs.
type farmCost struct {
	Seconds        float64 `json:"seconds"`
	Games          int     `json:"games"`
	Plies          int64   `json:"plies"`
	GamesPerMinute float64 `json:"games_per_minute"`
	// Arena and Crowd are seconds of processor time, of the arena's process and of that of all workers.
	Arena float64 `json:"arena_processor_seconds"`
	Crowd float64 `json:"workers_processor_seconds"`
	Bytes float64 `json:"arena_resident_bytes"` // at the end
}

// run measures. It returns an error if the arena or the workers fail, or if the system does not say what a process uses.
func (l farmLoad) run(ctx context.Context) (r farmLoadReport, err error) {
	f, err := newFarmFortress(ctx, l.arena)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	r.Workers = l.workers
	if r.Alone, err = l.watch(f, 0); err != nil {
		return r, err
	}
	if err := f.crowd(l.workers); err != nil {
		return r, err
	}
	wait(ctx, l.time/4) // what begins settles
	if r.Idle, err = l.watch(f, 0); err != nil {
		return r, err
	}
	event, err := f.client.Start(ctx, tournament.Event{Bots: []string{"ann=random", "bob=random"}, Size: rules.Full, Matches: 1_000_000, Concurrency: 1, Seed: 7})
	if err != nil {
		return r, err
	}
	wait(ctx, l.time/4)
	if r.Playing, err = l.watch(f, event); err != nil {
		return r, err
	}
	r.Possible = 60 * float64(r.Playing.Games) / r.Playing.Arena
	if err := f.stop(); err != nil {
		return r, err
	}
	r.Games, r.Lost, err = f.lost()
	return r, err
}

// watch measures a phase, in which an event may be played; 0 for none.
func (l farmLoad) watch(f *farmFortress, event int64) (c farmCost, err error) {
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
	c.GamesPerMinute = 60 * float64(c.Games) / c.Seconds
	fmt.Fprintf(os.Stderr, "%.0f s: %.0f games a minute, %.1f s of the arena's processor time and %.1f s of the workers', %.0f MiB\n", c.Seconds, c.GamesPerMinute, c.Arena, c.Crowd, c.Bytes/(1<<20))
	return c, f.ctx.Err()
}

// farmFortress is an arena with a farm.
type farmFortress struct {
	*fortress
	client  *arena.Client
	nats    string // where workers find it
	version string // that workers must have
	guests  *exec.Cmd
}

// newFarmFortress starts an arena with a farm, and asks a worker of it for its version.
func newFarmFortress(ctx context.Context, program string) (*farmFortress, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort("127.0.0.1", port)
	inner, err := newFortress(ctx, program, nil, "--farm", "--farm-listen", address)
	if err != nil {
		return nil, err
	}
	f := &farmFortress{fortress: inner, client: &arena.Client{URL: inner.server}, nats: "nats://" + address}
	if f.version, err = f.askVersion(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// askVersion returns the version of a worker that is made of the arena's program.
func (f *farmFortress) askVersion() (string, error) {
	w, err := f.worker("first")
	if err != nil {
		return "", err
	}
	err = f.awaitWorkers(1)
	all, listed := f.client.Workers(f.ctx)
	dismiss(w)
	if err = errors.Join(err, listed); err != nil {
		return "", err
	}
	return all[0].Version, f.awaitWorkers(0)
}

// worker starts a worker's process that plays one match at once.
func (f *farmFortress) worker(name string) (*exec.Cmd, error) {
	return f.start("workers.log", []string{f.program, "worker", "--nats", f.nats, "--games", "1", "--name", name})
}

// dismiss ends a process by force, as by kill -9.
func dismiss(p *exec.Cmd) {
	_ = p.Process.Kill() // it may have exited
	_ = p.Wait()         // likewise
}

// awaitWorkers waits until as many workers are listed.
func (f *farmFortress) awaitWorkers(n int) error {
	err := f.await(func() bool { all, err := f.client.Workers(f.ctx); return err == nil && len(all) == n })
	if err != nil {
		return fmt.Errorf("%d workers do not come: %w", n, err)
	}
	return nil
}

// crowd starts simulated workers in a process of their own.
func (f *farmFortress) crowd(workers int) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if f.guests, err = f.start("workers.log", []string{self, "crowd", "--url", f.nats, "--version", f.version, "--workers", strconv.Itoa(workers)}); err != nil {
		return err
	}
	return f.awaitWorkers(workers)
}

// figures returns what has happened and been used since the start.
func (f *farmFortress) figures(event int64) (c farmCost, err error) {
	if event != 0 {
		now, err := f.client.Status(f.ctx, event)
		if err != nil {
			return c, err
		}
		c.Games, c.Plies = now.Played, now.Plies
	}
	c.Seconds = float64(time.Now().UnixMicro()) / 1e6
	u, err := usageOf(f.arena.Process.Pid)
	if err != nil {
		return c, err
	}
	c.Bytes = u.bytes
	if c.Arena, err = processorTime(f.arena.Process.Pid); err == nil && f.guests != nil {
		c.Crowd, err = processorTime(f.guests.Process.Pid)
	}
	return c, err
}

// close ends all processes.
func (f *farmFortress) close() error {
	if f.guests != nil {
		dismiss(f.guests)
	}
	return f.fortress.close()
}
