package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"versus2048/internal/server/gate"
)

// Door is a way into an arena beside its first listener. The limits hold for the connections of all doors together.
type Door struct {
	Listener net.Listener
	TLS      *tls.Config  // nil for connections without TLS
	Instead  http.Handler // answers in place of the arena; nil for the arena itself
}

// front accepts the connections of an arena: it has an HTTP server for each door, behind one gate.
type front struct {
	servers   []*http.Server
	listeners []net.Listener
	failed    chan error // gets the error of each server that has ended
}

// newFront returns the front of an arena. connections is the base context of its connections.
func (s *Server) newFront(connections context.Context, first net.Listener, doors []Door) (*front, error) {
	door, err := gate.New(first, s.connections, s.log, s.proxies...)
	if err != nil {
		return nil, fmt.Errorf("serving %v: %w", first.Addr(), err)
	}
	s.gate.Store(door)
	f := &front{failed: make(chan error, 1+len(doors))}
	own := s.handler()
	for _, d := range slices.Concat([]Door{{Listener: first}}, doors) {
		answers := own
		if d.Instead != nil {
			answers = s.budgeted(d.Instead, nil)
		}
		f.servers = append(f.servers, s.newHTTP(connections, door, answers))
		f.listeners = append(f.listeners, door.Beside(d.Listener, d.TLS))
	}
	return f, nil
}

// newHTTP returns the HTTP server of one door. It does not speak HTTP/2: a connection of HTTP/2 can carry hundreds of
// requests, and would count as one.
func (s *Server) newHTTP(connections context.Context, door *gate.Gate, answers http.Handler) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:           door.ByClient(slowRefusals(answers), s.proxies.Client),
		BaseContext:       func(net.Listener) context.Context { return connections },
		ConnContext:       door.ConnContext,
		ReadHeaderTimeout: s.connections.HeaderTime,
		ReadTimeout:       s.connections.RequestTime,
		IdleTimeout:       s.connections.IdleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		Protocols:         protocols,
		ErrorLog:          slog.NewLogLogger(calmErrors{s.log.Handler()}, slog.LevelWarn),
	}
}

// serve starts to accept connections. It returns nil when ctx ends. If a server ends before, serve closes all servers
// and returns the error.
func (f *front) serve(ctx context.Context) error {
	for i, server := range f.servers {
		go func() {
			f.failed <- fmt.Errorf("serving %v: %w", f.listeners[i].Addr(), server.Serve(f.listeners[i]))
		}()
	}
	select {
	case err := <-f.failed:
		for _, server := range f.servers {
			_ = server.Close() // f.failed has the error already
		}
		return err
	case <-ctx.Done():
		return nil
	}
}

// shutdown stops accepting connections, and waits for the requests in progress until ctx ends. Requests that are then
// still in progress are no error.
func (f *front) shutdown(ctx context.Context) error {
	errs := make([]error, len(f.servers))
	var all sync.WaitGroup
	for i, server := range f.servers {
		all.Go(func() { errs[i] = server.Shutdown(ctx) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("shutting down: %w", err)
		}
	}
	return nil
}

// calmErrors gives one message to all lines of http.Server about failed handshakes, so that a calm log recognises them
// as lines of one kind. The rest of each line becomes attributes.
type calmErrors struct{ slog.Handler }

// handshake begins a line about a failed handshake: "http: TLS handshake error from ADDRESS: REASON".
const handshake = "http: TLS handshake error from "

func (h calmErrors) Handle(ctx context.Context, r slog.Record) error {
	rest, found := strings.CutPrefix(r.Message, handshake)
	if !found {
		return h.Handler.Handle(ctx, r)
	}
	from, why, _ := strings.Cut(rest, ": ")
	line := slog.NewRecord(r.Time, r.Level, "TLS handshake failed", r.PC)
	line.AddAttrs(slog.String("from", from), slog.String("why", why))
	return h.Handler.Handle(ctx, line)
}

// slowRefusals makes a connection wait if its requests are refused again and again. On the connection of a proxy only
// the requests of the refused client wait.
func slowRefusals(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &statusWriter{ResponseWriter: w}
		next.ServeHTTP(answer, r)
		if answer.status >= http.StatusBadRequest {
			gate.From(r.Context()).Refused(r.Context())
		}
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
