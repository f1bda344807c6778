package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/exact"
	"versus2048/arena"
	"versus2048/arena/gate"
	"versus2048/arena/program"
	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/web"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run an arena that bots connect to and tournaments are played on, until it is interrupted",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.StringFlag{Name: "addr", Value: defaultServer, Usage: "address to listen on; port 0 takes a free one"},
			&cli.BoolFlag{Name: "require-tokens", Usage: "admit only bots with a token (arena token new NAME), even from this machine"},
			&cli.IntFlag{Name: "max-connections", Usage: "connections at once, a quarter of them for those who are not admitted yet; by default as many as this process may open files (ulimit -n), less a reserve"},
			&cli.IntFlag{Name: "max-per-address", Value: gate.DefaultLimits().PerAddress, Usage: "connections at once from one other machine, or for one client of a proxy"},
			&cli.StringSliceFlag{Name: "behind-proxy", Usage: "a network `CIDR` such as 127.0.0.1/32 of reverse proxies whose X-Forwarded-For or Forwarded header says for whom they ask, and who is limited; repeat it for more"},
			&cli.BoolFlag{Name: "public", Usage: "let everybody look: without it the pages are open on this machine only, and to operators"},
			&cli.StringSliceFlag{Name: "origin", Usage: "an `ADDRESS` of the pages behind a proxy, such as https://arena.example.org; repeat it for more"},
			graceFlag(),
			&cli.StringFlag{Name: "tables", Usage: "the `FOLDER` of the files that specs may name, such as 2x2.table in it by perfect:table=2x2.table (default: none)"},
			&cli.StringSliceFlag{Name: "table", Usage: "a `FILE` of exact values, from arena solve --table, which the pages show; repeat it for more"},
			&cli.StringSliceFlag{Name: "bot", Usage: "a program that events may name, `NAME=exec:COMMAND` (docs/STDIO.md); repeat it for more"},
			&cli.StringFlag{Name: "memory", DefaultText: "half of the machine's", Usage: "refuse events whose bots may need more together, such as 4GiB"},
			&cli.BoolFlag{Name: "quiet", Usage: "log only errors"},
		},
		Action: serve,
	}
}

func serve(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	allowance, err := readAllowance(c)
	if err != nil {
		return err
	}
	programs, err := readPrograms(c)
	if err != nil {
		return err
	}
	proxies, err := readNetworks(c, "behind-proxy")
	if err != nil {
		return err
	}
	tables, err := openTables(c)
	if err != nil {
		return err
	}
	defer closeTables(tables)
	level := slog.LevelInfo
	if c.Bool("quiet") {
		level = slog.LevelError
	}
	// Listen first: if the address is in use, no database is created.
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
	log.Info("arena open", "listening", listener.Addr(), "bots", "ws://"+address+"/bot", "pages", "http://"+address, "db", c.String("db"))
	if err := logUnfinished(c.Context, store, log, "http://"+address); err != nil {
		return err
	}
	config := arenaConfig(store, log, c.Duration("grace"))
	config.Allowance, config.Programs = allowance, programs
	config.RequireTokens, config.BehindProxy = c.Bool("require-tokens"), proxies
	config.Connections = gate.DefaultLimits()
	config.Connections.Total, config.Connections.PerAddress = c.Int("max-connections"), c.Int("max-per-address")
	if config.Operator, err = arena.WriteOperatorFile(c.String("db"), listener.Addr()); err != nil {
		log.Warn("commands on this machine need an operator's token, too", "why", err)
		config.Operator = arena.OperatorFile{}
	}
	config.Public, config.Origins = c.Bool("public"), c.StringSlice("origin")
	server, err := withPages(config, store, tables...)
	if err != nil {
		return errors.Join(err, config.Operator.Remove())
	}
	return errors.Join(server.Serve(c.Context, listener), config.Operator.Remove())
}

// openTables opens the tables of exact values that the pages show.
func openTables(c *cli.Context) (tables []*exact.Table, err error) {
	for _, path := range c.StringSlice("table") {
		table, err := exact.Open(path)
		if err != nil {
			closeTables(tables)
			return nil, err
		}
		tables = append(tables, table)
	}
	return tables, nil
}

// closeTables closes tables, of which nothing was changed.
func closeTables(tables []*exact.Table) {
	for _, table := range tables {
		_ = table.Close()
	}
}

// withPages returns an arena that serves pages of what is played and recorded, with exact values from
// the tables.
func withPages(config arena.Config, store *results.Store, tables ...*exact.Table) (*arena.Server, error) {
	server := arena.New(config)
	site, err := web.New(web.Config{Arena: server, Store: store, Tables: tables, Version: config.Version, Log: config.Log})
	if err != nil {
		return nil, err
	}
	server.Add(site.Routes()...)
	return server, nil
}

