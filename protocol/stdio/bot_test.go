package stdio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// player is a player that is a function.
type player func(ctx context.Context, p rules.Position) (rules.Move, error)

func (f player) Choose(ctx context.Context, p rules.Position) (rules.Move, error) { return f(ctx, p) }

// talk has a bot answer lines.
func talk(t *testing.T, b stdio.Bot, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Run(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	checkLines(t, strings.Split(strings.TrimSpace(out.String()), "\n")...)
	return out.String()
}

// first plays the first legal move.
func first(map[string]string, stdio.New) (players.Player, error) {
	return player(func(_ context.Context, p rules.Position) (rules.Move, error) { return p.AppendMoves(nil)[0], nil }), nil
}

// session has a bot answer lines one after the other. Each step is a line and the answers to it. The next line is sent
// once all answers have come.
func session(t *testing.T, b stdio.Bot, steps ...[]string) {
	t.Helper()
	in, arena := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- b.Run(t.Context(), in, out) }()
	reader := stdio.NewReader(answers)
	for _, step := range steps {
		checkLines(t, step[1:]...)
		if _, err := io.WriteString(arena, step[0]+"\n"); err != nil {
			t.Fatal(err)
		}
		for _, want := range step[1:] {
			if got, err := reader.Line(); err != nil || got != want {
				t.Fatalf("%s is answered by %q, %v, want %q", step[0], got, err, want)
			}
		}
	}
	if err := arena.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestBot(t *testing.T) {
	b := stdio.Bot{
		IDs:     []stdio.ID{{Key: stdio.IDName, Text: "first"}},
		Options: []stdio.Option{{Name: "depth", Type: stdio.IntType, Default: "3", Min: "1", Max: "9"}},
		New: func(settings map[string]string, g stdio.New) (players.Player, error) {
			if settings["depth"] == "9" {
				return nil, errors.New("too deep")
			}
			return first(settings, g)
		},
	}
	session(
		t, b,
		[]string{"what is this"},
		[]string{"v2048 1", "id name first", "option name=depth type=int default=3 min=1 max=9", "ready"},
		[]string{"set depth=10", "error option depth=10: want a whole number from 1 to 9"},
		[]string{"set width=1", `error no option is named "width"`},
		[]string{"set depth=2"},
		[]string{"new game=1 role=defender rules=gpcc2015 size=2x2 seed=1"},
		[]string{"go 2,0/0,0 D ply=1 score=0", "move S"},
		[]string{"go 2,0/0,0", `error line "go 2,0/0,0": want a position, such as go 2,0/0,0 D ply=1 score=0`},
		[]string{"over score=0"},
		[]string{"go 2,0/0,0 A ply=2 score=0", "move (2,1)"}, // without a new
		[]string{"set depth=9"},
		[]string{"new role=attacker"},
		[]string{"go 2,0/0,0 A ply=2 score=0", "error too deep"},
	)
}

func TestBotGivesUp(t *testing.T) {
	for text, err := range map[string]error{"resign": players.ErrResigned, "error out of memory": errors.New("out of\nmemory")} {
		session(t, stdio.Bot{New: func(map[string]string, stdio.New) (players.Player, error) {
			return player(func(context.Context, rules.Position) (rules.Move, error) { return 0, err }), nil
		}}, []string{"go 2,0/0,0 D", text})
	}
}

// Every end of the game stops a thinking bot, and its answer is not sent. After quit the answer is sent.
func TestBotStopsThinking(t *testing.T) {
	for end, want := range map[string]string{"over": "", "new role=defender": "", "quit": "move S\n"} {
		out := talk(t, stdio.Bot{New: func(map[string]string, stdio.New) (players.Player, error) {
			return player(func(ctx context.Context, p rules.Position) (rules.Move, error) {
				<-ctx.Done()
				return p.AppendMoves(nil)[0], nil
			}), nil
		}}, "go 2,0/0,0 D", end)
		if out != want {
			t.Errorf("after %q it says %q, want %q", end, out, want)
		}
	}
}

// The last answer is sent even after the end of the input.
func TestBotAnswersAtTheEnd(t *testing.T) {
	for range 20 { // select chooses at random between a line and an answer
		for _, end := range []string{"", "quit"} {
			if out := talk(t, stdio.Bot{New: first}, "v2048 1", "go 2,0/0,0 D", end); out != "ready\nmove S\n" {
				t.Fatalf("after %q it says %q", end, out)
			}
		}
	}
}

// The time of a move is the arena's time minus the margin.
func TestBotsTime(t *testing.T) {
	session(t, stdio.Bot{New: func(map[string]string, stdio.New) (players.Player, error) {
		return player(func(ctx context.Context, p rules.Position) (rules.Move, error) {
			<-ctx.Done()
			return p.AppendMoves(nil)[0], nil
		}), nil
	}}, []string{"go 2,0/0,0 D left_ms=1", "move S"}, []string{"go 2,0/0,0 D left_ms=0", "move S"})
}

func TestBotFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	endless, arena := io.Pipe()
	defer arena.Close()
	b := stdio.Bot{New: first}
	if err := b.Run(ctx, endless, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if err := b.Run(t.Context(), strings.NewReader(strings.Repeat("x", 2*stdio.MaxLine)), io.Discard); !errors.Is(err, stdio.ErrTooLong) {
		t.Errorf("a long line: %v", err)
	}
	closed, out := io.Pipe()
	closed.Close()
	if err := b.Run(t.Context(), strings.NewReader("v2048 1"), out); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: %v", err)
	}
}
