package process_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/players/playertest"
	"versus2048/players/process"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// start starts a program, which ends with the test.
func start(t *testing.T, c process.Config) *process.Program {
	t.Helper()
	p, err := process.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// small returns limits for tests that exceed them.
func small() process.Limits {
	l := process.DefaultLimits()
	l.QuitTime, l.TermTime, l.Output = 10*time.Millisecond, 10*time.Millisecond, 10000
	return l
}

// empty is a game on the empty board, with the program as attacker.
var empty = stdio.New{Game: "1", Role: rules.Attacker, Rules: rules.GPCC2015, Size: rules.Full, Seed: 7}

func TestConformance(t *testing.T) {
	quick, patient := start(t, process.Config{Command: bot("spec", "mcts:playouts=12,expand=2")}), start(t, process.Config{Command: bot("spec", "mcts:playouts=100000000,nodes=10000"), Margin: time.Minute})
	sit := func(p *process.Program) func(t *testing.T, s playertest.Setting) players.Player {
		return func(t *testing.T, s playertest.Setting) players.Player {
			g := p.Play(t.Context(), stdio.New{Role: s.Side, Rules: s.Start.Rules(), Size: s.Start.Size(), Seed: s.Seed})
			t.Cleanup(func() { g.Over(stdio.Over{}) })
			return g
		}
	}
	playertest.Run(t, playertest.Suite{New: sit(quick), Patient: sit(patient), Plies: 40, TimeToMove: 20 * time.Second})
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		is      error
		says    string        // the error
		log     string        // a part of the log
		wrong   string        // the complaint
		time    time.Duration // for the move; 0 for no limit
		settles bool          // whether the test waits for the end of a process that does not end
	}{
		"dies": {
			is: players.ErrGone, says: `its process ended (exit status 3); the last line of its standard error is "ValueError: x"; it was sent "go 0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A ply=0`,
			log: "Traceback\nValueError: x\n",
		},
		"hangs":                       {is: context.DeadlineExceeded, wrong: `it was sent "go 0,0`, time: time.Millisecond},
		"writes no end of line":       {is: context.DeadlineExceeded, wrong: `it wrote "move N\r" without an end of line`, time: time.Second, log: "arena: it wrote"},
		"floods":                      {is: players.ErrGone, says: `it wrote more than 10000 bytes without an answer, the last line "info nodes=1"`},
		"writes a long line":          {is: players.ErrGone, says: "it wrote a line of more than 65536 bytes"},
		"writes junk":                 {says: `line "move N2": move "N2": want N, S, W, E`, log: "arena: line \"thinking...\": the first word is unknown", wrong: `line "info nodes=-1": nodes=-1`},
		"moves illegally":             {log: ""},
		"closes its output":           {is: players.ErrGone, says: "it has closed its standard output; it was sent \"go ", settles: true},
		"closes its input":            {is: players.ErrGone, says: "it has closed its standard input", settles: true},
		"resigns":                     {is: players.ErrResigned},
		"gives up":                    {is: players.ErrGone, says: `it gave up: line "error out of memory"`},
		"reports impossible searches": {log: "arena: the info lines before the move at ply 0 are not recorded: search: move 2"},
		"leaves a child":              {is: players.ErrGone, says: "its process ended; the last line of its standard error is "},
	} {
		t.Run(name, func(t *testing.T) {
			limits := small()
			if c.settles {
				limits.Settle = 10 * time.Millisecond
			} else {
				limits.Settle = time.Minute // on a slow machine, too
			}
			if name == "leaves a child" {
				limits.Settle = time.Second // another process holds the standard error
			}
			g := start(t, process.Config{Command: bot(name), Limits: limits}).Play(t.Context(), empty)
			ctx := t.Context()
			if c.time > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.time)
				defer cancel()
			}
			_, err := choose(ctx, t, g)
			if name == "closes its input" && err == nil {
				_, err = choose(ctx, t, g) // the first line that the program does not read
			}
			if c.is != nil && !errors.Is(err, c.is) || c.is == nil && c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("error %v, want %v that says %s", err, c.is, c.says)
			}
			if !strings.Contains(g.Complaint(), c.wrong) || c.wrong == "" && c.is == nil && g.LastSearch() != nil {
				t.Errorf("complaint %q, want one that says %q", g.Complaint(), c.wrong)
			}
			if log := string(g.Log()); !strings.Contains(log, c.log) {
				t.Errorf("the log is\n%s\nwant %s", log, c.log)
			}
			g.Over(stdio.Over{})
		})
	}
}

