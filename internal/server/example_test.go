package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os/exec"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	store, tokens := newStore(), newStore()
	launch := func(l roster.Own) *exec.Cmd {
		return exec.Command("bot", "run", l.Spec, "--url", l.URL, "--name", l.Name)
	}

	operator := gate.OperatorFile{Secret: gate.NewSecret()}
	arena := server.New(server.Config{
		Store:    store,  // events and games
		Tokens:   tokens, // of bots and operators
		Launch:   launch, // the command that starts a bot given by its spec
		Grace:    30 * time.Second,
		Limits:   protocol.DefaultLimits(),
		Operator: operator, // proves who may start events
		Log:      slog.Default(),
	})
	go arena.Serve(ctx, listener)

	client := &server.Client{URL: "http://" + listener.Addr().String(), Token: operator.Secret}
	event, err := client.Start(ctx, tournament.Event{
		Bots:    []string{"random", "greedy"},
		Size:    rules.Full,
		Matches: 1, Concurrency: 2, InProcess: true,
	})
	if err != nil {
		panic(err)
	}
	last, err := client.Follow(ctx, event, func(server.Progress) {})
	fmt.Println(last.State, last.Done, err)
	// Output: finished 2 <nil>
}
