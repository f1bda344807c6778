package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// farmFaults plays events on a farm while its processes are killed, its network is interrupted, and its disk is full.
// It compares the games with the games of the same events in one process.
type farmFaults struct {
	arena     string        // the program; "" to build it
	kills     int           // in all
	partition time.Duration // how long the network is interrupted
	matches   int           // of each two bots in an event
	seed      uint64        // of the random faults and their times, and of the games
	only      []string      // the names of the stages
}

// farmFaultsReport is the result of a farmFaults.
type farmFaultsReport struct {
	Seed   uint64       `json:"seed"`
	Stages []faultStage `json:"stages"`
}

// faultStage is the result of a stage, which has one kind of faults.
type faultStage struct {
	Name    string         `json:"name"`
	Seconds float64        `json:"seconds"`
	Events  int            `json:"events"`
	Games   int            `json:"games"`
	Kills   map[string]int `json:"kills,omitempty"` // by the kind of process
	// Wrong lists each difference from the undisturbed events, and each failure of arena verify.
	Wrong []string `json:"wrong"`
}

// The stages, in their order.
const (
	embeddedKills = "embedded"  // kills, the NATS server in the arena's process
	apartKills    = "apart"     // kills, the NATS server in a process of its own, workers on both sides of a link
	partition     = "partition" // nothing arrives from some workers for a while
	slowLink      = "slow"      // a link with delays that loses packets
	fullDisk      = "disk"      // the arena's disk becomes full
)

// stageNames returns the names of all stages.
func stageNames() []string { return []string{embeddedKills, apartKills, partition, slowLink, fullDisk} }

// stage goes through the named stage, with a farm of its own.
func (m farmFaults) stage(ctx context.Context, name string) (faultStage, error) {
	switch name {
	case embeddedKills:
		return m.kill(ctx, name, false, m.kills/2)
	case apartKills:
		return m.kill(ctx, name, true, m.kills-m.kills/2)
	case partition:
		return m.cutLink(ctx)
	case slowLink:
		return m.slow(ctx)
	case fullDisk:
		return m.fill(ctx)
	}
	return faultStage{}, fmt.Errorf("want one of %s", strings.Join(stageNames(), ", "))
}

// run goes through the stages. It returns an error if a fault could not be made, or if games differ.
func (m farmFaults) run(ctx context.Context) (r farmFaultsReport, err error) {
	r.Seed = m.seed
	for _, name := range m.only {
		began := time.Now()
		s, err := m.stage(ctx, name)
		s.Seconds = time.Since(began).Seconds()
		r.Stages = append(r.Stages, s)
		fmt.Fprintf(os.Stderr, "%s: %d events, %d games, %v kills, %d wrong\n", s.Name, s.Events, s.Games, s.Kills, len(s.Wrong))
		if err != nil {
			return r, fmt.Errorf("stage %s: %w", name, err)
		}
	}
	return r, nil
}

// farmSetup describes the network and the disk of a farm.
type farmSetup struct {
	linked bool // workers are on both sides of a link, and the NATS server has a process of its own
	small  bool // the arena's database has a small disk of its own
}

// withFarm makes a farm for a stage, calls play with it, and compares the games afterwards.
func (m farmFaults) withFarm(ctx context.Context, s *faultStage, setup farmSetup, play func(*faultyFarm) error) (err error) {
	f, err := newFaultyFarm(ctx, m, setup)
	if err != nil {
		return err
	}
	defer func() {
		f.failed = f.failed || err != nil || len(s.Wrong) > 0
		err = errors.Join(err, f.close())
	}()
	s.Kills, s.Wrong = map[string]int{}, []string{}
	if err = play(f); err == nil {
		err = f.judge(s)
	}
	if err == nil && len(s.Wrong) > 0 {
		err = fmt.Errorf("%d differences: %s", len(s.Wrong), s.Wrong[0])
	}
	if err != nil {
		err = fmt.Errorf("%w; the logs are in %s", err, f.folder)
	}
	return err
}

// kill kills processes while one event after the other is played.
func (m farmFaults) kill(ctx context.Context, name string, linked bool, kills int) (faultStage, error) {
	s := faultStage{Name: name}
	err := m.withFarm(ctx, &s, farmSetup{linked: linked}, func(f *faultyFarm) error {
		for left := kills; left > 0; {
			err := f.play(func() error {
				if left == 0 {
					return nil
				}
				left--
				wait(ctx, time.Duration(100+f.random.IntN(400))*time.Millisecond)
				kind, err := f.killOne()
				s.Kills[kind]++
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return s, err
}

// cutLink lets no packet pass the link for a while. This cuts off the workers on the other side; the others go on.
func (m farmFaults) cutLink(ctx context.Context) (faultStage, error) {
	s := faultStage{Name: partition}
	err := m.withFarm(ctx, &s, farmSetup{linked: true}, func(f *faultyFarm) error {
		done := false
		err := f.play(func() error {
			if done {
				return nil
			}
			done = true
			f.link.set(condition{loss: 1})
			wait(ctx, m.partition)
			f.link.set(condition{})
			return nil
		})
		if err != nil {
			return err
		}
		return f.play(nil) // an event of all workers again
	})
	return s, err
}

// slow plays across a slow link that loses packets.
func (m farmFaults) slow(ctx context.Context) (faultStage, error) {
	s := faultStage{Name: slowLink}
	err := m.withFarm(ctx, &s, farmSetup{linked: true}, func(f *faultyFarm) error {
		f.link.set(condition{delay: 100 * time.Millisecond, loss: 0.02})
		for _, near := range f.workers[:nearWorkers] {
			near.stop()
		}
		return f.play(nil)
	})
	return s, err
}

// fill fills the arena's disk while an event is played: the event fails, and is resumed when there is room.
func (m farmFaults) fill(ctx context.Context) (faultStage, error) {
	s := faultStage{Name: fullDisk}
	err := m.withFarm(ctx, &s, farmSetup{small: true}, func(f *faultyFarm) error {
		filled := false
		return f.play(func() error {
			if filled {
				return nil
			}
			filled = true
			f.failing = true
			if err := f.fillDisk(); err != nil {
				return err
			}
			if err := f.await(f.hasFailed); err != nil {
				return err
			}
			return f.freeDisk()
		})
	})
	return s, err
}

// newRandom returns the source of the random faults and their times.
func (m farmFaults) newRandom() *rand.Rand { return rand.New(rand.NewPCG(m.seed, 17)) }
