package mcptest_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/internal/mcp/mcptest"
)

func Example() {
	var t *testing.T // the test of the server

	agent := mcptest.Connect(t, &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1:8931/mcp"})
	agent.Call("challenge", map[string]any{"opponent": "greedy", "size": "2x2"}, nil)
	games := agent.Play(1)
	t.Log(games[0].Score)
}
