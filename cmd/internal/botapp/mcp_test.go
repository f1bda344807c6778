package botapp_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/mcp"
	"versus2048/internal/mcp/mcptest"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/internal/web"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// programVariable makes this test binary the program bot.
const programVariable = "VERSUS2048_TEST_BOT"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		os.Exit(cmdline.Main(botapp.App(), os.Args))
	}
	os.Exit(m.Run())
}

// openArena opens an arena with its pages in this process.
func openArena(t *testing.T) *server.Client {
	t.Helper()
	arena, err := hosting.OpenLocal(t.Context(), filepath.Join(t.TempDir(), "arena.db"), hosting.Terms{Grace: time.Minute, Memory: 4 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := arena.Close(); err != nil {
			t.Error(err)
		}
	})
	return arena.Client
}

// command returns the program bot mcp, which is not started yet. Its user has no files from before.
func command(t *testing.T, args ...string) *testkit.Program {
	t.Helper()
	p := testkit.NewProgram(os.Args[0], append([]string{"mcp"}, args...)...)
	home := t.TempDir()
	p.Env = append(os.Environ(), programVariable+"=1", "HOME="+home, "XDG_CACHE_HOME="+home+"/cache", "XDG_CONFIG_HOME="+home+"/config", "VERSUS2048_TOKEN=", "VERSUS2048_OPERATOR_TOKEN=")
	return p
}

