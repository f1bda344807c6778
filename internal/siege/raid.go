package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"
)

// raid is an attack by a process of strangers, within the attackers' share of the processor.
type raid struct {
	command *exec.Cmd
	answers bytes.Buffer
}

// newRaid starts a command of siege as attackers.
func newRaid(ctx context.Context, limit *share, args ...string) (*raid, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := &raid{command: exec.CommandContext(ctx, self, args...)}
	r.command.Stdout, r.command.Stderr = &r.answers, os.Stderr
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	if err := limit.add(r.command.Process.Pid); err != nil {
		_, _ = r.end() // the first error counts
		return nil, err
	}
	return r, nil
}

// end ends the attack and returns what the strangers got.
func (r *raid) end() (count map[string]int, err error) {
	if err := r.command.Process.Signal(os.Interrupt); err != nil {
		return nil, err
	}
	if err := r.command.Wait(); err != nil {
		return nil, fmt.Errorf("the attackers: %w", err)
	}
	return count, json.Unmarshal(r.answers.Bytes(), &count)
}

// raiders returns the commands by which siege starts strangers.
func raiders() []*cli.Command {
	server := &cli.StringFlag{Name: "server", Required: true}
	return []*cli.Command{
		{
			Name: "keep", Usage: "send requests over kept connections until interrupted", Hidden: true, ArgsUsage: "REQUEST...",
			Flags: []cli.Flag{server, &cli.StringFlag{Name: "method", Required: true}, &cli.IntFlag{Name: "connections", Required: true}},
			Action: func(c *cli.Context) error {
				t := newTally()
				keep(c.Context, c.String("server"), c.String("method"), c.Args().Slice(), c.Int("connections"), t)
				return print(t.count, nil)
			},
		},
		{
			Name: "visit", Usage: "play against champion as visitors until interrupted", Hidden: true,
			Flags: []cli.Flag{server, &cli.IntFlag{Name: "visitors", Required: true}},
			Action: func(c *cli.Context) error {
				t := newTally()
				visit(c.Context, c.String("server"), c.Int("visitors"), t)
				return print(t.count, nil)
			},
		},
	}
}

// keepArgs are the arguments of keep.
func keepArgs(server, method string, connections int, requests []string) []string {
	return append([]string{"keep", "--server", server, "--method", method, "--connections", strconv.Itoa(connections)}, requests...)
}

// phase is what honest bots did for a while.
type phase struct {
	Speed   float64        `json:"plies_per_second"`
	Lost    int            `json:"lost"`        // games, by a fault
	Memory  int64          `json:"arena_bytes"` // the arena's largest resident set; 0 where it is unknown
	Answers map[string]int `json:"answers,omitempty"`
}

// under measures an event while strangers, whom siege starts with args, do their worst; beside nobody without args.
func (f *fortress) under(d time.Duration, limit *share, args ...string) (p phase, err error) {
	f.forgetMemory()
	before, err := f.status()
	if err != nil {
		return p, err
	}
	if len(args) == 0 {
		p.Speed, err = f.speed(d)
	} else {
		err = p.raided(f, d, limit, args)
	}
	if err != nil {
		return p, err
	}
	p.Memory = f.memory()
	after, err := f.status()
	p.Lost = after.Faults.Games - before.Faults.Games
	return p, err
}

// raided measures the speed of an event during a raid.
func (p *phase) raided(f *fortress, d time.Duration, limit *share, args []string) error {
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
