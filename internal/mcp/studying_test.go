package mcp_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/docs"
	"versus2048/internal/mcp"
	"versus2048/internal/mcp/mcptest"
)

func TestStudy(t *testing.T) {
	a := open(t, nil)
	agent := a.agent()
	var worth mcp.ExactOut
	agent.Call("exact_values", map[string]any{"position": "2,0/0,0 D 0 1"}, &worth)
	if worth.Gain <= 0 || worth.Plies <= 0 || len(worth.Moves) != 2 || !worth.Moves[0].Best {
		t.Errorf("the exact values are %+v", worth)
	}
	var thought mcp.OpinionOut
	agent.Call("opinion", map[string]any{"bot": "mcts:playouts=100", "position": "2,0/0,0 D 0 1"}, &thought)
	if thought.Move == "" || len(thought.Moves) != 2 || thought.Moves[0].Visits == 0 || len(thought.Expected) == 0 {
		t.Errorf("the opinion is %+v", thought)
	}
	var bots mcp.ListBotsOut
	agent.Call("list_bots", map[string]any{}, &bots)
	if len(bots.Kinds) < 5 || len(bots.Connected) != 0 {
		t.Errorf("the bots are %+v", bots)
	}
	for _, wrong := range []struct {
		tool, want string
		args       map[string]any
	}{
		{"exact_values", "no exact values", map[string]any{"position": "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D 0 1"}},
		{"exact_values", "position", map[string]any{"position": "2,0/0,3 D 0 1"}},
		{"exact_values", "rules", map[string]any{"position": "2,0/0,0 D 0 1", "rules": "chess"}},
		{"opinion", "bot", map[string]any{"bot": "deepblue", "position": "2,0/0,0 D 0 1"}},
		{"opinion", "over", map[string]any{"bot": "greedy", "position": "2,4/4,2 D 8 7"}},
		{"replay", "game", map[string]any{"game": 99}},
		{"standings", "event", map[string]any{"event": 99}},
		{"head_to_head", "", map[string]any{"first": "no/body", "second": "none"}},
		{"challenge", "role", map[string]any{"opponent": "greedy", "role": "referee"}},
		{"challenge", "deepblue", map[string]any{"opponent": "deepblue"}},
		{"move", "not connected", map[string]any{"move": "N"}},
		{"move", "move", map[string]any{}},
		{"wait_for_turn", "timeout_seconds", map[string]any{"timeout_seconds": "long"}},
	} {
		if why := agent.Refused(wrong.tool, wrong.args); !strings.Contains(why, wrong.want) {
			t.Errorf("%s %v: %s", wrong.tool, wrong.args, why)
		}
	}
}

// The rules and the documents are resources, and each has a description.
func TestDescriptions(t *testing.T) {
	a := open(t, nil)
	agent := a.agent()
	rules, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "versus2048://rules"})
	if err != nil {
		t.Fatal(err)
	}
	if text := rules.Contents[0].Text; !strings.Contains(text, "### Notation") || strings.Contains(text, "## Connecting") {
		t.Errorf("the rules are %s", text)
	}
	documents, err := agent.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := docs.Texts.ReadDir(".")
	if err != nil || len(documents.Resources) != len(files)+1 { // and the rules
		t.Errorf("%d resources, want %d documents and the rules: %v", len(documents.Resources), len(files), err)
	}
	for _, d := range documents.Resources {
		if r, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: d.URI}); err != nil || r.Contents[0].Text == "" || d.Description == "" {
			t.Errorf("%s (%s): %v", d.URI, d.Description, err)
		}
	}
	if _, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "versus2048://docs/../go.mod"}); err == nil {
		t.Error("a file that is no document was read")
	}
}

// Addresses without an arena, and arenas that hang, are errors of a sentence.
func TestNoArena(t *testing.T) {
	hung := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hung:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(hung); silent.Close() })
	bots := http.NewServeMux()
	bots.Handle("GET /bot", silent.Config.Handler)
	bots.HandleFunc("GET /api/bots", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) })
	deaf := httptest.NewServer(bots) // to bots that connect
	t.Cleanup(deaf.Close)
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	agent := func(url string, p mcp.Patience) *mcptest.Agent {
		patient := func(c *mcp.Config) { c.Patience = p }
		return mcptest.Connect(t, &sdk.StreamableClientTransport{Endpoint: serve(t, url, "ws"+strings.TrimPrefix(url, "http")+"/bot", patient).URL})
	}
	for url, c := range map[string]struct {
		patience mcp.Patience // short only where no answer comes
		want     string
	}{
		"http://" + closed.Addr().String(): {mcp.Patience{}, "no arena answers at"},
		other.URL:                          {mcp.Patience{}, "is this the address of an arena?"},
		silent.URL:                         {mcp.Patience{Answer: 100 * time.Millisecond}, "has not answered within 100ms"},
	} {
		for tool, args := range map[string]map[string]any{"list_events": {}, "join": {}, "challenge": {"opponent": "greedy"}} {
			if why := agent(url, c.patience).Refused(tool, args); !strings.Contains(why, c.want) {
				t.Errorf("%s at %s: %s", tool, url, why)
			}
		}
	}
	if why := agent(deaf.URL, mcp.Patience{Admission: 100 * time.Millisecond}).Refused("join", map[string]any{}); !strings.Contains(why, `has not admitted "robot" within 100ms`) {
		t.Error(why)
	}
}

// Requests of pages of other sites, and those that name another host, are refused.
func TestForeignRequests(t *testing.T) {
	a := open(t, nil)
	for header, value := range map[string]string{"Origin": "https://evil.example", "Host": "evil.example"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.mcp.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if r.Header.Set(header, value); header == "Host" {
			r.Host = value
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s %s: %s", header, value, answer.Status)
		}
	}
}

// docs/MCP.md has an item for each tool with all its parameters, and every one of these has a description.
func TestDocument(t *testing.T) {
	text, err := docs.Texts.ReadFile("MCP.md")
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^- `(\\w+)`(?: \\(([^)]*)\\))?:").FindAllStringSubmatch(string(text), -1) {
		items[m[1]] = m[2]
	}
	a := open(t, nil)
	listed, err := a.agent().ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		text, err := json.Marshal(tool.InputSchema)
		if err == nil {
			err = json.Unmarshal(text, &schema)
		}
		if err != nil {
			t.Fatal(err)
		}
		item, known := items[tool.Name]
		if !known || tool.Description == "" {
			t.Errorf("%s has no item, or no description", tool.Name)
		}
		delete(items, tool.Name)
		for name, property := range schema.Properties {
			if property.Description == "" || !strings.Contains(item, "`"+name+"`") {
				t.Errorf("%s: the parameter %s is not described", tool.Name, name)
			}
		}
		if named := strings.Count(item, "`") / 2; named != len(schema.Properties) {
			t.Errorf("%s has %d parameters, the item %d", tool.Name, len(schema.Properties), named)
		}
	}
	if len(items) > 0 {
		t.Errorf("items without a tool: %v", items)
	}
}
