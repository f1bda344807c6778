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

// Config is what an arena is made of.
type Config struct {
	Store Store
	// Launch is the command that starts a bot as a process.
	Launch        func(Launch) *exec.Cmd
	Grace         time.Duration   // how long a bot may be disconnected
	RequireTokens bool            // also of bots on loopback
	Limits        protocol.Limits // of each bot's connection
	Version       string          // of this program
	Log           *slog.Logger
}

// Server is an arena: bots connect to it, and events are played on it.
type Server struct {
	roster        *roster
	host          *host
	tokens        Tokens
	requireTokens bool
	limits        protocol.Limits
	log           *slog.Logger
	bots          sync.WaitGroup // connections, which the HTTP server knows no more of
}

// New is an arena that does not listen yet.
func New(c Config) *Server {
	roster := newRoster(c.Grace)
	return &Server{
		roster:        roster,
		tokens:        c.Store,
		requireTokens: c.RequireTokens,
		limits:        c.Limits,
		log:           c.Log,
		host: &host{
			store:   c.Store,
			roster:  roster,
			launch:  c.Launch,
			version: c.Version,
			log:     c.Log,
			current: map[int64]*performance{},
		},
	}
}

// shutdownPatience is how long open requests may take when the arena closes.
const shutdownPatience = 5 * time.Second

// Serve accepts bots and commands until ctx ends. Then it interrupts the events
// being played, keeps their games, takes leave of the bots and returns nil.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	connections, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	life, end := context.WithCancel(ctx)
	s.host.life = life
	defer s.host.close()
	defer end()
	s.host.botURL = "ws://" + Reachable(listener.Addr()) + "/bot"
	web := &http.Server{
		Handler:           s.routes(),
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
	patience, cancel := context.WithTimeout(connections, shutdownPatience)
	defer cancel()
	if err := web.Shutdown(patience); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shutting down: %w", err)
	}
	s.roster.goodbye("the arena is shutting down")
	context.AfterFunc(patience, hangUp)
	s.bots.Wait()
	return nil
}

// serveBot is the life of one bot's connection.
func (s *Server) serveBot(w http.ResponseWriter, r *http.Request) {
	s.bots.Add(1)
	defer s.bots.Done()
	conn, hello, err := protocol.Accept(w, r, s.limits)
	if err != nil {
		s.log.Info("bot turned away", "from", r.RemoteAddr, "why", err)
		return
	}
	no, err := s.admit(r, hello)
	if err != nil {
		s.log.Error("admitting a bot", "bot", hello.Name, "error", err)
		no = &refusal{protocol.InternalError, "the arena could not check the token; try again later"}
	}
	if no == nil {
		s.log.Info("bot admitted", "bot", hello.Name, "from", r.RemoteAddr, "slots", hello.Slots)
		err = s.roster.serve(r.Context(), conn, hello)
		s.log.Info("bot left", "bot", hello.Name, "from", r.RemoteAddr, "why", err)
	}
	if errors.Is(err, protocol.ErrNameInUse) {
		no = &refusal{protocol.NameInUse, "a bot of this name is connected already; if it is yours and lost its connection, try again until the arena has noticed"}
	}
	if no != nil {
		s.log.Warn("bot refused", "bot", hello.Name, "from", r.RemoteAddr, "code", no.code)
		conn.Refuse(no.code, no.message)
	}
}

// Reachable is an address at which this machine reaches a listener: loopback
// where it listens on all addresses.
func Reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
