package hosting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/protocol/stdio"
	"versus2048/results"
)

// Terms are the conditions of events on a local arena.
type Terms struct {
	Grace        time.Duration   // the time that a bot may be disconnected
	Memory       int64           // bytes that the bots may use
	Programs     roster.Commands // the commands that events may name
	StartTimeout time.Duration   // of a program; 0 for stdio.StartTimeout
}

// ServeLocal serves an arena on an open database. Its bots may use any file. When ctx ends, the arena interrupts its
// events, and tells the clients that follow these events.
func ServeLocal(ctx context.Context, store *results.Store, t Terms) (*Arena, error) {
	listener, err := listenLocally()
	if err != nil {
		return nil, err
	}
	return serveOn(ctx, listener, store, t)
}

// listenLocally listens on a free port of this machine.
func listenLocally() (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on this machine: %w", err)
	}
	return listener, nil
}

// serveOn is ServeLocal on a given listener. It closes the listener.
func serveOn(ctx context.Context, listener net.Listener, store *results.Store, t Terms) (*Arena, error) {
	ctx, stop := context.WithCancel(ctx)
	config := Config(store, newLog(os.Stderr, slog.LevelError), t.Grace)
	a := &Arena{
		Client: &server.Client{URL: "http://" + server.Reachable(listener.Addr()), Token: config.Operator.Secret},
		terms:  t,
		stop:   stop,
		served: make(chan error, 1),
	}
	config.Allowance = roster.Allowance{AnyFile: true, Memory: uint64(t.Memory)}
	config.Programs, config.StartTimeout = t.Programs, t.StartTimeout
	arena := newArena(config, store)
	if err := addPages(arena, config, store, nil); err != nil {
		stop()
		return nil, errors.Join(err, listener.Close())
	}
	go func() { a.served <- arena.Serve(ctx, listener) }()
	return a, nil
}

// Arena is the arena for a command's event: a running arena, or a local one on a database.
type Arena struct {
	Client *server.Client
	// Flag and Value are the flag that names the arena to other commands: --server with its address, or --db with its
	// database. An arena of ServeLocal has neither, so that its ResumeCommand cannot be used.
	Flag, Value string
	Store       *results.Store // the database that Close closes, nil for none
	terms       Terms          // of a local arena

	stop   context.CancelFunc // nil for a running arena
	served chan error         // receives the error of a local arena
}

// OpenRunning opens a running arena.
func OpenRunning(client *server.Client) *Arena {
	return &Arena{Client: client, Flag: "--server", Value: client.URL}
}

// OpenLocal opens a database, or creates it, and serves an arena on it as ServeLocal does.
func OpenLocal(ctx context.Context, db string, t Terms) (*Arena, error) {
	listener, err := listenLocally()
	if err != nil {
		return nil, err
	}
	return OpenOn(ctx, listener, db, t)
}

// OpenOn is OpenLocal on a given listener. It closes the listener, also if it returns an error.
func OpenOn(ctx context.Context, listener net.Listener, db string, t Terms) (*Arena, error) {
	store, err := results.Open(ctx, db)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	a, err := serveOn(ctx, listener, store, t)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.Flag, a.Value, a.Store = "--db", db, store
	return a, nil
}

// IsLocal reports whether this process serves the arena.
func (a *Arena) IsLocal() bool { return a.stop != nil }

// ResumeCommand returns the command that resumes an event of the arena, with its programs and their start timeout. If
// the file of the database was moved away and a copy was rescued, the command names that copy.
func (a *Arena) ResumeCommand(event int64) string {
	database := a.Value
	if a.Store != nil {
		if moved := a.Store.Moved(); moved != nil && moved.Rescued != "" {
			database = moved.Rescued
		}
	}
	command := ResumeCommand(event, a.Flag, database)
	for _, bot := range a.terms.Programs.Bots() {
		command += " --bot " + cmdline.Quote(bot)
	}
	if t := a.terms.StartTimeout; len(a.terms.Programs) > 0 && t != 0 && t != stdio.StartTimeout {
		command += fmt.Sprintf(" --%s %v", cmdline.StartTimeout, t)
	}
	return command
}

// Close stops a local arena and closes its Store. It returns the errors of both. For a running arena it does nothing.
func (a *Arena) Close() error {
	if a.stop == nil {
		return nil
	}
	a.stop()
	err := <-a.served
	if a.Store != nil {
		err = errors.Join(err, a.Store.Close())
	}
	return err
}

// ResumeCommand returns the command that resumes an event on the arena that the flag and its value name.
func ResumeCommand(event int64, flag, value string) string {
	return EventCommand("resume", flag, value, event)
}

// EventCommand returns the command arena event VERB NUMBERS for the arena that the flag and its value name. The first
// number is an event's. Some verbs need a second number, a match's.
func EventCommand(verb, flag, value string, numbers ...int64) string {
	words := []string{cmdline.ThisProgram(), "event", verb}
	for _, n := range numbers {
		words = append(words, strconv.FormatInt(n, 10))
	}
	return strings.Join(append(words, flag, cmdline.Quote(value)), " ")
}
