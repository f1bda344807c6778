package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// network plays a tournament across a link that delays packets, loses them, and carries none for a while. In the last
// phase it leaves the arena with half-open connections: their other ends are gone.
type network struct {
	arena     string // the program; "" to build it
	bots      int
	time      time.Duration // of each phase, besides the partition
	delay     time.Duration
	loss      float64
	partition time.Duration
}

// networkReport is the result of a network.
type networkReport struct {
	Bots      int         `json:"bots"`
	Phases    []linkPhase `json:"phases"`
	Games     int         `json:"games"` // finished
	Lost      []string    `json:"lost"`  // games that a bot lost by a fault
	LogBytes  int64       `json:"log_bytes"`
	Partition float64     `json:"partition_seconds"`
}

// linkPhase is a part of the play under one condition.
type linkPhase struct {
	Name  string  `json:"name"`
	Plies float64 `json:"plies_per_second"`
}

// run plays all phases. It returns an error if the system cannot make such a link, or if the arena fails.
func (n network) run(ctx context.Context) (r networkReport, err error) {
	l, err := newLink()
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	f, err := newTestArena(ctx, n.arena, l)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := f.startEvent(n.bots, eventFile(n.bots, n.bots/2, patientClock)); err != nil {
		return r, err
	}
	r = networkReport{Bots: n.bots, Partition: n.partition.Seconds()}
	for _, phase := range []struct {
		name  string
		begin func() error
	}{
		{"a good link", func() error { l.set(condition{}); return nil }},
		{"delay", func() error { l.set(condition{delay: n.delay}); return nil }},
		{"delay and loss", func() error { l.set(condition{delay: n.delay, loss: n.loss}); return nil }},
		{"partition", func() error { return n.cutLink(f, func() error { return nil }) }},
		{"half-open", func() error { return n.cutLink(f, func() error { return f.replaceBots(n.bots) }) }},
	} {
		speed, err := n.measure(f, phase.begin)
		if err != nil {
			return r, fmt.Errorf("%s: %w", phase.name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %.0f plies a second\n", phase.name, speed)
		r.Phases = append(r.Phases, linkPhase{phase.name, speed})
	}
	if err := f.stop(); err != nil {
		return r, err
	}
	r.Games, r.Lost, err = f.gamesAndFaults()
	r.LogBytes = f.logSize()
	return r, err
}

// cutLink lets no packet arrive for a while, calls during, and lets packets arrive again.
func (n network) cutLink(f *testArena, during func() error) error {
	f.link.set(condition{loss: 1})
	wait(f.ctx, n.partition)
	err := during()
	f.link.set(condition{})
	return err
}

// measure returns the plies a second from the beginning of a phase on.
func (n network) measure(f *testArena, begin func() error) (float64, error) {
	before, err := f.status()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := begin(); err != nil {
		return 0, err
	}
	wait(f.ctx, n.time)
	after, err := f.status()
	return float64(after.Plies-before.Plies) / time.Since(began).Seconds(), errors.Join(err, f.ctx.Err())
}

// replaceBots kills the honest bots and starts them again. It is called while the link carries nothing, so that the
// arena does not learn that the old connections have ended.
func (f *testArena) replaceBots(honest int) error {
	if err := f.honest.Process.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	_ = f.honest.Wait() // it was killed
	return f.connect(honest)
}
