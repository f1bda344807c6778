package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func TestImprovementEvents(t *testing.T) {
	s := Config{Matches: 40, Size: rules.Full, Seed: 1, Concurrency: 2, Time: 3}
	events, err := ImprovementEvents(Variants(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != len(Variants()) {
		t.Fatalf("%d events, want %d", len(events), len(Variants()))
	}
	for i, e := range events {
		v := Variants()[i]
		entries := []tournament.Entry{{Name: v.Name, Spec: fullSpec(v.spec(3))}, {Name: "MCTS2", Spec: fullSpec("dag:time=3,c=1000,expand=5")}}
		if e.Name != "improvement "+v.Name || e.Matches != 40 || e.Clock != (tournament.Clock{}) || !e.InProcess {
			t.Errorf("event %+v", e)
		}
		if e.Entries[0] != entries[0] || e.Entries[1] != entries[1] {
			t.Errorf("%s: %+v, want %+v", e.Name, e.Entries, entries)
		}
	}
	s.Time = 0
	if _, err := ImprovementEvents(Variants(), s); err == nil || !strings.Contains(err.Error(), "0 milliseconds") {
		t.Errorf("without time: %v", err)
	}
}

// someImprovements returns one variant that is better, one in progress, and one not begun.
func someImprovements(t *testing.T) Improvements {
	t.Helper()
	variants, err := VariantsNamed([]string{"edges", "leaf2", "plus"})
	if err != nil {
		t.Fatal(err)
	}
	return NewImprovements(variants, []Played{trial(t, "edges", "WWWWWWWWL"), trial(t, "leaf2", "WLD."), trial(t, "plus", "")})
}

func TestImprovementsMarkdown(t *testing.T) {
	var text strings.Builder
	if err := someImprovements(t).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		// A 64 scores 320 and 20 beside it, a 32 scores 128.
		"| edges | scaled; values from children, weighted by edges | 9 | 8-0-1 | 88.9% [56.5%, 98.0%] | 318.7, 169.3 | 149.3 [",
		"| leaf2 | scaled; 2 playouts from a leaf at once | 3 | 1-1-1 | 50.0% [",
		"6.00, 5.00 | better |",
		"6.00, 5.00 | undecided |",
		"| 0 | 0-0-0 | - [-, -] | -, - | - [-, -] | -, - | undecided |",
		"- leaf2: event 21; gpcc2015 2x2, seed 7, leaf2=mctsplus:playouts=10000,time=5,",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no %q in:\n%s", line, text.String())
		}
	}
}

// The mean time per move covers both roles.
func TestMsPerMove(t *testing.T) {
	p := report.BotStats{
		Defending: report.Conduct{Moves: 1, MeanMS: report.Figure{Value: 8}},
		Attacking: report.Conduct{Moves: 3, MeanMS: report.Figure{Value: 4}},
	}
	if got := msPerMove(p); got.Value != 5 {
		t.Errorf("%v ms, want 5", got.Value)
	}
	p.Defending = report.Conduct{MeanMS: report.Figure{Needs: "needs 1 timed move"}}
	if got := msPerMove(p); got.Value != 4 || got.Absent() {
		t.Errorf("%+v, want 4", got)
	}
	p.Attacking = p.Defending
	if got := msPerMove(p); !got.Absent() {
		t.Errorf("%+v of no moves", got)
	}
}

func TestImprovementsJSON(t *testing.T) {
	data, err := json.Marshal(someImprovements(t))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows []struct {
			Name, Spec, Finding string
			Share               struct{ Value, Low *float64 }
			Games               report.HeadToHead `json:"head_to_head"`
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if row := table.Rows[0]; row.Name != "edges" || !strings.HasPrefix(row.Spec, "mctsplus:") || row.Finding != "better" || *row.Share.Value != 8.0/9 || row.Games.Matches.Won != 8 {
		t.Errorf("row 1: %s", data)
	}
	if row := table.Rows[2]; row.Share.Value != nil || row.Share.Low != nil {
		t.Errorf("row 3 has a share without a match: %s", data)
	}
}

// A plot can be drawn whether or not its events have begun.
func TestImprovementsPlot(t *testing.T) {
	nothing := NewImprovements(Variants()[:1], []Played{trial(t, Variants()[0].Name, "")})
	for name, table := range map[string]Improvements{"part": someImprovements(t), "nothing": nothing} {
		first := table.Rows[0]
		checkPlot(t, name, table, first.Name+"  "+wonDrawnLost(first.Games.Matches), "share of matches won")
	}
	if err := nothing.WritePlot(new(bytes.Buffer), "bmp"); err == nil {
		t.Error("an unknown format is drawn")
	}
}
