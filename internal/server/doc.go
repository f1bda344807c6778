// Package server is the server that bots connect to and that plays events.
//
//	operator := gate.OperatorFile{Secret: gate.NewSecret()}
//	arena := server.New(server.Config{
//		Store:    store,  // events and games
//		Tokens:   tokens, // of bots and operators
//		Launch:   launch, // the command that starts a bot given by its spec
//		Grace:    30 * time.Second,
//		Limits:   protocol.DefaultLimits(),
//		Operator: operator, // proves who may start events
//		Log:      slog.Default(),
//	})
//	go arena.Serve(ctx, listener)
//
//	client := &server.Client{URL: "http://" + listener.Addr().String(), Token: operator.Secret}
//	event, err := client.Start(ctx, tournament.Event{
//		Bots:    []string{"random", "greedy"},
//		Size:    rules.Full,
//		Matches: 1, Concurrency: 2, InProcess: true,
//	})
//
// Bots connect at /bot (see docs/PROTOCOL.md). Commands are HTTP requests below /api (see docs/API.md). [Client] sends
// them. The [gate.OperatorFile] proves that a command comes from the user who started the arena. The [Store], an
// interface, keeps events and games.
//
// A [Round] is work other than matches for workers: batches of one kind, all with one bot. The client that asks for a
// round gets lines about its progress.
package server
