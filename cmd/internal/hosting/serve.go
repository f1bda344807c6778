package hosting

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/webhook"
	"versus2048/internal/text/terminal"
	"versus2048/players/exact"
	"versus2048/results"
	"versus2048/tournament/agenda"
)

// ServeCommand returns the command serve, which runs an arena until it is interrupted.
func ServeCommand() *cli.Command {
	return cmdline.Configure(&cli.Command{
		Name:   "serve",
		Usage:  "run an arena that bots connect to and tournaments are played on, until it is interrupted",
		Flags:  serveFlags(),
		Action: cmdline.WithArguments(serve),
	}, "VERSUS2048_SERVE_", hideSecrets)
}

// The parts of an option that may be secret: the user and the password of an address, also of a NATS server without
// nats://, and the path and the query of a webhook.
var (
	userOf     = regexp.MustCompile(`(?s)://.*@`)
	natsUserOf = regexp.MustCompile(`(?s)^.*@`)
	pathOf     = regexp.MustCompile(`(?s)(://[^/?#]+[/?#]).+`)
)

// hideSecrets returns the value of a flag without the secrets in it.
func hideSecrets(flag, value string) string {
	value = userOf.ReplaceAllString(value, "://...@")
	switch {
	case flag == "webhook":
		return pathOf.ReplaceAllString(value, "$1...")
	case flag == "nats" && !userOf.MatchString(value):
		return natsUserOf.ReplaceAllString(value, "...@")
	}
	return value
}

func serveFlags() []cli.Flag {
	return slices.Concat(entranceFlags(), visitorFlags(), botFlags(), farmFlags(), logFlags(), watchFlags())
}

// visitorFlags choose the visitors and bots that an arena admits, and the addresses of its pages and metrics.
func visitorFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.BoolFlag{Name: "public", Usage: "let everybody see the pages, from other machines, too; without it only this machine and operators see them"},
		&cli.BoolFlag{Name: "login-link", DefaultText: "set if the output is a terminal", Usage: "print a link that makes one browser an operator's, on this machine or over TLS"},
		&cli.BoolFlag{Name: "require-tokens", Usage: "admit only bots with a token (arena token new NAME), even from this machine"},
		&cli.StringFlag{Name: "registration", Value: string(gate.RegistrationClosed), Action: checkMode, Usage: "how bots get names of their own, each with a secret that the bot makes: `MODE` closed (only by arena token new), invite (with an invitation, arena invitation new) or open (whoever comes)"},
		&cli.StringSliceFlag{Name: "behind-proxy", Usage: "a network `CIDR` such as 127.0.0.1/32 of reverse proxies: the client's address, which limits apply to, is taken from their X-Forwarded-For or Forwarded header; repeat it for more"},
		&cli.StringSliceFlag{Name: "origin", Usage: "an `ADDRESS` of the pages behind a proxy, such as https://arena.example.org; repeat it for more"},
	}, cmdline.GroupFlags("connections",
		&cli.IntFlag{Name: "max-connections", DefaultText: "as many as this process may open files (ulimit -n), less a reserve", Action: cmdline.AtLeast("max-connections", 1), Usage: "connections at once, a quarter of them for clients that are not admitted yet"},
		&cli.IntFlag{Name: "max-per-address", Value: gate.DefaultLimits().PerAddress, Action: cmdline.AtLeast("max-per-address", 1), Usage: "connections at once from one other machine, or for one client of a proxy"},
		AddressFlag("metrics-addr", "", loopback, "also listen on this `ADDRESS`, such as 127.0.0.1:9248, and give everybody who reaches it /metrics, /healthz and /readyz"),
	))
}

// checkMode returns a usage error for a mode of registration that does not exist.
func checkMode(_ *cli.Context, text string) error {
	if !slices.Contains(gate.Registrations(), gate.Registration(text)) {
		return cmdline.Usagef("--registration %q: want closed, invite or open", text)
	}
	return nil
}

