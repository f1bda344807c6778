package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/internal/siege/share"
	"versus2048/internal/siege/stranger"
)

// raid is an attack by a process of strangers, within the attackers' share of the processor.
type raid struct {
	command *exec.Cmd
	answers bytes.Buffer
}

// newRaid starts a command of siege as attackers.
func newRaid(ctx context.Context, limit *share.Limit, args ...string) (*raid, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := &raid{command: exec.CommandContext(ctx, self, args...)}
	r.command.Stdout, r.command.Stderr = &r.answers, os.Stderr
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	if err := limit.Add(r.command.Process.Pid); err != nil {
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
				t := stranger.NewTally()
				stranger.Keep(c.Context, c.String("server"), c.String("method"), c.Args().Slice(), c.Int("connections"), t)
				return print(t, nil)
			},
		},
		{
			Name: "visit", Usage: "play against champion as visitors until interrupted", Hidden: true,
			Flags: []cli.Flag{server, &cli.IntFlag{Name: "visitors", Required: true}},
			Action: func(c *cli.Context) error {
				t := stranger.NewTally()
				stranger.Visit(c.Context, c.String("server"), c.Int("visitors"), t)
				return print(t, nil)
			},
		},
	}
}

// keepArgs are the arguments of keep.
func keepArgs(server, method string, connections int, requests []string) []string {
	return append([]string{"keep", "--server", server, "--method", method, "--connections", strconv.Itoa(connections)}, requests...)
}
