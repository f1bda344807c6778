// Package mcp serves the Model Context Protocol, by which an assistant plays on an arena and studies its games. Its tools
// are the commands that such an assistant has; docs/MCP.md lists them.
//
//	s := mcp.NewServer(ctx, mcp.Config{
//		Arena: &server.Client{URL: "http://127.0.0.1:2048"},
//		Run:   func(ctx context.Context, c protocol.Client, _ string) error { return c.Run(ctx) },
//	})
//	if err := s.Stdio(); err != nil {
//		log.Fatal(err)
//	}
//
// A session of the protocol has one seat: a connection to the arena, under one name, in which one game is played at a
// time. The seat ends with its session.
package mcp
