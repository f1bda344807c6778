// Package protocol connects an arena with its bots: JSON messages over a WebSocket, as described in docs/PROTOCOL.md.
//
//	// The arena accepts the bot's connection and serves it in ann's session.
//	ann := protocol.NewSession(protocol.Hello{Name: "ann"}, 30*time.Second)
//	arena := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
//		conn, hello, err := protocol.Accept(w, r, protocol.DefaultLimits())
//		if err == nil {
//			err = ann.Serve(ctx, conn, hello)
//		}
//		log.Println("the connection ended:", err)
//	}))
//	defer arena.Close()
//
//	// The bot usually runs in another process.
//	bot := protocol.Client{
//		URL:   "ws" + strings.TrimPrefix(arena.URL, "http"),
//		Hello: protocol.Hello{Name: "ann"},
//		New:   func(s protocol.Start) (players.Player, error) { return greedy.New(players.Game{Seed: s.Seed}), nil },
//	}
//	done := make(chan error)
//	go func() { done <- bot.Run(ctx) }()
//
//	// The arena uses the bot's seat in a game like any other player.
//	var defender players.Player = ann.StartGame(protocol.Start{Game: "1", Role: rules.Defender}, position)
//	move, err := defender.Choose(ctx, position)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println("score:", position.Next(move).Score())
//	ann.Goodbye("the game is over", false)
//	fmt.Println("the bot returned", <-done)
//
// On the arena's side, Accept admits a connection, a Session represents a bot across all its connections, and a
// Seat is the bot's side in one game. A Seat is a players.Player, so a referee does not see whether a bot runs
// in the arena's process or behind a socket. On the bot's side, a Client serves one player for each game.
//
// Each connection has one goroutine that reads and one that writes; both end before Session.Serve or Client.Run
// returns. Senders never wait for a slow reader: messages wait in a bounded queue, and the connection ends when
// the queue is full. After a reconnect the arena sends the state of every game again.
//
// CheckName decides which names a bot may have, and AlikeNames which names people may mistake for one another. Names
// are kept as they were sent; only comparisons change their form.
package protocol