// readNetworks reads a flag that holds networks such as 10.0.0.0/8, or single addresses.
func readNetworks(c *cli.Context, flag string) (networks []netip.Prefix, err error) {
	for _, text := range c.StringSlice(flag) {
		if address, err := netip.ParseAddr(text); err == nil {
			networks = append(networks, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, cmdline.Usagef("--%s %q: want a network such as 127.0.0.1/32 or 10.0.0.0/8", flag, text)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// readAllowance reads what operators may have the arena's bots use.
func readAllowance(c *cli.Context) (a arena.Allowance, err error) {
	memory, err := allowedMemory(c, 2)
	if err != nil {
		return a, err
	}
	// More threads than processors only slow a search down; some are allowed for recorded events.
	a = arena.Allowance{Memory: uint64(memory), Threads: max(16, 4*runtime.NumCPU())}
	if folder := c.String("tables"); folder != "" {
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() {
			return a, cmdline.Usagef("--tables %s: want a folder", folder)
		}
		if a.Folder, err = filepath.Abs(folder); strings.Contains(a.Folder, ",") {
			return a, cmdline.Usagef("--tables %s: want a folder whose path %s has no comma, which ends a path in a spec", folder, a.Folder)
		}
		return a, err
	}
	return a, nil
}

func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// logUnfinished logs how to resume each event that was interrupted.
func logUnfinished(ctx context.Context, store *results.Store, log *slog.Logger, url string) error {
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

// arenaConfig configures an arena that starts bots by running this program again.
func arenaConfig(store *results.Store, log *slog.Logger, grace time.Duration) arena.Config {
	return arena.Config{
		Store:    arenaStore{store},
		Launch:   launchSelf,
		Grace:    grace,
		Operator: arena.OperatorFile{Secret: arena.NewOperatorSecret()},
		Limits:   protocol.DefaultLimits(),
		Version:  cmdline.Version(),
		Log:      log,
	}
}

// launchSelf returns the command that runs a bot as a process of this program. The
// bot gives up a minute after it loses the connection: an arena that stood still comes
// back, and no other one uses the bot.
func launchSelf(l arena.Launch) *exec.Cmd {
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

// arenaStore adapts a results.Store to the interface of an arena.
type arenaStore struct{ *results.Store }

func (s arenaStore) Journal(event int64) arena.Journal { return s.Store.Journal(event) }

func (s arenaStore) HasToken(ctx context.Context, role arena.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s arenaStore) ValidToken(ctx context.Context, role arena.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

// localArena is an arena that this process serves on a free port of this machine
// for one command.
type localArena struct {
	client *arena.Client
	stop   context.CancelFunc
	served chan error
}

// serveLocal serves an arena on an open database, whose bots may use any file, and that number
// of bytes of memory, and whose events may name the programs. When ctx ends, the arena interrupts its events, which whoever follows them learns
// from the client.
func serveLocal(ctx context.Context, store *results.Store, grace time.Duration, memory int64, programs program.Table) (*localArena, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on this machine: %w", err)
	}
	return serveOn(ctx, listener, store, grace, memory, programs)
}

// serveOn does so on a listener, which it closes.
func serveOn(ctx context.Context, listener net.Listener, store *results.Store, grace time.Duration, memory int64, programs program.Table) (*localArena, error) {
	ctx, stop := context.WithCancel(ctx)
	config := arenaConfig(store, newLog(os.Stderr, slog.LevelError), grace)
	a := &localArena{
		client: &arena.Client{URL: "http://" + arena.Reachable(listener.Addr()), Token: config.Operator.Secret},
		stop:   stop,
		served: make(chan error, 1),
	}
	config.Allowance, config.Programs = arena.Allowance{AnyFile: true, Memory: uint64(memory)}, programs
	server, err := withPages(config, store)
	if err != nil {
		stop()
		return nil, errors.Join(err, listener.Close())
	}
	go func() { a.served <- server.Serve(ctx, listener) }()
	return a, nil
}

// close stops the arena and returns its error.
func (a *localArena) close() error {
	a.stop()
	return <-a.served
}

// openedArena is the arena on which a command plays an event: a running one, or a
// local one on a database.
type openedArena struct {
	client *arena.Client
	// The flag that names the arena, for the command that resumes an event.
	flag, value string
	local       *localArena    // nil for a running one
	store       *results.Store // of the local one
	programs    program.Table  // of the local one
}

// openRunning opens a running arena.
func openRunning(client *arena.Client) *openedArena {
	return &openedArena{client: client, flag: "--server", value: client.URL}
}

// openLocal opens a database, creating it if need be, and serves an arena on it.
func openLocal(ctx context.Context, db string, grace time.Duration, memory int64, programs program.Table) (*openedArena, error) {
	store, err := results.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	local, err := serveLocal(ctx, store, grace, memory, programs)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &openedArena{client: local.client, flag: "--db", value: db, local: local, store: store, programs: programs}, nil
}

// resumeCommand returns the command that resumes an event of the arena, with its programs: in the database
// that was saved, if the one that it plays on is gone.
func (a *openedArena) resumeCommand(event int64) string {
	database := a.value
	if a.store != nil {
		if moved := a.store.Moved(); moved != nil && moved.Rescued != "" {
			database = moved.Rescued
		}
	}
	command := resumeCommand(event, a.flag, database)
	for _, bot := range a.programs.Bots() {
		command += " --bot " + quote(bot)
	}
	return command
}

// close stops a local arena and closes its database.
func (a *openedArena) close() error {
	if a.local == nil {
		return nil
	}
	return errors.Join(a.local.close(), a.store.Close())
}
