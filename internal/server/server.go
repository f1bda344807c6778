package server

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/metrics"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/report"
)

// Config is the configuration of an arena.
type Config struct {
	Store  Store
	Tokens Tokens
	// Records is the same store for requests of the API that only look. If it has connections of its own, these
	// requests never take one that the arena needs. nil means Store and Agenda.
	Records Records
	// Agenda keeps the events that the arena is to play by itself. Without an Agenda a restart forgets them, and no
	// event can be booked.
	Agenda   Agenda
	NoResume bool // the arena leaves the events on the agenda alone when it opens
	// Launch returns the command that starts a bot as a process.
	Launch        func(roster.Own) *exec.Cmd
	Grace         time.Duration // the longest time that a bot may be disconnected
	RequireTokens bool          // bots on loopback need tokens, too
	// Registration decides how bots get names of their own, and Register keeps these names. Without a Register a bot
	// gets a name only by a token that the host has made.
	Registration gate.Registration
	Register     gate.Register
	Public       bool // everybody may look, from everywhere
	// Origins are the addresses, such as https://arena.example.org, of the arena's own pages behind a proxy that
	// rewrites the host. Without them the arena refuses requests from these pages as another site's.
	Origins []string
	// Operator proves that commands on this machine are an operator's. Without its secret these commands need an
	// operator's token, as commands from elsewhere do.
	Operator gate.OperatorFile
	// BehindProxy are the networks of the trusted reverse proxies. Their X-Forwarded-For and Forwarded headers name the
	// client of a request; the limits by address apply to that client.
	BehindProxy []netip.Prefix
	Limits      protocol.Limits  // of each bot's connection
	Connections gate.Limits      // of all connections; the zero value means gate.DefaultLimits
	Allowance   roster.Allowance // of the bots that the arena starts
	Programs    roster.Commands  // the commands that events may name by their entries; nil for none
	// StartTimeout is the longest time that a program may take until it is ready; 0 for stdio.StartTimeout.
	StartTimeout time.Duration
	Farm         Farm   // plays matches on other machines; nil for none
	Version      string // of this program
	AccessLog    bool   // log a line for each request; otherwise such lines have level debug
	// Watch looks for trouble while the arena is open; nil looks for none.
	Watch *trouble.Watch
	// Database returns the state of the database; nil if it is unknown.
	Database func(ctx context.Context) Database
	// Told is called when a recorded event without visitors begins, pauses, goes on or ends. The News has the progress of
	// the event, and at its end the standings, too. Told may be nil, and must return at once.
	Told func(News)
	Log  *slog.Logger
}

// Store keeps events and their games. results.Store has these methods.
type Store interface {
	// CreateEvent records a new event and returns its number.
	CreateEvent(ctx context.Context, e tournament.Event) (int64, error)
	// Event returns the event with this number, or an error that is tournament.ErrUnknownEvent if there is none.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	// Extend raises the number of matches of each pairing of an event; it never lowers it.
	Extend(ctx context.Context, event int64, matches int) error
	// Voidable returns nil if Void could void a match of an event.
	Voidable(ctx context.Context, event int64, match int) error
	// Void voids a match that was lost by a fault, so that the event plays the match again. The event must not be
	// played meanwhile.
	Void(ctx context.Context, event int64, match int, at time.Time) error
	// Writable returns an error if nothing can be recorded. It returns by the end of ctx.
	Writable(ctx context.Context) error
	// Record calls play with the journal of an event. It writes the journal while play runs, and the rest after play
	// has returned. If the journal cannot be written, Record ends the context of play and returns the error.
	Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error
	// Results calls each with every finished game of an event, the oldest first. It stops at the first error of each
	// and returns it.
	Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error
	// Collect collects an event's decided matches. If timed is set, it also collects the times of the matches that
	// count.
	Collect(ctx context.Context, e tournament.Event, timed bool) (*report.Collector, error)
	// Reopen takes games of an event back to their start: all games that a worker of a farm has played, and the given
	// ones. If later matches depend on results (adapts), Reopen removes the games of later matches, since other bots may
	// meet there now. It returns the number of games taken back or removed. The event must not be played meanwhile.
	Reopen(ctx context.Context, event int64, worker string, games []int64, adapts bool) (int, error)
	// Workers returns the workers of a farm that have played games of an event.
	Workers(ctx context.Context, event int64) ([]string, error)
}

// Records are the recorded events, for requests that only look. results.Store has these methods.
type Records interface {
	// Event, Results and Collect do the same as in a Store.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error
	Collect(ctx context.Context, e tournament.Event, timed bool) (*report.Collector, error)
	// Agenda returns the items of the events that an arena is to play by itself.
	Agenda(ctx context.Context) ([]agenda.Item, error)
}

// ownRecords are the records of an arena that has only one store: visitors and the arena share its connections.
type ownRecords struct {
	Store
	agenda Agenda
}

func (o ownRecords) Agenda(ctx context.Context) ([]agenda.Item, error) { return o.agenda.Agenda(ctx) }

// Server is an arena: bots connect to it, and it plays events. Most of its exported methods are those of its parts.
type Server struct {
	*admission
	*entrants
	*runs
	*queue
	*host
	*turns
	*visitors
	*monitor
	roster   *roster.Roster
	refusals refusals
	records  Records // for requests that only look
	grants   *grants
	proxies  gate.Proxies
	limits   protocol.Limits
	watch    gate.RequestLog
	pages    []Route
	resume   bool           // takes up the events on the agenda
	log      *slog.Logger   // of connections; strangers cannot fill it
	bots     sync.WaitGroup // the bots' connections; http.Server does not track them after the upgrade
}

