// Package protocol is the wire between an arena and its bots: JSON messages over
// a WebSocket, as docs/PROTOCOL.md describes them.
//
//	// The arena's end.
//	ann := protocol.NewSession(protocol.Hello{Name: "ann"}, 30*time.Second)
//	arena := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
//		conn, hello, err := protocol.Accept(w, r, protocol.DefaultLimits())
//		if err == nil {
//			err = ann.Serve(ctx, conn, hello)
//		}
//		log.Println("ann left:", err)
//	}))
//	defer arena.Close()
//
//	// The bot's end, usually in another process.
//	bot := protocol.Client{
//		URL:   "ws" + strings.TrimPrefix(arena.URL, "http"),
//		Hello: protocol.Hello{Name: "ann"},
//		New:   func(s protocol.Start) (players.Player, error) { return greedy.New(s.Seed), nil },
//	}
//	left := make(chan error)
//	go func() { left <- bot.Run(ctx) }()
//
//	// In her seat ann is a player like any other.
//	var defender players.Player = ann.Sit(protocol.Start{Game: "1", Role: rules.Defender}, position)
//	move, err := defender.Choose(ctx, position)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println("score:", position.Next(move).Score())
//	ann.Goodbye("that's all", false)
//	fmt.Println("the bot ends with", <-left)
//
// On the arena's side Accept admits a connection, a Session is a bot across its
// connections, and a Seat is the bot's place in one game: a players.Player. On
// the bot's side a Client serves players, one for each game. So a referee sees
// no difference between a bot in its own process and one at the other end of a
// socket, and any player can be put there.
//
// A connection has one goroutine that reads and one that writes, both within
// Session.Serve or Client.Run. Nobody waits for a slow reader: messages to it
// wait in a bounded queue, and when that is full the connection ends. What was
// missed is told again when the bot is back.
package protocol
