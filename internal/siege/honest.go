package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/protocol"
)

// honestName returns the name of the i-th honest bot.
func honestName(i int) string { return fmt.Sprintf("honest %04d", i) }

// readTokens returns the tokens in a JSON file, by name, or none if there is no such file.
func readTokens(file string) (tokens map[string]string, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &tokens)
	return tokens, err
}

// serveHonest connects honest bots, which wait before each move and move at random, until ctx ends. They reconnect
// when they lose a connection. serveHonest returns the first error of a bot that gave up.
func serveHonest(ctx context.Context, url string, bots int, pause time.Duration, tokens map[string]string) error {
	random, err := players.Parse("random")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i := range bots {
		client := protocol.Client{
			URL:   url,
			Hello: protocol.Hello{Name: honestName(i), Token: tokens[honestName(i)], Slots: 1},
			New: func(s protocol.Start) (players.Player, error) {
				return slowPlayer{random.New(players.Game{Seed: s.Seed}), pause}, nil
			},
			Margin:    10 * time.Millisecond,
			Reconnect: time.Minute,
			Log:       slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})).With("bot", honestName(i)),
		}
		all.Go(func() {
			if err := client.Run(ctx); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("%s: %w", client.Hello.Name, err))
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
