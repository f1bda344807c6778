package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/internal/farm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := app().RunContext(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "siege:", err)
		os.Exit(1)
	}
}

func app() *cli.App {
	return &cli.App{
		Name:  "siege",
		Usage: "attack an arena while honest bots play on it",
		Commands: append([]*cli.Command{
			loadCommand(),
			visitorsCommand(),
			keptCommand(),
			networkCommand(),
			soakCommand(),
			ladderCommand(),
			farmLoadCommand(),
			farmTimesCommand(),
			farmFaultsCommand(),
			natsCommand(),
		}, slices.Concat(partyCommands(), strangerCommands())...),
	}
}

// partyCommands returns the commands that start the other processes of a siege: bots, attackers and workers.
func partyCommands() []*cli.Command {
	url := &cli.StringFlag{Name: "url", Required: true, Usage: "the address for bots"}
	return []*cli.Command{
		{
			Name: "honest", Usage: "connect honest bots until interrupted", Hidden: true,
			Flags: []cli.Flag{url, &cli.IntFlag{Name: "bots", Required: true}, &cli.DurationFlag{Name: "pause"}, &cli.StringFlag{Name: "tokens"}},
			Action: func(c *cli.Context) error {
				tokens, err := readTokens(c.String("tokens"))
				if err != nil {
					return err
				}
				return serveHonest(c.Context, c.String("url"), c.Int("bots"), c.Duration("pause"), tokens)
			},
		},
		{
			Name: "crowd", Usage: "work for a farm until interrupted", Hidden: true,
			Flags: []cli.Flag{
				url, &cli.StringFlag{Name: "secret", Required: true}, &cli.StringFlag{Name: "version", Required: true}, &cli.IntFlag{Name: "workers", Required: true},
				&cli.DurationFlag{Name: "pause"},
			},
			Action: func(c *cli.Context) error {
				return crowd{c.String("url"), c.String("secret"), c.String("version"), c.Duration("pause")}.serve(c.Context, c.Int("workers"))
			},
		},
		{
			Name: "slow-bot", Usage: "play over standard input and output", Hidden: true,
			Flags:  []cli.Flag{&cli.DurationFlag{Name: "pause"}},
			Action: func(c *cli.Context) error { return crowd{pause: c.Duration("pause")}.speak(c.Context) },
		},
		{
			Name: "ladder-bot", Usage: "play on a ladder until interrupted", Hidden: true,
			Flags: []cli.Flag{
				url, &cli.StringFlag{Name: "name", Required: true}, &cli.StringFlag{Name: "version"},
				&cli.StringFlag{Name: "secret", Required: true}, &cli.BoolFlag{Name: "moody"},
			},
			Action: func(c *cli.Context) error {
				ladderBot{name: c.String("name"), version: c.String("version"), secret: c.String("secret"), moody: c.Bool("moody")}.play(c.Context, c.String("url"))
				return nil
			},
		},
		{
			Name: "hostile", Usage: "attack until interrupted", Hidden: true,
			Flags: []cli.Flag{url, &cli.IntFlag{Name: "bots", Required: true}, &cli.StringFlag{Name: "ways", Required: true}},
			Action: func(c *cli.Context) error {
				attack(c.Context, c.String("url"), c.Int("bots"), strings.Split(c.String("ways"), ","))
				return nil
			},
		},
	}
}

func loadCommand() *cli.Command {
	return &cli.Command{
		Name:  "load",
		Usage: "compare the speed of honest bots beside silent connections and beside hostile bots",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "honest", Value: 700, Usage: "honest bots"},
			&cli.IntFlag{Name: "hostile", Value: 300, Usage: "hostile bots"},
			&cli.IntFlag{Name: "concurrency", Value: 128, Usage: "games at once"},
			&cli.DurationFlag{Name: "time", Value: 30 * time.Second, Usage: "how long to measure each phase"},
			&cli.IntFlag{Name: "rounds", Value: 2, Usage: "how often to measure both phases in turn"},
			&cli.Float64Flag{Name: "share", Value: 0.2, Usage: "the attackers' share of all processors"},
			&cli.StringFlag{Name: "ways", Value: strings.Join(wayNames(), ","), Usage: "the ways to attack"},
		},
		Action: func(c *cli.Context) error {
			l := load{
				arena: c.String("arena"), honest: c.Int("honest"), hostile: c.Int("hostile"), concurrency: c.Int("concurrency"),
				time: c.Duration("time"), rounds: c.Int("rounds"), share: c.Float64("share"), ways: strings.Split(c.String("ways"), ","),
			}
			for _, way := range l.ways {
				if !slices.Contains(wayNames(), way) {
					return fmt.Errorf("--ways: unknown way %q: want some of %v", way, wayNames())
				}
			}
			return print(l.run(c.Context))
		},
	}
}

