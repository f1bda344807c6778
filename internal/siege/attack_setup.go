package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"versus2048/internal/siege/stranger"
)

// attackSetup has the settings of attacks by strangers on an arena with honest bots.
type attackSetup struct {
	arena               string // the program; "" to build it
	honest, concurrency int
	perMove             time.Duration // of the honest bots' event
	time                time.Duration // of each phase
	share               float64       // of all processors, for the strangers
}

// The goals: limits to the harm that strangers may do to an event.
const (
	// leastOfQuiet limits the harm by visitors: it is the least speed of an event with visitors, as a share of its
	// speed without them.
	leastOfQuiet = 0.8
	// leastOfBeside limits the harm by requests of strangers. The requests go first to another arena on the machine, and
	// then to the event's own arena. The event must keep this share of its first speed.
	leastOfBeside = 0.5
	mostMemory    = 200_000_000 // of the arena, in bytes
)

// withProgram returns the setup with the arena's program, and a function that removes the program if it was built here.
func (s attackSetup) withProgram(ctx context.Context) (attackSetup, func() error, error) {
	if s.arena != "" {
		return s, func() error { return nil }, nil
	}
	folder, err := os.MkdirTemp("", "siege-")
	if err != nil {
		return s, nil, err
	}
	f := testArena{ctx: ctx, folder: folder}
	if err := f.build(); err != nil {
		return s, nil, errors.Join(err, f.close())
	}
	s.arena = f.program
	return s, f.close, nil
}

// open starts an arena with two events. Event 1 is finished, with the games 1 to 4, and honest bots are playing
// event 2. The bots wait for pause before each move: with a long pause the arena is nearly idle.
func (s attackSetup) open(ctx context.Context, pause time.Duration) (*testArena, error) {
	f, err := newTestArena(ctx, s.arena, nil)
	if err != nil {
		return nil, err
	}
	f.pause = pause
	_, err = f.command("event", "run", "--server", f.server, "--quiet", "--in-process", "--search", "--matches", "2",
		"--bot", "greedy", "--bot", "searcher=mcts:playouts=20")
	if err == nil {
		err = f.startEvent(s.honest, eventFile(s.honest, s.concurrency, max(s.perMove, 10*pause)))
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// phase has the speed and the losses of honest bots for a while.
type phase struct {
	Speed   float64        `json:"plies_per_second"`
	Lost    int            `json:"lost"`              // games that an honest bot lost by a fault
	Memory  int64          `json:"arena_bytes"`       // the arena's largest resident set; 0 where it is unknown
	Answers map[string]int `json:"answers,omitempty"` // to strangers: see stranger.Tally
}

// measureUnder measures an event during an attack by strangers. args are the arguments of siege that start the
// strangers; without args there is no attack.
func (f *testArena) measureUnder(d time.Duration, limit *stranger.Limit, args ...string) (p phase, err error) {
	f.forgetMemory()
	before, err := f.status()
	if err != nil {
		return p, err
	}
	if len(args) == 0 {
		p.Speed, err = f.speed(d)
	} else {
		err = p.measureRaid(f, d, limit, args)
	}
	if err != nil {
		return p, err
	}
	p.Memory = f.memory()
	after, err := f.status()
	p.Lost = after.Faults.Games - before.Faults.Games
	return p, err
}

// measureRaid measures the speed of an event during a raid, and counts the answers.
func (p *phase) measureRaid(f *testArena, d time.Duration, limit *stranger.Limit, args []string) error {
	r, err := newRaid(f.ctx, limit, args...)
	if err != nil {
		return err
	}
	wait(f.ctx, d/4) // until all have connected
	p.Speed, err = f.speed(d)
	answers, ended := r.end()
	p.Answers = answers
	return errors.Join(err, ended)
}

// ratio returns part / whole. It returns 0 if whole is 0, so that no goal is met when nothing happened.
func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// missedGoals describes each missed goal that all attacks share. A busy machine loses games without any attack, so an
// attack may cost no more games than the phase just before it.
func missedGoals(what string, before, attacked phase) (missed []string) {
	if attacked.Lost > before.Lost {
		missed = append(missed, fmt.Sprintf("%s: honest bots lost %d games by a fault, and %d without the attack: want none", what, attacked.Lost, before.Lost))
	}
	if attacked.Memory > mostMemory {
		missed = append(missed, fmt.Sprintf("%s: the arena took %d MB: want at most %d", what, attacked.Memory/1e6, int64(mostMemory/1e6)))
	}
	return missed
}

// missedError returns an error that lists all missed goals.
func missedError(missed []string) error {
	var all error
	for _, m := range missed {
		all = errors.Join(all, errors.New(m))
	}
	return all
}
