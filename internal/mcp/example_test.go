package mcp_test

import (
	"context"
	"log"

	"versus2048/internal/mcp"
	"versus2048/internal/server"
	"versus2048/protocol"
)

func Example() {
	ctx := context.Background()

	s := mcp.NewServer(ctx, mcp.Config{
		Arena:  &server.Client{URL: "http://127.0.0.1:2048"},
		BotURL: "ws://127.0.0.1:2048/bot",
		Run:    func(ctx context.Context, c protocol.Client, _ string) error { return c.Run(ctx) },
	})
	if err := s.Stdio(); err != nil {
		log.Fatal(err)
	}
}
