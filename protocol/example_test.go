package protocol_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	greedy, err := players.Parse("greedy")
	if err != nil {
		log.Fatal(err)
	}
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}

	// The arena accepts the bot's connection and serves it in ann's session.
	ann := protocol.NewSession(protocol.Hello{Name: "ann"}, 30*time.Second)
	arena := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, hello, err := protocol.Accept(w, r, protocol.DefaultLimits())
		if err == nil {
			err = ann.Serve(ctx, conn, hello)
		}
		log.Println("the connection ended:", err)
	}))
	defer arena.Close()

	// The bot usually runs in another process.
	bot := protocol.Client{
		URL:   "ws" + strings.TrimPrefix(arena.URL, "http"),
		Hello: protocol.Hello{Name: "ann"},
		New:   func(s protocol.Start) (players.Player, error) { return greedy.New(players.Game{Seed: s.Seed}), nil },
	}
	done := make(chan error)
	go func() { done <- bot.Run(ctx) }()

	// The arena uses the bot's seat in a game like any other player.
	var defender players.Player = ann.StartGame(protocol.Start{Game: "1", Role: rules.Defender}, position)
	move, err := defender.Choose(ctx, position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("score:", position.Next(move).Score())
	ann.Goodbye("the game is over", false)
	fmt.Println("the bot returned", <-done)
	// Output:
	// score: 52
	// the bot returned <nil>
}
