// Package mcptest has an assistant for tests: it calls tools by the SDK's own client, and plays the first legal moves.
//
//	agent := mcptest.Connect(t, &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1:8931/mcp"})
//	agent.Call("challenge", map[string]any{"opponent": "greedy", "size": "2x2"}, nil)
//	games := agent.Play(1)
package mcptest