// botFlags choose the bots that the arena starts, and their files.
func botFlags() []cli.Flag {
	return cmdline.GroupFlags("bots and events",
		&cli.StringSliceFlag{Name: "bot", Usage: "a program that events may name, NAME=exec:COMMAND (docs/STDIO.md); repeat it for more"},
		&cli.StringFlag{Name: "tables", Usage: "the `FOLDER` of the files that specs may name: perfect:table=2x2.table names 2x2.table in it (default: none)"},
		&cli.StringSliceFlag{Name: "table", Usage: "a `FILE` of exact values, from lab solve --table, which the pages show; repeat it for more"},
		GraceFlag(),
		cmdline.StartTimeoutFlag(),
		&cli.BoolFlag{Name: "no-resume", Usage: "do not resume by itself the events that were played or in the queue when the arena ended"},
		&cli.StringFlag{Name: "memory", DefaultText: "half of the machine's", Usage: "refuse events with bots that may need more memory together, such as 4GiB"},
	)
}

// serve serves an arena without a lobby.
func serve(c *cli.Context) error { return ServeWith(c, nil) }

// ServeWith opens the parts of an arena, serves it until the command is interrupted, and closes the parts. The command
// has the flags of [ServeCommand]. If plan is not nil, the arena has a lobby for the plan.
func ServeWith(c *cli.Context, plan *lobby.Plan) error {
	h := host{flags: c, plan: plan}
	return h.open()
}

