package hosting

import (
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func TestScreen(t *testing.T) {
	p := server.Progress{
		Event: 3, State: server.Running, Done: 12, Total: 24, Playing: 2, Played: 6, Plies: 1500,
		Elapsed: server.Millis(30 * time.Second), Left: server.Millis(time.Minute),
	}
	first := "event 3 [==========          ] 12/24 games, 2 playing, 1:00 left, 12.0 games/min, 50 plies/s"
	if got := screen(p, 0); len(got) != 1 || got[0] != first {
		t.Errorf("screen %q, want %q", got, first)
	}
	p.Standings = &tournament.Standings{Format: tournament.SPRT, Columns: []string{"points"}, Places: []tournament.Place{
		{Place: 1, Name: "ann", Played: 6, Values: []float64{4.5}},
		{Place: 2, Name: "bob", Played: 6, Values: []float64{1.5}},
	}}
	for _, test := range []struct {
		state     server.State
		test      *tournament.TestState
		lines     int
		line, end string
	}{
		{server.Running, nil, 4, "1:00 left, 12.0 games/min, 50 plies/s", "2  bob       6     1.5"},
		{server.Paused, nil, 4, "2 playing, paused, 12.0 games/min, 50 plies/s", "2  bob       6     1.5"},
		{server.Running, &tournament.TestState{First: "ann", LLR: 1.5, Lower: -2.94, Upper: 2.94, Outcome: "running"}, 6, "50 plies/s", "2  bob       6     1.5"},
	} {
		p.State, p.Standings.Test = test.state, test.test
		got := screen(p, 0)
		if len(got) != test.lines || !strings.HasSuffix(got[0], test.line) || !strings.Contains(got[len(got)-1], test.end) {
			t.Errorf("screen\n%s\nwant %d lines, %q and %q", strings.Join(got, "\n"), test.lines, test.line, test.end)
		}
		if test.test != nil && !strings.HasPrefix(got[1], "sprt: not decided") {
			t.Errorf("the verdict is not in line 2: %q", got)
		}
		plain := plainLines(p)
		if len(plain) != 2 || plain[0] != got[0] || !strings.Contains(plain[1], "ann") {
			t.Errorf("plain lines %q", plain)
		}
	}
}

func TestPlainProgressPrintsEachTenthOnce(t *testing.T) {
	var out strings.Builder
	d := NewProgressDisplay(&out, false)
	for done := range 41 {
		d.Progress(server.Progress{Event: 1, State: server.Running, Done: done, Total: 40})
	}
	d.End()
	if n := strings.Count(out.String(), "\n"); n != 11 || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%d lines: %q", n, out.String())
	}
}

// Names of bots and texts about faults are shown without commands for the terminal.
func TestProgressOfStrangers(t *testing.T) {
	p := server.Progress{
		Event: 1, State: server.Running, Done: 2, Total: 2, Away: []server.AwayBot{{Bot: "away\x1b[2J"}},
		Faults: &server.Faults{Games: 1, First: []server.FaultNews{{Game: 1, Bot: "lost\x1b[2J", Fault: record.Disconnect, Detail: "it says \x1b]0;title\a"}}},
	}
	if lines := FaultLines(server.Progress{Faults: &server.Faults{Games: 1}}, "FILE"); lines != nil {
		t.Errorf("an arena that names no game of a fault is shown as %q", lines)
	}
	shown := append(FaultLines(p, "FILE"), ProgressLine(p))
	p.State = server.Waiting
	text := strings.Join(append(shown, ProgressLine(p)), "\n")
	if strings.ContainsAny(text, "\x1b\a") || strings.Count(text, `away\x1b[2J`) != 2 || !strings.Contains(text, `lost\x1b[2J, disconnect: it says \x1b]0;title\a`) {
		t.Errorf("shown as\n%q", text)
	}
}
