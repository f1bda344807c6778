package mcptest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/internal/mcp"
)

// Agent is an assistant that is connected to a server.
type Agent struct {
	*sdk.ClientSession
	t testing.TB
}

// Connect connects an assistant, which leaves at the end of the test. progress is called with each message about
// progress.
func Connect(t testing.TB, transport sdk.Transport, progress ...func(*sdk.ProgressNotificationParams)) *Agent {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			for _, told := range progress {
				told(r.Params)
			}
		},
	})
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // the test may have closed it
	return &Agent{session, t}
}

// Call calls a tool and decodes its answer, unless into is nil. The test fails if the tool refuses.
func (a *Agent) Call(tool string, args, into any) {
	a.t.Helper()
	r := a.call(tool, args)
	if r.IsError {
		a.t.Fatalf("%s %v: %s", tool, args, textOf(r))
	}
	if into == nil {
		return
	}
	text, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		a.t.Fatalf("%s %v: %v", tool, args, err)
	}
}

// Refused calls a tool that must refuse, and returns its reason, which must be one line.
func (a *Agent) Refused(tool string, args any) string {
	a.t.Helper()
	r := a.call(tool, args)
	if why := textOf(r); r.IsError && why != "" && !strings.Contains(why, "\n") {
		return why
	}
	a.t.Fatalf("%s %v: want an error in one line, is %v: %s", tool, args, r.IsError, textOf(r))
	return ""
}

func (a *Agent) call(tool string, args any) *sdk.CallToolResult {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s %v: the protocol failed: %v", tool, args, err)
	}
	return r
}

func textOf(r *sdk.CallToolResult) (text string) {
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			text += t.Text
		}
	}
	return text
}

// Play plays the first legal move of each turn until that many games are over, and returns them.
func (a *Agent) Play(games int) (finished []mcp.Finished) {
	a.t.Helper()
	for len(finished) < games {
		var n mcp.News
		a.Call("wait_for_turn", map[string]any{"timeout_seconds": 600}, &n)
		finished = append(finished, n.Finished...)
		for n.Status == mcp.YourTurn {
			var played mcp.MoveOut
			a.Call("move", map[string]any{"move": n.State.LegalMoves[0], "wait_seconds": 600}, &played)
			n = played.News
			finished = append(finished, n.Finished...)
		}
	}
	return finished
}
