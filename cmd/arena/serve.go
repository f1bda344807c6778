package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/protocol"
	"versus2048/results"
)

const defaultServer = "127.0.0.1:2048"

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run an arena that bots connect to and tournaments are played on, until interrupted",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.StringFlag{Name: "addr", Value: defaultServer, Usage: "address to listen on; port 0 takes a free one"},
			&cli.BoolFlag{Name: "require-tokens", Usage: "admit only bots with a token (arena token new NAME), from this machine too"},
			graceFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "log only errors"},
		},
		Action: serve,
	}
}

func graceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "grace", Value: 30 * time.Second, Usage: "how long a bot may be disconnected before it loses its games"}
}

func serve(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	level := slog.LevelInfo
	if c.Bool("quiet") {
		level = slog.LevelError
	}
	// The address first: where it is taken, no database is made.
	listener, err := net.Listen("tcp", c.String("addr"))
	if err != nil {
		return fmt.Errorf("listening on %s: %w", c.String("addr"), err)
	}
	defer listener.Close()
	store, err := results.Open(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	log := newLog(c.App.ErrWriter, level)
	address := arena.Reachable(listener.Addr())
	log.Info("arena open", "listening", listener.Addr(), "bots", "ws://"+address+"/bot", "commands", "http://"+address, "db", c.String("db"))
	if err := warnOfUnfinished(c.Context, store, log, "http://"+address); err != nil {
		return err
	}
	config := arenaConfig(store, log, c.Duration("grace"))
	config.RequireTokens = c.Bool("require-tokens")
	return arena.New(config).Serve(c.Context, listener)
}

func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// arenaConfig is an arena over a store, whose bots are started by running this
// program again.
func arenaConfig(store *results.Store, log *slog.Logger, grace time.Duration) arena.Config {
	return arena.Config{
		Store:   arenaStore{store},
		Launch:  launchSelf,
		Grace:   grace,
		Limits:  protocol.DefaultLimits(),
		Version: cmdline.Version(),
		Log:     log,
	}
}

// launchSelf is the command that runs a bot as a process of this program. The
// bot gives up soon after it has lost us: it is ours alone.
func launchSelf(l arena.Launch) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	command := exec.Command(self, "bot", "run", "--url", l.URL, "--name", l.Name,
		"--slots", strconv.Itoa(l.Slots), "--reconnect", "5s", "--quiet", "--attached", "--", l.Spec)
	command.Env = append(os.Environ(), botcmd.TokenVariable+"="+l.Token)
	return command
}

// warnOfUnfinished says how to resume the events that were interrupted.
func warnOfUnfinished(ctx context.Context, store *results.Store, log *slog.Logger, url string) error {
	events, err := store.Events(ctx)
	if err != nil {
		return err
	}
	for _, e := range events {
		if !e.Over {
			log.Info("event is unfinished", "event", e.ID, "games", e.Total.Bound.Of(e.Finished, 2*e.Total.Matches), "resume", resumeCommand(e.ID, "--server", url))
		}
	}
	return nil
}
