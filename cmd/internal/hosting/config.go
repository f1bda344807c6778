package hosting

import (
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/internal/server/metrics"
	"versus2048/internal/server/roster"
	"versus2048/internal/web"
	"versus2048/players/exact"
	"versus2048/protocol"
	"versus2048/results"
)

// Config returns the configuration of an arena on an open database. The arena starts bots by running this program
// again, and waits for a disconnected bot for the time grace.
func Config(store *results.Store, log *slog.Logger, grace time.Duration) server.Config {
	return server.Config{
		Store:    store,
		Tokens:   store.Tokens(),
		Records:  store.Visiting(),
		Launch:   launchSelf,
		Grace:    grace,
		Operator: gate.OperatorFile{Secret: gate.NewSecret()},
		Limits:   protocol.DefaultLimits(),
		Version:  cmdline.Version(),
		Log:      log,
	}
}

// launchSelf returns the command that runs this program again, as the bot. The bot tries to reconnect for a minute,
// since an arena may only have stalled. Then it exits, since it was started for this arena alone.
func launchSelf(launch roster.Own) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	// #nosec G204 -- this program itself, without a shell; what comes after -- is no flag
	command := exec.Command(self, "bot", "run", "--url", launch.URL, "--name", launch.Name,
		"--slots", strconv.Itoa(launch.Slots), "--reconnect", "1m", "--quiet", "--attached", "--", launch.Spec)
	command.Env = append(os.Environ(), botcmd.TokenVariable+"="+launch.Token)
	return command
}

// newArena returns an arena without pages.
func newArena(config server.Config, store *results.Store) *server.Server {
	arena := server.New(config)
	addStorageMetrics(arena, store)
	return arena
}

// addPages adds the web pages to an arena: events in progress and on record, with exact values from the tables, and the
// lobby if gathering is not nil.
func addPages(arena *server.Server, config server.Config, store *results.Store, gathering *lobby.Lobby, tables ...*exact.Table) error {
	site, err := web.New(web.Config{Arena: arena, Store: store, Lobby: gathering, Tables: tables, Version: config.Version, Log: config.Log})
	if err == nil {
		arena.Add(site.Routes()...)
	}
	return err
}

// addStorageMetrics adds the state of the database to the metrics of the arena that plays on it.
func addStorageMetrics(arena *server.Server, store *results.Store) {
	m := arena.Metrics()
	store.OnWrite(func(w results.Write) { m.Written(w.Delay, w.Took, w.Err) })
	m.ShowStorage(func() (metrics.Storage, error) {
		c, err := store.Condition()
		return metrics.Storage{
			Size: c.Size, Log: c.Log, Free: c.Free, Backlog: c.Backlog, Oldest: c.Oldest,
			Arena: metrics.Readers(c.Arena), Pages: metrics.Readers(c.Visitors),
		}, err
	})
}

// DefaultAddress is the default address of an arena without TLS, unless it is public and has no proxy.
const DefaultAddress = loopback + publicAddress

// DefaultDatabase is the default of --db.
const DefaultDatabase = "arena.db"

// DatabaseFlag returns the flag --db, which names a database.
func DatabaseFlag() cli.Flag {
	return &cli.StringFlag{Name: "db", Value: DefaultDatabase, Usage: "the database"}
}

// GraceFlag returns the flag --grace, the time that an arena waits for a disconnected bot.
func GraceFlag() cli.Flag {
	return &cli.DurationFlag{
		Name: "grace", Value: 30 * time.Second, Usage: "how long a bot may be disconnected before it loses its games",
		Action: cmdline.AtLeast[time.Duration]("grace", 0),
	}
}