// choose asks for the first move of the game empty.
func choose(ctx context.Context, t *testing.T, g *process.Game) (rules.Move, error) {
	t.Helper()
	return g.Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full))
}

// An illegal move is for the referee. The complaint is the line that the program sent.
func TestIllegalMove(t *testing.T) {
	g := start(t, process.Config{Command: bot("moves illegally")}).Play(t.Context(), empty)
	defer g.Over(stdio.Over{})
	p := rules.NewPosition(rules.GPCC2015, rules.Full).Next(rules.Place(0, false)).Next(rules.South).Next(rules.Place(15, false))
	move, err := g.Choose(t.Context(), p)
	if err != nil || move != rules.Place(15, false) || g.Complaint() != `line "move (4,4)"` {
		t.Errorf("%v, %v, complaint %q", move, err, g.Complaint())
	}
}

// The error of a command that is written in a wrong way says how to write it.
func TestStartError(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("me.py", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"python3 me.py": "not in quotes together: python3 me.py", "me.py": "as in python3 me.py", "./me.py": "as in python3 ./me.py",
	} {
		if _, err := process.Start(t.Context(), process.Config{Command: []string{command}}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v", command, err)
		}
	}
}

func TestStartFails(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	for name, want := range map[string]string{
		"never ready":             `it is not ready after 50ms: give it more time with --start-timeout 100ms`,
		"says nothing":            "--start-timeout 100ms; no line came: does it flush its output after `ready`?",
		"is ready without an end": `--start-timeout 2s; it wrote "ready" without an end of line`,
		"no command":              "no command: name the program",
		"no program":              "starting /no/such/program",
	} {
		command, timeout := bot(name), 50*time.Millisecond
		switch name {
		case "no command":
			command = nil
		case "no program":
			command = []string{"/no/such/program"}
		case "is ready without an end":
			timeout = time.Second // so that it has written that
		}
		if _, err := process.Start(t.Context(), process.Config{Command: command, Limits: limits, StartTimeout: timeout}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
	_, err := process.Start(t.Context(), process.Config{Command: bot("dies at once"), Limits: limits})
	for _, want := range []string{`its process ended (exit status 3)`, `the last line of its standard error is "no such file: weights"`} {
		if err == nil || !strings.Contains(err.Error(), want) { // and the last line that it was sent, if any
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A program may tell the games that it plays, before it is ready. A program that plays none of the known games
// does not start.
func TestPlays(t *testing.T) {
	for games, want := range map[string]string{"": "", "size=4x4,3x3 rules=gpcc2016": "rules=gpcc2016 size=3x3,4x4", "size=5x5,4x4 role=defender": "size=4x4 role=defender"} {
		if got := start(t, process.Config{Command: bot("plays " + games), Limits: small()}).Plays().String(); got != want {
			t.Errorf("plays %s: %s, want %s", games, got, want)
		}
	}
	_, err := process.Start(t.Context(), process.Config{Command: bot("plays size=5x5 role=atacker"), Limits: small()})
	if err == nil || !strings.HasSuffix(err.Error(), `: line "plays size=5x5 role=atacker color=red": it plays only size= role=, and no such game is known: want some of size=2x2,2x3,2x4,3x2,3x3,3x4,4x2,4x3,4x4 role=attacker,defender`) {
		t.Errorf("error %v", err)
	}
}

// A process that reported ready before it was asked is ready. Later lines of a greeting are ignored.
func TestReadyTooEarly(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	name, err := process.GreetLate(t.Context(), process.Config{Command: bot("is ready too early"), Limits: limits})
	if err != nil || name != "early" {
		t.Errorf("its name is %q, error %v", name, err)
	}
}

// A process that has played a game to its end plays the next one. After a fault the next game has a new
// process.
func TestProcessesAreUsedAgain(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute // its child is killed before
	program := start(t, process.Config{Command: bot("leaves a child"), Limits: limits})
	var logs []string
	for range 2 {
		g := program.Play(t.Context(), empty)
		if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
			t.Fatal(err)
		}
		logs = append(logs, strings.TrimSpace(string(g.Log())))
		g.Over(stdio.Over{})
	}
	if logs[0] == logs[1] || logs[0] == "" {
		t.Errorf("the children of both processes are %q", logs)
	}
	program = start(t, process.Config{Command: bot("spec", "random")})
	for range 3 {
		g := program.Play(t.Context(), empty)
		if _, err := choose(t.Context(), t, g); err != nil {
			t.Fatal(err)
		}
		g.Over(stdio.Over{})
		if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
			t.Errorf("after the game: %v", err)
		}
	}
	if n := process.Started(program); n != 1 {
		t.Errorf("%d processes for three games, one after the other", n)
	}
}

// A process that has answered plays on, whatever its answer was.
func TestAnsweringProcessesAreUsedAgain(t *testing.T) {
	for _, name := range []string{"gives up", "resigns", "moves illegally", "writes junk"} {
		program := start(t, process.Config{Command: bot(name)})
		for range 2 {
			g := program.Play(t.Context(), empty)
			_, _ = choose(t.Context(), t, g) // TestFaults checks the answers
			g.Over(stdio.Over{})
		}
		if n := process.Started(program); n != 1 {
			t.Errorf("%s: %d processes for two games, one after the other", name, n)
		}
	}
}

// Each of several games at once has its own process.
func TestGamesAtOnce(t *testing.T) {
	program := start(t, process.Config{Command: bot("spec", "greedy")})
	var games sync.WaitGroup
	var all []*process.Game
	for range 3 {
		all = append(all, program.Play(t.Context(), empty))
	}
	for _, g := range all {
		games.Go(func() {
			if _, err := g.Choose(t.Context(), rules.NewPosition(rules.GPCC2015, rules.Full)); err != nil {
				t.Error(err)
			}
		})
	}
	games.Wait()
	if n := process.Started(program); n != 3 {
		t.Errorf("%d processes for three games at once", n)
	}
}

// A program may have processes that wait for games before there are any games.
func TestReady(t *testing.T) {
	program := start(t, process.Config{Command: bot("spec", "greedy"), Ready: 3})
	if n := process.Started(program); n != 3 {
		t.Errorf("%d processes wait, want 3", n)
	}
	for range 3 {
		g := program.Play(t.Context(), empty)
		if _, err := choose(t.Context(), t, g); err != nil {
			t.Error(err)
		}
	}
	if n := process.Started(program); n != 3 {
		t.Errorf("%d processes for three games at once", n)
	}
	limits := small()
	limits.Settle = time.Minute
	_, err := process.Start(t.Context(), process.Config{Command: bot("starts once"), Folder: t.TempDir(), Ready: 3, Limits: limits})
	if err == nil || !strings.Contains(err.Error(), `the last line of its standard error is "mkdir started: file exists"`) {
		t.Errorf("error %v of a program that starts once", err)
	}
}

// A program that is closed ends its processes, also those that ignore signals, and starts no more.
func TestClose(t *testing.T) {
	program, err := process.Start(t.Context(), process.Config{Command: bot("ignores signals"), Limits: small()})
	if err != nil {
		t.Fatal(err)
	}
	g := program.Play(t.Context(), empty)
	program.Close()
	if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
		t.Errorf("error %v, want %v", err, players.ErrGone)
	}
	if _, err := choose(t.Context(), t, program.Play(t.Context(), empty)); err == nil || !strings.Contains(err.Error(), "the program is closed") {
		t.Errorf("error %v", err)
	}
}

// When a move has come, the log has everything that the living program has written before the move.
func TestLogBeforeMove(t *testing.T) {
	limits := small()
	limits.Settle, limits.Linger = time.Minute, 0
	program := start(t, process.Config{Command: bot("complains and moves illegally"), Limits: limits})
	for i := range 50 {
		g := program.Play(t.Context(), empty)
		if _, err := choose(t.Context(), t, g); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time, too
			if log := string(g.Log()); !strings.HasPrefix(log, "go 0,0,0,0/") || strings.Count(log, "\n") != 1 {
				t.Fatalf("game %d: the log is %q", i, log)
			}
		}
		g.Over(stdio.Over{})
	}
	if n := process.Started(program); n != 1 {
		t.Errorf("%d processes for games one after the other", n)
	}
}

// The log also has the text that the program writes a short time after an illegal move.
func TestLogAfterMove(t *testing.T) {
	limits := small()
	limits.Settle, limits.Linger = time.Minute, time.Minute // it ends earlier
	g := start(t, process.Config{Command: bot("complains after its move"), Limits: limits}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); err != nil {
		t.Fatal(err)
	}
	if log := string(g.Log()); log != "I regret that\n" {
		t.Errorf("the log is %q", log)
	}
	g.Over(stdio.Over{})
}

// After a legal move the log is complete at once.
func TestLogAfterLegalMove(t *testing.T) {
	limits := small()
	limits.Settle, limits.Linger = time.Minute, time.Hour
	g := start(t, process.Config{Command: bot("spec", "random"), Limits: limits}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); err != nil {
		t.Fatal(err)
	}
	if log := string(g.Log()); log != "playing 1\n" {
		t.Errorf("the log is %q", log)
	}
	g.Over(stdio.Over{})
}

// The log keeps the end of a long text. All of the text is passed on.
func TestLongLog(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	var all bytes.Buffer
	g := start(t, process.Config{Command: bot("writes a long log"), Limits: limits, Errors: &all}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); err == nil || !strings.Contains(err.Error(), `the last line of its standard error is "line 19999"`) {
		t.Errorf("error %v", err)
	}
	if log := string(g.Log()); len(log) != process.MaxLog || !strings.HasSuffix(log, "line 19998\nline 19999\n") {
		t.Errorf("%d bytes that end with %q", len(log), log[len(log)-30:])
	}
	if lines := strings.Count(all.String(), "\n"); lines != 20_000 {
		t.Errorf("%d lines were passed on, want 20000", lines)
	}
	g.Over(stdio.Over{})
}

func TestOptions(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	var said bytes.Buffer
	c := process.Config{
		Command: bot("tells its settings"), Limits: limits, Errors: &said,
		Options: map[string]string{"depth": "7"}, Budget: players.Effort{Playouts: 12, Nodes: 100},
	}
	program := start(t, c)
	if n := len(program.Options()); n != 3 {
		t.Errorf("%d options", n)
	}
	g := program.Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
		t.Error(err)
	}
	g.Over(stdio.Over{})
	program.Close()
	// The log of a game begins with the game. Earlier text is in the log only by chance, but all of it is passed on.
	if want := "set depth=7\nset playouts=12\nset time=0\n"; !strings.Contains(said.String(), want) {
		t.Errorf("it got %q, want %q", said.String(), want)
	}
	for name, value := range map[string]string{"depth": "10", "width": "1"} {
		c.Options = map[string]string{name: value}
		if _, err := process.Start(t.Context(), c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: error %v", name, value, err)
		}
	}
	c.Options = nil
	if got := process.Settings(c, program.Options()); strings.Join(got, ",") != "set playouts=12,set time=0" {
		t.Errorf("the settings are %q", got)
	}
}

// Programs do not see the tokens of bots and operators.
func TestEnvironment(t *testing.T) {
	t.Setenv("VERSUS2048_OPERATOR_TOKEN", "secret")
	t.Setenv("VERSUS_OTHER", strconv.Itoa(2048))
	limits := small()
	limits.Settle = time.Minute
	g := start(t, process.Config{Command: bot("tells its environment"), Limits: limits}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); err == nil {
		t.Error("no error")
	}
	if log := string(g.Log()); strings.Contains(log, "secret") || !strings.Contains(log, "VERSUS_OTHER=2048") {
		t.Errorf("it sees\n%s", log)
	}
	g.Over(stdio.Over{})
}