// New returns an arena that does not listen yet.
func New(c Config) *Server {
	stalls := clock.NewStalls()
	roster, grants := roster.New(c.Grace, stalls), &grants{tokens: c.Tokens, log: c.Log, live: map[*grant]bool{}}
	if c.Agenda == nil {
		c.Agenda = noAgenda{c.Store}
	}
	if c.Records == nil {
		c.Records = ownRecords{c.Store, c.Agenda}
	}
	if c.Connections == (gate.Limits{}) {
		c.Connections = gate.DefaultLimits()
	}
	owners := gate.NewOwners(c.Tokens)
	admission := &admission{
		roster: roster, tokens: c.Tokens, grants: grants, owners: owners, proxies: c.BehindProxy,
		registrar: gate.NewRegistrar(c.Registration, c.Register, owners), requireTokens: c.RequireTokens,
		secret: c.Operator.Secret, secretFile: c.Operator.Path,
		byLink: gate.NewSecret(), public: c.Public, origins: newOrigins(c.Origins, c.Log), sessions: newSessions(), programs: c.Programs,
	}
	host := newHost(c, roster, stalls)
	turns := &turns{entrants: host.entrants, runs: host.runs, admission: admission, proxies: c.BehindProxy}
	s := &Server{
		admission: admission, entrants: host.entrants, runs: host.runs, queue: host.queue, host: host, turns: turns,
		visitors: &visitors{host.entrants, host, turns, gate.Quota{Most: mostVisits, PerAddress: mostVisitsFrom}},
		monitor:  newMonitor(c, host, turns),
		roster:   roster, records: c.Records, grants: grants, proxies: c.BehindProxy, limits: c.Limits,
		log: gate.CalmLog(c.Log), resume: !c.NoResume,
	}
	s.watch = gate.RequestLog{
		Log: c.Log, Calm: gate.CalmLog(c.Log), Level: slog.LevelDebug,
		From: s.clientOf, Trusted: s.proxies.Sent, Counter: host.metrics,
	}
	if c.AccessLog {
		s.watch.Level = slog.LevelInfo
	}
	s.refusals.told = &host.seen
	return s
}

// newHost returns the host of an arena, which plays nothing until it is opened.
func newHost(c Config, bots *roster.Roster, stalls *clock.Stalls) *host {
	runs := newRuns()
	h := &host{
		entrants: &entrants{
			roster: bots, programs: c.Programs, startTimeout: c.StartTimeout, allowed: c.Allowance,
			memory: roster.NewMemoryBudget(c.Allowance.Memory), launch: c.Launch, farm: c.Farm, version: c.Version,
			stalls: stalls, budget: budget.New(runs.isPlaying), log: c.Log,
		},
		runs: runs, store: c.Store, agenda: c.Agenda, metrics: metrics.New(c.Version), log: c.Log, watch: c.Watch, told: c.Told,
	}
	h.queue = &queue{host: h, waiting: map[int64]*run{}}
	bots.OnSeen(h.seen.give)
	bots.OnMoved(func() {
		h.seen.give()
		h.bots.give()
		h.runs.changes.give()
	})
	return h
}

// maxHeaderBytes is the longest header of a request.
const maxHeaderBytes = 16 << 10

// shutdownTimeout is the longest time that open requests may take when the arena shuts down.
const shutdownTimeout = 5 * time.Second

// Serve accepts bots and commands until ctx ends. Then it interrupts the events in progress, keeps their games, says
// goodbye to the bots and returns nil. If a listener fails, Serve also interrupts the events, and returns the error.
// Bots started by the arena connect to the listener, by WebSockets without TLS; other bots may also use the doors.
func (s *Server) Serve(ctx context.Context, listener net.Listener, doors ...Door) error {
	connections, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	var measuring sync.WaitGroup
	defer measuring.Wait()
	defer hangUp()
	life, end := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait() // these goroutines use the database, which the caller closes next
	s.host.botURL = "ws://" + Reachable(listener.Addr()) + "/bot"
	s.host.runs.open(life)
	measuring.Go(func() { s.host.stalls.Watch(connections, s.tellStall) })
	measuring.Go(func() { s.watchLag(connections) })
	watching.Go(func() { s.grants.watch(life) })
	watching.Go(func() { s.host.queue.watch(life) })
	if s.resume {
		s.host.queue.takeUp(life) // before any request for an event
	}
	s.began.Store(time.Now())
	s.ran = s.host.stalls.Running(time.Now())
	watching.Go(func() { s.host.watch.Run(life, s.snapshot) })
	defer s.host.runs.close()
	defer end()
	front, err := s.newFront(connections, listener, doors)
	if err != nil {
		return err
	}
	if err := front.serve(ctx); err != nil {
		return err
	}
	s.host.runs.close()
	timeout, cancel := context.WithTimeout(connections, shutdownTimeout)
	defer cancel()
	err = front.shutdown(timeout)
	s.roster.Goodbye("the arena is shutting down")
	context.AfterFunc(timeout, hangUp)
	s.bots.Wait()
	return err
}

// Reachable returns the address at which this machine reaches a listener with the address a: the loopback address if
// the listener listens on all addresses.
func Reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
