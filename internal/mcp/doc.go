// Package mcp serves the Model Context Protocol: an assistant plays on an arena and studies its games by tools, which
// docs/MCP.md lists.
//
//	s := mcp.NewServer(ctx, mcp.Config{
//		Arena:  &server.Client{URL: "http://127.0.0.1:2048"},
//		BotURL: "ws://127.0.0.1:2048/bot",
//		Run:    func(ctx context.Context, c protocol.Client, _ string) error { return c.Run(ctx) },
//	})
//	if err := s.Stdio(); err != nil {
//		log.Fatal(err)
//	}
//
// A session of the protocol has one seat: a connection to the arena under one name, for one game at a time. The seat
// ends with its session.
package mcp
