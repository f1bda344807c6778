package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/internal/siege/stranger"
)

// raid is a process that attacks as strangers. It has only the attackers' share of the processor.
type raid struct {
	command *exec.Cmd
	input   io.Closer // the process's standard input: the attack ends when this is closed
	answers bytes.Buffer
}

// newRaid starts a command of siege as attackers.
func newRaid(ctx context.Context, limit *stranger.Limit, args ...string) (*raid, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := &raid{command: exec.CommandContext(ctx, self, args...)}
	r.command.Stdout, r.command.Stderr = &r.answers, os.Stderr
	if r.input, err = r.command.StdinPipe(); err != nil {
		return nil, err
	}
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	if err := limit.Add(r.command.Process.Pid); err != nil {
		_, _ = r.end() // the first error counts
		return nil, err
	}
	return r, nil
}

// end ends the attack and returns the counts of the strangers' answers.
func (r *raid) end() (count map[string]int, err error) {
	if err := r.input.Close(); err != nil {
		return nil, err
	}
	if err := r.command.Wait(); err != nil {
		return nil, fmt.Errorf("the attackers: %w", err)
	}
	err = json.Unmarshal(r.answers.Bytes(), &count)
	return count, err
}

// strangerCommands returns the commands that start strangers.
func strangerCommands() []*cli.Command {
	server := &cli.StringFlag{Name: "server", Required: true}
	return []*cli.Command{
		{
			Name: "keep", Usage: "send requests over keep-alive connections until standard input ends", Hidden: true, ArgsUsage: "REQUEST...",
			Flags: []cli.Flag{server, &cli.StringFlag{Name: "method", Required: true}, &cli.IntFlag{Name: "connections", Required: true}},
			Action: func(c *cli.Context) error {
				t := stranger.NewTally()
				stranger.Keep(untilInputEnds(c.Context), c.String("server"), c.String("method"), c.Args().Slice(), c.Int("connections"), t)
				return print(t, nil)
			},
		},
		{
			Name: "visit", Usage: "play against champion as visitors until standard input ends", Hidden: true,
			Flags: []cli.Flag{server, &cli.IntFlag{Name: "visitors", Required: true}},
			Action: func(c *cli.Context) error {
				t := stranger.NewTally()
				stranger.Visit(untilInputEnds(c.Context), c.String("server"), c.Int("visitors"), t)
				return print(t, nil)
			},
		},
	}
}

// untilInputEnds returns a context that ends with standard input. The parent process keeps standard input open as long
// as the attack lasts. It sends no signal to end the attack: a signal would kill a process that does not wait for
// signals yet.
func untilInputEnds(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin) // until it ends, with or without an error
	}()
	return ctx
}

// keepArgs returns the arguments of the command keep.
func keepArgs(server, method string, connections int, requests []string) []string {
	return append([]string{"keep", "--server", server, "--method", method, "--connections", strconv.Itoa(connections)}, requests...)
}
