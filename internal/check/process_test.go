package check

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/protocol/stdio"
)

// botVariable says which bot this test binary is, when a test has started it as one.
const botVariable = "VERSUS2048_CHECK_TEST_BOT"

func TestMain(m *testing.M) {
	if name := os.Getenv(botVariable); name != "" {
		os.Exit(beBot(name))
	}
	os.Exit(m.Run())
}

// beBot is an honest bot in a process, with one fault that only a process can have.
func beBot(fault string) (status int) {
	in := io.Reader(os.Stdin)
	switch fault {
	case "ignores SIGTERM":
		signal.Ignore(syscall.SIGTERM)
	case "leaves a child behind":
		child := exec.Command("sleep", "60")
		if err := child.Start(); err != nil {
			return 3
		}
	case "ignores the end of its input":
		defer func() { <-time.After(time.Hour) }() // Go ends a program that waits for nothing, unless it has C
	case "ends with a status":
		defer func() { status = 3 }()
	case "dies":
		fmt.Fprintln(os.Stderr, "it hurts")
		return 1
	case "needs more memory with each game":
		in = hungry(in)
	}
	spec, err := players.Parse("greedy")
	if err != nil {
		return 3
	}
	bot := stdioBot(spec)
	if err := bot.Run(context.Background(), in, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// stdioBot returns a bot of the registry that speaks the line protocol.
func stdioBot(spec players.Spec) *stdio.Bot {
	return &stdio.Bot{
		IDs: []stdio.ID{{Key: stdio.IDName, Text: spec.Kind()}, {Key: stdio.IDVersion, Text: "1"}},
		New: func(_ map[string]string, g stdio.New) (players.Player, error) {
			return spec.New(players.Game{Seed: g.Seed, Clock: g.Clock}), nil
		},
		Margin: 20 * time.Millisecond,
	}
}

// hungry passes lines on and keeps 2 MiB for each new game.
func hungry(in io.Reader) io.Reader {
	out, to := io.Pipe()
	go func() {
		var kept [][]byte
		for lines := bufio.NewScanner(in); lines.Scan(); fmt.Fprintln(to, lines.Text()) {
			if strings.HasPrefix(lines.Text(), "new ") {
				block := make([]byte, 2<<20)
				for i := range block {
					block[i] = byte(i)
				}
				kept = append(kept, block)
			}
		}
		runtime.KeepAlive(kept)
		to.Close()
	}()
	return out
}

// processBot returns this binary as a bot.
func processBot(t *testing.T, fault string) *LineBot {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &LineBot{fault, func() (program, error) { return startProcess([]string{self}, []string{botVariable + "=" + fault}) }}
}

// generous are options for a machine that has other things to do.
func generous(only ...string) Options {
	return Options{Only: only, Slack: 5 * time.Second, Wait: 20 * time.Second}
}

// Faults that only a process can have.
func TestWrongProcesses(t *testing.T) {
	for _, f := range []struct{ fault, check string }{
		{"ignores SIGTERM", "end.sigterm"},
		{"ignores the end of its input", "end.eof"},
		{"ends with a status", "end.status"},
		{"leaves a child behind", "end.children"},
		{"needs more memory with each game", "memory.growth"},
		{"dies", "handshake.ready"},
	} {
		t.Run(f.fault, func(t *testing.T) {
			t.Parallel()
			if known := map[string]bool{"end.children": true, "memory.growth": true}; known[f.check] && runtime.GOOS != "linux" {
				return // these are skipped there
			}
			o := generous(f.check)
			if strings.HasPrefix(f.fault, "ignores") {
				o.Slack = time.Second // which is waited for
			}
			report := wantFailureWith(t, processBot(t, f.fault), o, f.check)
			if f.fault == "dies" && report.Results[0].Failures[0].Stderr != "it hurts\n" {
				t.Errorf("stderr is %q", report.Results[0].Failures[0].Stderr)
			}
		})
	}
}

// honest are the bots of the registry, with options that make them quick; "" stands for a kind that plays only
// from a file.
var honest = map[string]string{
	"random":     "random",
	"greedy":     "greedy",
	"chance":     "chance",
	"evminimax":  "evminimax:depth=2",
	"alphabeta":  "alphabeta:depth=2,table=10",
	"champion":   "champion:time=1",
	"mcts":       "mcts:playouts=10",
	"dag":        "dag:playouts=10",
	"mctsplus":   "mctsplus:playouts=10",
	"ov3y":       "ov3y:time=1",
	"expectimax": "expectimax:depth=2",
	"perfect":    "",
	"ntuple":     "",
	"td":         "",
	"dqn":        "",
	"cnn":        "",
	"ppo":        "",
	"az":         "",
	"muzero":     "",
}

// A real process of an honest bot passes everything.
func TestHonestProcess(t *testing.T) {
	t.Parallel()
	wantFailureWith(t, processBot(t, "none"), generous())
}

// A bot on a socket may print as much as it likes: nobody reads it, and it does not wait.
func TestTalkativeClient(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := NewSocketBot(listener, []string{"head", "-c", "1000000", "/dev/zero"})
	defer b.finish()
	if err := b.launch(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.running.done():
	case <-time.After(time.Minute):
		t.Error("it waits until somebody reads what it prints")
	}
}

// A program that never ceases to write is ended, before it is ready and after a request.
func TestFlood(t *testing.T) {
	t.Parallel()
	flood := []string{"yes", strings.Repeat("x", 1000)}
	for name, c := range map[string]struct {
		command []string
		check   string
	}{
		"at once":    {flood, "handshake.ready"},
		"when ready": {[]string{"sh", "-c", "echo ready; exec " + strings.Join(flood, " ")}, "moves.one-slide"},
	} {
		t.Run(name, func(t *testing.T) {
			report := wantFailureWith(t, NewLineBot(c.command), generous(c.check), c.check)
			failures := report.Results[0].Failures
			if len(failures) != 1 || !strings.HasSuffix(failures[0].Problem, ": an arena would end it") {
				t.Errorf("the failures are %+v", failures)
			}
		})
	}
}

// A bot that ends in place of connecting is reported as such, once, with its output.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bot := NewSocketBot(listener, []string{"sh", "-c", "echo it hurts >&2; exit 3"})
	report := wantFailureWith(t, bot, generous("handshake.ready", "refusal.stops", "goodbye.leaves"), "handshake.ready")
	failures := report.Results[0].Failures
	if len(failures) != 1 || !strings.HasSuffix(failures[0].Problem, ": its command ends (exit status 3)") || failures[0].Stderr != "it hurts\n" {
		t.Errorf("the failures are %+v", failures)
	}
	if n := report.Count("", Skipped); n != len(report.Results)-1 {
		t.Errorf("%d of %d checks are skipped", n, len(report.Results))
	}
}

// A command that is not there is told as such.
func TestNoCommand(t *testing.T) {
	report := wantFailureWith(t, NewLineBot([]string{"/no/such/bot"}), generous(), "handshake.ready")
	if got := report.Results[0].Failures[0].Problem; !strings.Contains(got, "no such file") {
		t.Errorf("the problem is %q", got)
	}
	if n := report.Count("", Skipped); n != len(report.Results)-1 {
		t.Errorf("%d of %d checks are skipped", n, len(report.Results))
	}
}

// A Client of this project passes everything over a real socket.
func TestHonestClient(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	b := NewSocketBot(listener, nil)
	b.begin = func() (program, error) { return startClient(b.URL(), spec), nil }
	wantFailureWith(t, b, generous())
}

// clientProgram is a Client of this process.
type clientProgram struct {
	pipeProgram
}

func startClient(url string, spec players.Spec) program {
	ctx, cancel := context.WithCancel(context.Background())
	p := &clientProgram{pipeProgram{ended: make(chan struct{}), ctx: ctx, cancel: cancel}}
	client := protocol.Client{
		URL:    url,
		Hello:  protocol.Hello{Name: "client", Version: "1", Slots: 4},
		New:    func(s protocol.Start) (players.Player, error) { return spec.Within(s.Budget).New(s.Setup()), nil },
		Margin: 20 * time.Millisecond, Reconnect: time.Minute,
	}
	go func() {
		defer close(p.ended)
		_ = client.Run(ctx)
	}()
	return p
}

func (p *clientProgram) kill()                 { p.cancel() }
func (p *clientProgram) memory() (int64, bool) { return 8 << 20, true }

// Each kind of bot passes over the line protocol.
func TestHonestKinds(t *testing.T) {
	testkit.Long(t)
	for _, k := range players.Kinds() {
		text, ok := honest[k.Name]
		if !ok {
			t.Errorf("%s is not among the honest bots", k.Name)
			continue
		}
		if text == "" {
			continue
		}
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			spec, err := players.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			only := []string{"handshake.ready", "moves.defender", "moves.attacker", "moves.merges", "moves.huge", "search.valid", "clock.left", "clock.increment", "games.next"}
			o := generous(only...)
			o.Slack = 30 * time.Second // the champion unpacks a network in its first move: long, with the race detector on a busy machine
			wantFailureWith(t, &LineBot{text, func() (program, error) { return startHonest(spec), nil }}, o)
		})
	}
}

// startHonest starts a bot of the registry on pipes.
func startHonest(spec players.Spec) program {
	botIn, in := io.Pipe()
	out, botOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &clientProgram{pipeProgram{in: in, out: out, ended: make(chan struct{}), ctx: ctx, cancel: cancel}}
	go func() {
		defer close(p.ended)
		_ = stdioBot(spec).Run(ctx, botIn, botOut)
		botOut.Close()
		botIn.Close()
	}()
	return p
}

// --only names checks that exist and are for the medium.
func TestOnly(t *testing.T) {
	for id, want := range map[string]string{
		"moves.atacker":  "did you mean moves.attacker?",
		"nonsense":       "there is no check",
		"ping.answered":  "over websocket, not stdio",
		"moves.attacker": "",
	} {
		checks, err := choose(Lines, []string{id})
		if want == "" {
			if err != nil || len(checks) != 1 {
				t.Errorf("%s: %v, %v", id, checks, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", id, err, want)
		}
	}
	if ids := len(List()); ids < 50 {
		t.Errorf("only %d checks", ids)
	}
	if slices.ContainsFunc(List(), func(c Check) bool { return c.Demand == "" || c.run == nil || c.Media == 0 || c.Level == "" }) {
		t.Error("a check lacks something")
	}
}
