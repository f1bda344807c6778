package experiment

import (
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// thoughtful returns a game of five plies, the attacker's first, that take 1 to 5 ms. The last two
// placements are forced.
func thoughtful(t *testing.T, searches []*record.SearchReport) tournament.Game {
	t.Helper()
	e := tournament.Event{Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}
	g := mated(t, e, 1, 1, 16)
	g.Record.Attacker, g.Record.Defender = "ann", "bob"
	g.Record.Searches = searches
	for i := range g.Record.Moves {
		g.Record.Times = append(g.Record.Times, time.Duration(i+1)*time.Millisecond)
	}
	return g
}

func searchReport(cpu time.Duration, depth int, nodes int64) *record.SearchReport {
	return &record.SearchReport{CPU: cpu, Expanded: make([]int64, depth), Nodes: nodes}
}

// Forced moves are left out, whether or not there are reports.
func TestThinking(t *testing.T) {
	e := tournament.Event{Concurrency: 1}
	var thinking Thinking
	forced := searchReport(9*time.Millisecond, 9, 900)
	thinking.Add(thoughtful(t, []*record.SearchReport{searchReport(2*time.Millisecond, 4, 100), searchReport(4*time.Millisecond, 8, 300), forced, nil, nil}))
	ann := thinking.Thought(e, "ann", rules.Attacker)
	if ann.Moves != 1 || ann.MS.Value != 1 || ann.CPU.Value != 2 || ann.Depth.Value != 4 || ann.Nodes.Value != 100 {
		t.Errorf("ann %+v", ann)
	}
	bob := thinking.Thought(e, "bob", rules.Defender)
	if bob.Moves != 2 || bob.MS.Value != 3 || bob.CPU.Value != 4 || bob.Depth.Value != 8 || bob.Nodes.Value != 300 {
		t.Errorf("bob %+v", bob)
	}
	if other := thinking.Thought(e, "ann", rules.Defender); other.Moves != 0 || !other.MS.Absent() {
		t.Errorf("ann as defender %+v", other)
	}
	thinking.Add(thoughtful(t, nil))
	if ann := thinking.Thought(e, "ann", rules.Attacker); ann.Moves != 2 || ann.MS.Value != 1 || ann.CPU.Value != 2 {
		t.Errorf("ann with a game without reports %+v", ann)
	}
	if bob := thinking.Thought(e, "bob", rules.Defender); bob.Moves != 4 || bob.MS.Value != 3 || bob.CPU.Value != 4 {
		t.Errorf("bob with a game without reports %+v", bob)
	}
	if ann := thinking.Thought(tournament.Event{Concurrency: 2}, "ann", rules.Attacker); !ann.CPU.Absent() {
		t.Errorf("ann among other games %+v", ann)
	}
}
