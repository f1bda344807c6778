package arena

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"versus2048/protocol"
)

// Config is the configuration of an arena.
type Config struct {
	Store Store
	// Launch returns the command that starts a bot as a process.
	Launch        func(Launch) *exec.Cmd
	Grace         time.Duration   // how long a bot may be disconnected
	RequireTokens bool            // from bots on loopback, too
	Limits        protocol.Limits // of each bot's connection
	Allowance     Allowance       // of the bots that the arena starts
	Version       string          // of this program
	Log           *slog.Logger
}

// Server is an arena: bots connect to it, and it plays events.
type Server struct {
	admission *admission
	roster    *roster
	host      *host
	limits    protocol.Limits
	log       *slog.Logger
	bots      sync.WaitGroup // the bots' connections; http.Server does not track them after the upgrade
}

// New returns an arena that does not listen yet.
func New(c Config) *Server {
	roster := newRoster(c.Grace)
	return &Server{
		admission: &admission{roster: roster, tokens: c.Store, requireTokens: c.RequireTokens},
		roster:    roster,
		host: &host{
			store:   c.Store,
			roster:  roster,
			launch:  c.Launch,
			allowed: c.Allowance,
			memory:  newMemory(c.Allowance.Memory),
			version: c.Version,
			log:     c.Log,
			runs:    map[int64]*run{},
		},
		limits: c.Limits,
		log:    c.Log,
	}
}

// shutdownTimeout is how long open requests may take when the arena shuts down.
const shutdownTimeout = 5 * time.Second

// Serve accepts bots and commands until ctx ends. Then it interrupts the events
// in progress, keeps their games, says goodbye to the bots and returns nil.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	connections, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	life, end := context.WithCancel(ctx)
	s.host.life = life
	defer s.host.close()
	defer end()
	s.host.botURL = "ws://" + Reachable(listener.Addr()) + "/bot"
	web := &http.Server{
		Handler:           s.handler(),
		BaseContext:       func(net.Listener) context.Context { return connections },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()

	select {
	case err := <-failed:
		return fmt.Errorf("serving %v: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	s.host.close()
	timeout, cancel := context.WithTimeout(connections, shutdownTimeout)
	defer cancel()
	if err := web.Shutdown(timeout); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shutting down: %w", err)
	}
	s.roster.goodbye("the arena is shutting down")
	context.AfterFunc(timeout, hangUp)
	s.bots.Wait()
	return nil
}

// handler returns the arena's HTTP interface: bots at /bot, commands below /api.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bot", s.serveBot)
	commands := &api{admission: s.admission, roster: s.roster, host: s.host, log: s.log}
	commands.register(mux)
	return mux
}

// serveBot serves one bot's connection until it ends.
func (s *Server) serveBot(w http.ResponseWriter, r *http.Request) {
	s.bots.Add(1)
	defer s.bots.Done()
	conn, hello, err := protocol.Accept(w, r, s.limits)
	if err != nil {
		s.log.Info("bot turned away", "from", r.RemoteAddr, "why", err)
		return
	}
	refused, err := s.admission.admitBot(r, hello)
	if err != nil {
		s.log.Error("checking a bot's token failed", "bot", hello.Name, "error", err)
		refused = &refusal{protocol.InternalError, "the arena could not check the token; try again later"}
	}
	if refused == nil {
		s.log.Info("bot admitted", "bot", hello.Name, "from", r.RemoteAddr, "slots", hello.Slots)
		err = s.roster.serve(r.Context(), conn, hello)
		s.log.Info("bot left", "bot", hello.Name, "from", r.RemoteAddr, "why", err)
	}
	if errors.Is(err, protocol.ErrNameInUse) {
		refused = &refusal{protocol.NameInUse, "a bot of this name is connected already; if it is yours and lost its connection, try again until the arena has noticed"}
	}
	if refused != nil {
		s.log.Warn("bot refused", "bot", hello.Name, "from", r.RemoteAddr, "code", refused.code)
		conn.Refuse(refused.code, refused.message)
	}
}

// Reachable returns an address at which this machine reaches a listener at a:
// the loopback address if the listener listens on all addresses.
func Reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