// startMatch starts a rated event of one match on 2x2.
func startMatch(t *testing.T, arena *server.Client, bots ...string) (event int64) {
	t.Helper()
	event, err := arena.Start(t.Context(), tournament.Event{
		Name: "cup", Size: rules.Size{Width: 2, Height: 2}, Seed: 3, Matches: 1, Concurrency: 1, InProcess: true, Bots: bots,
	})
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// An assistant that has started bot mcp plays a rated match over the program's standard input and output, and a game by
// challenge. When the assistant ends, also while it waits, the program ends with it.
func TestStdio(t *testing.T) {
	arena := openArena(t)
	program := command(t, "--server", arena.URL, "--name", "robot")
	var log bytes.Buffer
	program.Stdout, program.Stderr = nil, &log // the transport sets the others
	agent := mcptest.Connect(t, &sdk.CommandTransport{Command: program.Cmd})
	agent.Call("join", map[string]any{}, nil)
	event := startMatch(t, arena, "robot", "greedy")
	if games := agent.Play(2); games[0].Ending != "mate" || games[1].Ending != "mate" || games[0].Role == games[1].Role {
		t.Errorf("the games are %+v", games)
	}
	last, err := arena.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.Done != 2 || last.Faults != nil {
		t.Errorf("the event is %+v, error %v", last, err)
	}
	agent.Call("leave", map[string]any{}, nil)
	agent.Call("challenge", map[string]any{"opponent": "random", "size": "2x2"}, nil)
	if game := agent.Play(1)[0]; game.Role != "defender" || game.Ending != "mate" {
		t.Errorf("the challenge is %+v", game)
	}
	var ratings server.Ratings
	if ratings, err = arena.Ratings(t.Context(), ""); err != nil || ratings.List == nil || ratings.List.Matches != 1 {
		t.Errorf("the ratings are %+v, error %v", ratings, err)
	}
	agent.Refused("join", map[string]any{"name": "x\ny"})
	agent.Call("join", map[string]any{}, nil)
	waiting := make(chan error)
	go func() {
		_, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait_for_turn", Arguments: map[string]any{"timeout_seconds": 600}})
		waiting <- err
	}()
	if err := agent.Close(); err != nil {
		t.Errorf("the program ends with %v:\n%s", err, log.String())
	}
	<-waiting
	awaitNobody(t, arena)
}

// awaitNobody waits until no bot is connected.
func awaitNobody(t *testing.T, arena *server.Client) {
	t.Helper()
	testkit.Await(t, "the bots to leave", func() bool {
		bots, err := arena.Bots(t.Context())
		return err == nil && len(bots) == 0
	})
}

// Assistants play against each other over HTTP. An interrupt ends their connections.
func TestHTTP(t *testing.T) {
	arena := openArena(t)
	program := command(t, "--server", arena.URL, "--http", ":0")
	program.Begin(t)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
	program.AwaitOutput(t, "/mcp")
	endpoint := address.FindString(program.Output.String())
	ann := mcptest.Connect(t, &sdk.StreamableClientTransport{Endpoint: endpoint})
	bob := mcptest.Connect(t, &sdk.StreamableClientTransport{Endpoint: endpoint})
	ann.Call("join", map[string]any{"name": "ann"}, nil)
	bob.Call("join", map[string]any{"name": "bob"}, nil)
	startMatch(t, arena, "ann", "bob")
	played := make(chan []mcp.Finished)
	go func() {
		defer close(played) // also if bob fails the test
		played <- bob.Play(2)
	}()
	if games := ann.Play(2); games[1].Ending != "mate" {
		t.Errorf("the games are %+v", games)
	}
	if games := <-played; len(games) != 2 || games[1].Ending != "mate" {
		t.Errorf("the other assistant's games are %+v", games)
	}
	if why := ann.Refused("join", map[string]any{"name": "carl"}); !strings.Contains(why, "call leave") {
		t.Error(why)
	}
	program.Interrupt(t)
	if err := program.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
	awaitNobody(t, arena)
}

// A token that the arena does not know is refused in a sentence.
func TestWrongToken(t *testing.T) {
	arena := openArena(t)
	program := command(t, "--server", arena.URL, "--name", "robot", "--token", "nonsense")
	program.Stdout, program.Stderr = nil, nil
	agent := mcptest.Connect(t, &sdk.CommandTransport{Command: program.Cmd})
	if why := agent.Refused("join", map[string]any{}); !strings.Contains(why, "bad_token") {
		t.Error(why)
	}
}

// Wrong flags are errors in the usage.
func TestUsage(t *testing.T) {
	for flags, want := range map[string]string{
		"--server nonsense":                       "nonsense",
		"--http nonsense":                         "want a host and a port",
		"--http 203.0.113.9:1":                    "--http 203.0.113.9:1",
		"--invitation nonsense --name robot":      "want the link or the code",
		"--invitation KQ7M2XWDPA5C":               "--name is missing",
		"argument":                                "argument",
		"--server http://127.0.0.1:2048 --htpp a": "did you mean --http",
	} {
		program := command(t, strings.Fields(flags)...)
		program.Begin(t)
		if err := program.Wait(); err == nil || !program.Printed(want) || strings.Count(program.Output.String(), "\n") > 2 {
			t.Errorf("%s: %v: %s", flags, err, program.Output.String())
		}
	}
}

// An assistant registers its name by an invitation. The command keeps the token for the next time.
func TestInvitation(t *testing.T) {
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() }) // after the arena
	door, secret := testkit.NewArena(t), gate.NewSecret()
	arena := server.New(server.Config{
		Store: store, Tokens: store.Tokens(), Register: store.Tokens(), Registration: gate.RegistrationByInvitation, Operator: gate.OperatorFile{Secret: secret},
		Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.New(slog.DiscardHandler),
	})
	site, err := web.New(web.Config{Arena: arena, Store: store, Log: slog.New(slog.DiscardHandler), Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	arena.Add(site.Routes()...)
	door.Serve(t, func(ctx context.Context, l net.Listener) error { return arena.Serve(ctx, l) })
	code, err := (&server.Client{URL: door.URL(), Token: secret}).Invite(t.Context(), gate.UsualInvitationTerms())
	if err != nil {
		t.Fatal(err)
	}
	first := command(t, "--name", "robot", "--invitation", door.URL()+"/connect?invitation="+code)
	again := command(t, "--name", "robot", "--server", door.URL())
	again.Env = first.Env
	for _, program := range []*testkit.Program{first, again} {
		program.Stdout, program.Stderr = nil, nil
		agent := mcptest.Connect(t, &sdk.CommandTransport{Command: program.Cmd})
		var joined mcp.JoinOut
		if agent.Call("join", map[string]any{}, &joined); joined.Registered != (program == first) {
			t.Errorf("joined is %+v", joined)
		}
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
	}
}
