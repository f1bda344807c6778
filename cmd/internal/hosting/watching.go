package hosting

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/internal/server/webhook"
	"versus2048/results"
)

// watchFlags choose the webhooks of an arena, and the bounds of trouble.
func watchFlags() []cli.Flag {
	b := trouble.DefaultBounds()
	return cmdline.GroupFlags("trouble",
		&cli.StringSliceFlag{Name: "webhook", EnvVars: []string{"VERSUS2048_WEBHOOK"}, Usage: "send notices of events and troubles to this `URL`: https://..., slack=https://... or discord=https://... (docs/WEBHOOKS.md); repeat it for more"},
		secretFileFlag("webhook-secret-file"),
		&cli.StringFlag{Name: "disk-free", Value: cmdline.FormatBytes(b.Free), Usage: "there is trouble if the database's disk has less than this free"},
		&cli.DurationFlag{Name: "stalled-after", Value: b.Stall, Usage: "there is trouble if an event plays no move for this long beyond the limits of its clocks"},
		&cli.DurationFlag{Name: "missing-after", Value: b.Missing, Usage: "there is trouble if an event waits for a bot this long"},
		&cli.StringFlag{Name: "faulty", Value: fmt.Sprintf("%d/%d", b.Faults, b.Games), Usage: "there is trouble if a bot loses `K/N`, K of its last N games of an event, by a fault"},
	)
}

// watching has the settings for trouble and for webhooks.
type watching struct {
	bounds trouble.Bounds
	hooks  webhook.Config
}

func readWatching(c *cli.Context) (w watching, err error) {
	if w.bounds, err = readBounds(c); err != nil {
		return w, err
	}
	w.hooks, err = readHooks(c, c.StringSlice("webhook"), "webhook-secret-file")
	return w, err
}

func readBounds(c *cli.Context) (b trouble.Bounds, err error) {
	b = trouble.Bounds{Stall: c.Duration("stalled-after"), Missing: c.Duration("missing-after")}
	if b.Free, err = cmdline.ParseBytes(c.String("disk-free")); err != nil {
		return b, cmdline.Usagef("--disk-free: %w", err)
	}
	before, after, _ := strings.Cut(c.String("faulty"), "/")
	if b.Faults, err = strconv.Atoi(before); err == nil {
		b.Games, err = strconv.Atoi(after)
	}
	if err != nil {
		return b, cmdline.Usagef("--faulty %q: want K/N such as 3/10", c.String("faulty"))
	}
	return b, cmdline.WrongUsage(b.Validate())
}

// watch makes the arena look for trouble, and returns the teller that sends notices of its events and troubles.
// address is the arena's address in the notices, unless the configuration has one for other machines.
func (w watching) watch(config *server.Config, store *results.Store, path, address string) *webhook.Teller {
	if len(config.Origins) > 0 {
		address = config.Origins[0]
	}
	w.hooks.Log = config.Log
	teller := &webhook.Teller{Hooks: webhook.New(w.hooks), Address: address, Version: config.Version, Log: config.Log}
	config.Watch = trouble.New(trouble.Config{Bounds: w.bounds, Changed: teller.Changed, Lost: teller.Lost, Also: teller.Symptoms})
	config.Told = teller.News
	config.Database = databaseAt(store, path)
	return teller
}

// databaseAt returns a function that returns the state of a database.
func databaseAt(store *results.Store, path string) func(context.Context) server.Database {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return func(ctx context.Context) server.Database {
		now := server.Database{Path: path, Err: store.Check(ctx)}
		free, err := disk.Free(filepath.Dir(path))
		if now.Free = free; err != nil && now.Err == nil {
			now.Err = err
		}
		return now
	}
}

// telling delivers the teller's notices while serve runs, and the remaining ones after it.
func telling(ctx context.Context, teller *webhook.Teller, serve func() error) error {
	delivering, end := context.WithCancel(context.WithoutCancel(ctx))
	delivered := make(chan struct{})
	go func() {
		defer close(delivered)
		teller.Hooks.Run(delivering)
	}()
	teller.Opened()
	err := serve()
	teller.Closed()
	end()
	<-delivered
	return err
}