// open opens the parts of the arena, one after the other, serves it, and closes the parts.
func (h *host) open() (err error) {
	defer func() { err = errors.Join(err, h.close()) }()
	for _, step := range []func() error{
		h.readFlags,
		h.openTables,
		h.openLog,
		h.listen, // before openStore, which must not create a database if the address is in use
		h.openStore,
		h.logUnfinished,
		h.configure,
		h.openFarm,
		h.build,
		h.invite,
		h.openLobby,
		h.addPages,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return h.run()
}

// host has the parts of an arena. Most of them are closed after serving.
type host struct {
	flags     *cli.Context
	plan      *lobby.Plan  // nil for none
	evening   *openEvening // nil for none
	allowance roster.Allowance
	programs  roster.Commands
	proxies   []netip.Prefix
	watching  watching

	tables   []*exact.Table
	log      *slog.Logger
	entrance *entrance      // nil until it is open
	scrapes  *scrapes       // nil until it listens
	store    *results.Store // nil until it is open
	farm     *openFarm      // nil until it is open, or for none

	config server.Config
	teller *webhook.Teller
	server *server.Server
	lobby  *lobby.Lobby // nil for none
}

// readFlags reads the flags that do not depend on the parts.
func (h *host) readFlags() (err error) {
	if h.allowance, err = readAllowance(h.flags); err != nil {
		return err
	}
	if h.programs, err = ReadPrograms(h.flags); err != nil {
		return err
	}
	if h.proxies, err = readNetworks(h.flags, "behind-proxy"); err != nil {
		return err
	}
	if err := checkFarmFlags(h.flags); err != nil {
		return err
	}
	h.watching, err = readWatching(h.flags)
	return err
}

func (h *host) openTables() error {
	for _, path := range h.flags.StringSlice("table") {
		table, err := exact.Open(path)
		if err != nil {
			return err
		}
		h.tables = append(h.tables, table)
	}
	return nil
}

func (h *host) openLog() (err error) {
	h.log, err = openLog(h.flags)
	return err
}

// listen opens the listeners for bots and visitors, and for the metrics.
func (h *host) listen() (err error) {
	if h.entrance, err = openEntrance(h.flags, h.log); err != nil {
		return err
	}
	h.scrapes, err = listenForScrapes(h.flags.String("metrics-addr"))
	return err
}

// openStore opens the database and logs the addresses of the arena.
func (h *host) openStore() (err error) {
	if h.store, err = results.Open(h.flags.Context, h.db()); err == nil {
		h.entrance.tell(h.log, h.db())
	}
	return err
}

// logUnfinished logs the command that resumes each interrupted event, unless the arena resumes it by itself.
func (h *host) logUnfinished() error {
	events, err := h.store.Events(h.flags.Context)
	if err != nil {
		return err
	}
	items, err := h.store.Agenda(h.flags.Context)
	if err != nil {
		return err
	}
	for _, e := range events {
		byItself := !h.flags.Bool("no-resume") && slices.ContainsFunc(items, func(i agenda.Item) bool { return i.Event == e.ID && i.Wanted == agenda.Running })
		if !e.Over && !byItself {
			h.log.Info("event is unfinished", "event", e.ID, "games", e.Total.Bound.Of(e.Finished, 2*e.Total.Matches), "resume", ResumeCommand(e.ID, "--server", h.url()))
		}
	}
	return nil
}

func (h *host) configure() error {
	h.config = Config(h.store, h.log, h.flags.Duration("grace"))
	h.config.Agenda, h.config.NoResume = h.store, h.flags.Bool("no-resume")
	h.config.Allowance, h.config.Programs = h.allowance, h.programs
	h.config.StartTimeout = h.flags.Duration(cmdline.StartTimeout)
	h.config.RequireTokens, h.config.BehindProxy = h.flags.Bool("require-tokens"), h.proxies
	h.config.Registration, h.config.Register = gate.Registration(h.flags.String("registration")), h.store.Tokens()
	h.config.Connections = gate.DefaultLimits()
	h.config.Connections.Total, h.config.Connections.PerAddress = h.flags.Int("max-connections"), h.flags.Int("max-per-address")
	h.config.Public, h.config.Origins, h.config.AccessLog = h.flags.Bool("public"), h.entrance.origins(), h.flags.Bool("access-log")
	h.config.Operator = h.writeOperator()
	return nil
}

// writeOperator writes the file that gives commands on this machine an operator's rights. If it cannot, the arena
// serves without the file.
func (h *host) writeOperator() gate.OperatorFile {
	file, err := gate.WriteOperatorFile(h.db(), h.entrance.localAddress())
	if err != nil {
		h.log.Warn("commands on this machine need an operator's token, too", "why", err)
		return gate.OperatorFile{}
	}
	return file
}

// build makes the arena, and the teller that sends notices of its events and troubles.
func (h *host) build() error {
	h.teller = h.watching.watch(&h.config, h.store, h.db(), h.url())
	h.server = newArena(h.config, h.store)
	return nil
}

// openLobby opens the lobby, if the arena has a plan for one.
func (h *host) openLobby() (err error) {
	if h.plan != nil {
		h.lobby, err = lobby.New(h.flags.Context, h.server, h.store, *h.plan)
	}
	return err
}

func (h *host) addPages() error {
	return addPages(h.server, h.config, h.store, h.lobby, h.tables...)
}

func (h *host) run() error {
	ctx := h.flags.Context
	if err := h.printLink(); err != nil {
		return err
	}
	h.scrapes.serve(h.server, h.log)
	reportReady(ctx, h.log)
	go h.entrance.keep(ctx)
	if h.lobby != nil {
		go h.lobby.Run(ctx)
	}
	return telling(ctx, h.teller, func() error { return h.serve(ctx) })
}

// printLink prints a link that makes one browser an operator's. It is not in the log, which others may read.
func (h *host) printLink() error {
	c := h.flags
	if wanted := c.Bool("login-link"); !wanted && (c.IsSet("login-link") || c.Bool("quiet") || !terminal.Is(c.App.Writer)) {
		return nil
	}
	path := h.server.LoginLink()
	text := "operator's link, for one browser: " + h.url() + path + "\n"
	if origins := h.config.Origins; len(origins) > 0 && strings.HasPrefix(origins[0], "https://") {
		text += "the same from elsewhere: " + strings.TrimSuffix(origins[0], "/") + path + "\n"
	}
	_, err := fmt.Fprint(c.App.Writer, text)
	return err
}

// close removes the operator's file, then closes the open parts, the last opened first. It returns the errors of the
// file and the database.
func (h *host) close() error {
	err := h.config.Operator.Remove()
	if h.farm != nil {
		h.farm.close()
	}
	if h.store != nil {
		err = errors.Join(err, h.store.Close())
	}
	if h.scrapes != nil {
		h.scrapes.close()
	}
	if h.entrance != nil {
		h.entrance.close()
	}
	for _, table := range h.tables {
		_ = table.Close() // no data of a table can be lost
	}
	return err
}

// db returns the path of the database.
func (h *host) db() string { return h.flags.String("db") }

// url returns the address of the arena on this machine.
func (h *host) url() string { return "http://" + h.entrance.localAddress() }
