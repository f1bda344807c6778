package botcmd_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/cmd/internal/botcmd"
	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// play is this test binary as a program of the tests: a bot with that spec.
func play(spec string) {
	if spec == "dies" {
		die()
	}
	parsed, err := players.Parse(spec)
	if err != nil {
		panic(err)
	}
	bot := stdio.Bot{IDs: []stdio.ID{{Key: "name", Text: "it"}, {Key: "version", Text: "3"}}, New: func(_ map[string]string, g stdio.New) (players.Player, error) {
		return parsed.New(players.Game{Seed: g.Seed}), nil
	}}
	if err := bot.Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// die ends with the first request.
func die() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch word, _, _ := strings.Cut(lines.Text(), " "); word {
		case "v2048":
			fmt.Println("ready")
		case "go":
			fmt.Fprintln(os.Stderr, "division by zero")
			os.Exit(1)
		}
	}
}

func run(t *testing.T, bot string, clock tournament.Clock) *botcmd.TrialReport {
	t.Helper()
	r, err := botcmd.RunTrial(t.Context(), botcmd.Trial{
		Command: []string{os.Args[0], "bot", bot}, Opponents: []string{"greedy", "evminimax:depth=1"}, Matches: 4,
		Size: rules.Size{Width: 2, Height: 2}, Clock: clock, Seed: 7,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestHonest(t *testing.T) {
	r := run(t, "evminimax:depth=2", tournament.Clock{})
	if len(r.Faults) > 0 || r.Name != "it" || r.Version != "3" || r.Moves < 16 {
		t.Errorf("the report is %+v", r)
	}
	for _, a := range r.Against {
		if a.Matches != 2 || len(a.Defends) != 2 || len(a.Attacks) != 2 {
			t.Errorf("%s: %+v", a.Opponent, a)
		}
	}
	if slices.ContainsFunc(r.Advice(), func(a botcmd.Advice) bool { return strings.Contains(a.Text, "fault") }) {
		t.Errorf("the advice is %v", r.Advice())
	}
}

// The same seed leads to the same scores.
func TestSeed(t *testing.T) {
	a, b := run(t, "greedy", tournament.Clock{}), run(t, "greedy", tournament.Clock{})
	if fmt.Sprint(a.Against[0].Defends, a.Against[1].Attacks) != fmt.Sprint(b.Against[0].Defends, b.Against[1].Attacks) {
		t.Errorf("%+v and %+v", a.Against, b.Against)
	}
}

func TestFaults(t *testing.T) {
	r := run(t, "dies", tournament.Clock{PerMove: time.Minute})
	if len(r.Faults) != 8 || r.Against[0].Won != 0 {
		t.Errorf("the faults are %+v", r.Faults)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"8 of 8 games ended by a fault", "after 1 ply, ", "forfeits the whole match", "division by zero", "does not say its version"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
}

// A program that is not there is a result.
func TestNothingPlayed(t *testing.T) {
	r, err := botcmd.RunTrial(t.Context(), botcmd.Trial{Command: []string{"/no/such/program"}, Opponents: []string{"greedy"}, Matches: 1, Size: rules.Full})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Advice(); len(got) != 1 || got[0].Code != "nothing-played" || !strings.Contains(got[0].Text, "/no/such/program") || !strings.Contains(r.Problem, "no such file") {
		t.Errorf("%+v with the advice %v", r, got)
	}
}

// A wrong spec is an error.
func TestWrongOpponent(t *testing.T) {
	_, err := botcmd.RunTrial(t.Context(), botcmd.Trial{Command: []string{os.Args[0]}, Opponents: []string{"gredy"}, Matches: 1, Size: rules.Full})
	if err == nil || !strings.HasPrefix(err.Error(), `--against: bot "gredy": unknown bot "gredy" (did you mean greedy?)`) {
		t.Errorf("error %v", err)
	}
}

// Advice depends on times and scores.
func TestAdvice(t *testing.T) {
	slow := botcmd.TrialReport{Version: "1", Limit: time.Second, Moves: 10, Mean: 500 * time.Millisecond, Slowest: 900 * time.Millisecond}
	quick := botcmd.TrialReport{Version: "1", Limit: time.Second, Moves: 10, Mean: time.Millisecond, Slowest: 2 * time.Millisecond}
	weak := botcmd.TrialReport{Version: "1", Against: []botcmd.Against{
		{Opponent: "greedy", Matches: 1, Defends: []int{900}, Attacks: []int{300}},
		{Opponent: "evminimax", Matches: 1, Defends: []int{900}, Attacks: []int{2000}},
	}}
	for want, r := range map[string]botcmd.TrialReport{
		"would be late": slow, "time for a deeper search": quick, "defends worse against evminimax": weak, "nothing to complain": {Version: "1"},
		"1 game repeated an earlier game": {Version: "1", Equal: 1},
	} {
		if got := fmt.Sprint(r.Advice()); !strings.Contains(got, want) {
			t.Errorf("the advice is %s, want %q", got, want)
		}
	}
}

// After a fault of time, advice names the line that was not understood, if there was one.
func TestAdviceOnTime(t *testing.T) {
	for detail, want := range map[string]string{
		`no answer within 1s; it was sent "go 0,0/0,0 A"`:                                   "late",
		`no answer within 1s; line "bestmove E": the first word is unknown; it was ignored`: "not-understood",
		`no answer within 1s; it wrote "move N" without an end of line`:                     "not-understood",
	} {
		r := botcmd.TrialReport{Version: "1", Faults: []botcmd.Fault{{Game: 1, Ending: record.Time, Detail: detail}}}
		if last := r.Advice(); last[len(last)-1].Code != want {
			t.Errorf("%s: the advice is %v", detail, last)
		}
	}
}

// Text of the program cannot move the cursor.
func TestTextOfStrangers(t *testing.T) {
	r := botcmd.TrialReport{Faults: []botcmd.Fault{{Game: 1, Ending: record.Disconnect, Detail: "it says \x1b[2J", Log: "one\r\n\x1b]0;title\a\n"}}}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String(), "\x1b\a\r") || !strings.Contains(text.String(), `it says \x1b[2J.`) || !strings.Contains(text.String(), "one\n"+`\x1b]0;title\a`) {
		t.Errorf("it writes\n%q", text.String())
	}
}
