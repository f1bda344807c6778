package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
	"versus2048/internal/server/gate"
	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/tournament"
)

// crowd is many workers in one process, each with a connection of its own and one match at once. They are real workers
// with two exceptions: their speed is not measured, and players that wait and move at random replace programs of bots.
type crowd struct {
	url     string        // of the farm
	secret  string        // the path of the arena's file with the workers' token
	version string        // of the arena
	pause   time.Duration // how long the players wait before each move; 0 for workers that run no programs
}

// serve runs the workers until ctx ends. It returns the first error of a worker that gave up.
func (c crowd) serve(ctx context.Context, workers int) error {
	file, err := gate.ReadOperatorFile(c.secret)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var all sync.WaitGroup
	for i := range workers {
		name := fmt.Sprintf("crowd-%04d", i)
		all.Go(func() {
			if err := c.work(ctx, name, file.Secret, log.With("worker", name)); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("%s: %w", name, err))
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// work runs one worker.
func (c crowd) work(ctx context.Context, name, token string, log *slog.Logger) error {
	key, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	credential := broker.Credential{Worker: name, Key: key, Token: func() string { return token }}
	conn, err := nats.Connect(c.url, nats.MaxReconnects(-1), credential.Option(), nats.CustomInboxPrefix(farm.Inbox(name)))
	if err != nil {
		return err
	}
	defer conn.Close()
	w := farm.Worker{
		Card: farm.Card{Worker: name, Host: "crowd", Version: c.version, Print: farm.Fingerprint(), Cores: 1, Games: 1, Speed: 1, Exec: c.pause > 0},
		NATS: conn, Log: log, Program: c.program,
	}
	return w.Run(ctx)
}

// program returns a bot that waits before each move, for any command.
func (c crowd) program(_ context.Context, name string, _ []string, _ tournament.Event) (farm.Program, error) {
	random, err := players.Parse("random")
	if err != nil {
		return nil, err
	}
	return idler{&tournament.LocalBot{
		ID: tournament.Identity{Name: name, Version: c.version}, Games: 1,
		New: func(g players.Game) players.Player { return slowPlayer{random.New(g), c.pause} },
	}}, nil
}

// speak plays over standard input and output as a bot that waits before each move. Before an event, the arena starts
// such a bot to learn about the bot.
func (c crowd) speak(ctx context.Context) error {
	random, err := players.Parse("random")
	if err != nil {
		return err
	}
	bot := stdio.Bot{
		IDs: []stdio.ID{{Key: stdio.IDName, Text: "slow"}},
		New: func(_ map[string]string, g stdio.New) (players.Player, error) {
			return slowPlayer{random.New(players.Game{Seed: g.Seed}), c.pause}, nil
		},
	}
	return bot.Run(ctx, os.Stdin, os.Stdout)
}

// idler is a program without a process.
type idler struct{ *tournament.LocalBot }

// Close implements farm.Program.
func (idler) Close() {}

// slowPlayer is a player that waits before each move.
type slowPlayer struct {
	players.Player
	pause time.Duration
}

// Choose implements players.Player.
func (s slowPlayer) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if s.pause > 0 {
		wait(ctx, s.pause)
	}
	return s.Player.Choose(ctx, p)
}