func networkCommand() *cli.Command {
	return &cli.Command{
		Name:  "network",
		Usage: "play across a network that loses packets, delays them and is interrupted for a while (Linux, as root)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "bots", Value: 40, Usage: "honest bots"},
			&cli.DurationFlag{Name: "time", Value: 20 * time.Second, Usage: "how long each phase takes"},
			&cli.DurationFlag{Name: "delay", Value: 50 * time.Millisecond, Usage: "the delay of each packet"},
			&cli.Float64Flag{Name: "loss", Value: 0.02, Usage: "share of the packets that are lost"},
			&cli.DurationFlag{Name: "partition", Value: 10 * time.Second, Usage: "how long the network is interrupted"},
		},
		Action: func(c *cli.Context) error {
			n := network{
				arena: c.String("arena"), bots: c.Int("bots"), time: c.Duration("time"),
				delay: c.Duration("delay"), loss: c.Float64("loss"), partition: c.Duration("partition"),
			}
			return print(n.run(c.Context))
		},
	}
}

func soakCommand() *cli.Command {
	return &cli.Command{
		Name:  "soak",
		Usage: "play at full speed for a long time and watch the arena's use of memory, threads and files (Linux)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "bots", Value: 64, Usage: "honest bots"},
			&cli.IntFlag{Name: "concurrency", Value: 32, Usage: "games at once"},
			&cli.DurationFlag{Name: "time", Value: time.Hour, Usage: "how long to play"},
			&cli.DurationFlag{Name: "interval", Value: 10 * time.Second, Usage: "how often to measure the arena's use of resources"},
		},
		Action: func(c *cli.Context) error {
			s := soak{
				arena: c.String("arena"), bots: c.Int("bots"), concurrency: c.Int("concurrency"),
				time: c.Duration("time"), interval: c.Duration("interval"),
			}
			return print(s.run(c.Context))
		},
	}
}

func ladderCommand() *cli.Command {
	return &cli.Command{
		Name:  "ladder",
		Usage: "play a ladder through restarts, a restored backup and an upgrade, with bots that leave, fail and come back (Linux)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.StringFlag{Name: "before", Usage: "the program arena of the older version; by default it is built from --from"},
			&cli.StringFlag{Name: "from", Value: "44226a0", Usage: "the commit of the older version"},
			&cli.DurationFlag{Name: "time", Value: time.Hour, Usage: "how long to play; from 2m on"},
			&cli.DurationFlag{Name: "interval", Value: 5 * time.Second, Usage: "how often to measure the arena's use of resources"},
		},
		Action: func(c *cli.Context) error {
			l := ladder{
				arena: c.String("arena"), before: c.String("before"), from: c.String("from"),
				time: c.Duration("time"), interval: c.Duration("interval"),
			}
			r, err := l.run(c.Context)
			if err = print(r, err); err == nil && len(r.Failures) > 0 {
				err = fmt.Errorf("%d checks failed", len(r.Failures))
			}
			return err
		},
	}
}

func farmLoadCommand() *cli.Command {
	return &cli.Command{
		Name:  "farm-load",
		Usage: "connect many workers to an arena with a farm, and measure their cost while idle and while playing (Linux)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "workers", Value: 200, Usage: "simulated workers"},
			&cli.DurationFlag{Name: "pause", Usage: "how long bots wait before each move; by default they do not wait"},
			&cli.DurationFlag{Name: "time", Value: 30 * time.Second, Usage: "how long to measure each phase"},
		},
		Action: func(c *cli.Context) error {
			return print(farmLoad{arena: c.String("arena"), workers: c.Int("workers"), pause: c.Duration("pause"), time: c.Duration("time")}.run(c.Context))
		},
	}
}

func farmTimesCommand() *cli.Command {
	return &cli.Command{
		Name:  "farm-times",
		Usage: "measure how soon a new worker plays, and how soon another one continues after its death",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "rounds", Value: 20, Usage: "how many workers are started and killed"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of the times of the kills"},
			&cli.DurationFlag{Name: "lease", Value: farm.DefaultLease, Usage: "the lease of the farm"},
		},
		Action: func(c *cli.Context) error {
			return print(farmTimes{arena: c.String("arena"), rounds: c.Int("rounds"), seed: c.Uint64("seed"), lease: c.Duration("lease")}.run(c.Context))
		},
	}
}

func farmFaultsCommand() *cli.Command {
	return &cli.Command{
		Name:  "farm-faults",
		Usage: "kill a farm's processes, interrupt its network and fill its disk while it plays, and compare the games (Linux, as root)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
			&cli.IntFlag{Name: "kills", Value: 100, Usage: "processes that are killed (kill -9)"},
			&cli.DurationFlag{Name: "partition", Value: time.Minute, Usage: "how long the network is interrupted"},
			&cli.IntFlag{Name: "matches", Value: 10, Usage: "matches of each pair of the three bots in an event"},
			&cli.Uint64Flag{Name: "seed", Value: 2048, Usage: "the source of the kills and of the games"},
			&cli.StringFlag{Name: "only", Value: strings.Join(stageNames(), ","), Usage: "the stages"},
		},
		Action: func(c *cli.Context) error {
			m := farmFaults{arena: c.String("arena"), kills: c.Int("kills"), partition: c.Duration("partition"), matches: c.Int("matches"), seed: c.Uint64("seed"), only: strings.Split(c.String("only"), ",")}
			r, err := m.run(c.Context)
			return errors.Join(err, print(r, nil))
		},
	}
}

// print writes a report to standard output as JSON. If err is not nil, it only returns err.
func print(report any, err error) error {
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(report)
}
