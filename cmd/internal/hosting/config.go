package hosting

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"time"

	"versus2048/analysis/exact"
	"versus2048/arena"
	"versus2048/arena/launch"
	"versus2048/arena/metrics"
	"versus2048/arena/operator"
	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/web"
	"versus2048/protocol"
	"versus2048/results"
)

// Config configures an arena on an open database. It starts bots by running this program again, and keeps
// a disconnected bot's place for the grace.
func Config(store *results.Store, log *slog.Logger, grace time.Duration) arena.Config {
	return arena.Config{
		Store:    arenaStore{store},
		Records:  arenaStore{store.Visiting()},
		Launch:   launchSelf,
		Grace:    grace,
		Operator: operator.File{Secret: operator.NewSecret()},
		Limits:   protocol.DefaultLimits(),
		Version:  cmdline.Version(),
		Log:      log,
	}
}

// launchSelf returns the command that runs a bot as a process of this program. The
// bot gives up a minute after it loses the connection: an arena that stood still comes
// back, and no other one uses the bot.
func launchSelf(l launch.Bot) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	// #nosec G204 -- this program itself, without a shell; what comes after -- is no flag
	command := exec.Command(self, "bot", "run", "--url", l.URL, "--name", l.Name,
		"--slots", strconv.Itoa(l.Slots), "--reconnect", "1m", "--quiet", "--attached", "--", l.Spec)
	command.Env = append(os.Environ(), botcmd.TokenVariable+"="+l.Token)
	return command
}

// withPages returns an arena that serves pages of what is played and recorded, with exact values from
// the tables.
func withPages(config arena.Config, store *results.Store, tables ...*exact.Table) (*arena.Server, error) {
	server := arena.New(config)
	observe(server, store)
	site, err := web.New(web.Config{Arena: server, Store: store, Tables: tables, Version: config.Version, Log: config.Log})
	if err != nil {
		return nil, err
	}
	server.Add(site.Routes()...)
	return server, nil
}

// arenaStore adapts a results.Store to the interface of an arena.
type arenaStore struct{ *results.Store }

func (s arenaStore) Journal(event int64) arena.Journal { return s.Store.Journal(event) }

func (s arenaStore) HasToken(ctx context.Context, role arena.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s arenaStore) ValidToken(ctx context.Context, role arena.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

// observe shows how the database stands in the metrics of the arena that plays on it.
func observe(server *arena.Server, store *results.Store) {
	m := server.Metrics()
	store.OnWrite(func(w results.Write) { m.Written(w.Delay, w.Took, w.Err) })
	m.ShowStorage(func() (metrics.Storage, error) {
		c, err := store.Condition()
		return metrics.Storage{
			Size: c.Size, Log: c.Log, Free: c.Free, Backlog: c.Backlog, Oldest: c.Oldest,
			Arena: metrics.Readers(c.Arena), Pages: metrics.Readers(c.Visitors),
		}, err
	})
}
