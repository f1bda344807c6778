package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"github.com/nats-io/nuid"
	"github.com/urfave/cli/v2"

	"versus2048/arena/program"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/farm"
	"versus2048/tournament"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "play games for an arena that runs a farm (arena serve --farm), until it is interrupted",
		Description: "Ctrl-C gives the games in progress to other workers, which continue them. The worker must be of\n" +
			"the arena's version.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "nats", EnvVars: []string{hosting.NATSVariable}, Value: "nats://" + hosting.DefaultFarmAddress, Usage: "the `URL` of the farm's NATS server"},
			&cli.IntFlag{Name: "games", Value: runtime.GOMAXPROCS(0), DefaultText: "one for each core", Usage: "matches played at once"},
			&cli.BoolFlag{Name: "allow-exec", Usage: "also run the programs that the arena's host names, as commands of this user"},
			&cli.StringFlag{Name: "farm-token", Usage: "the `FILE` of the token of the farm"},
			&cli.StringFlag{Name: "ca", Usage: "a `FILE` of certificates (PEM) by which the NATS server is trusted, in place of the system's"},
			&cli.StringFlag{Name: "name", Usage: "what the worker is called; by default its machine's name and some letters"},
			hosting.FarmNameFlag(),
			cmdline.QuietFlag(),
		},
		Action: work,
	}
}

// work works until the command is interrupted.
func work(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	if c.Int("games") < 1 {
		return cmdline.Usagef("--games %d: want 1 or more", c.Int("games"))
	}
	name, err := farm.ParseName(c.String("farm-name"))
	if err != nil {
		return cmdline.Usagef("--farm-name: %w", err)
	}
	conn, err := hosting.ConnectNATS(c, c.String("nats"), "farm-token", c.String("ca"))
	if err != nil {
		return err
	}
	defer conn.Close()
	level := slog.LevelInfo
	if c.Bool("quiet") {
		level = slog.LevelWarn
	}
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level}))
	w := farm.Worker{Name: name, Card: workerCard(c), NATS: conn, Log: log}
	w.Program = func(ctx context.Context, name string, command []string, e tournament.Event) (farm.Program, error) {
		return program.Start(ctx, name, command, e, log)
	}
	log.Info("worker ready", "worker", w.Card.Worker, "nats", conn.ConnectedUrlRedacted(), "games", w.Card.Games, "version", w.Card.Version)
	return w.Run(c.Context)
}

// workerCard returns what the worker says about itself.
func workerCard(c *cli.Context) farm.Card {
	machine, err := os.Hostname()
	if err != nil {
		machine = "unknown"
	}
	card := farm.Card{
		Worker: c.String("name"), Host: machine, Version: hosting.FarmVersion(), Print: farm.Fingerprint(),
		Cores: runtime.GOMAXPROCS(0), Games: c.Int("games"), Exec: c.Bool("allow-exec"),
	}
	if card.Worker == "" {
		id := nuid.Next()
		card.Worker = fmt.Sprintf("%s-%s", machine, id[len(id)-6:])
	}
	return card
}
