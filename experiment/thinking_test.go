package experiment

import (
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// thoughtful returns a game of six plies, the attacker's first, that take 1 to 6 ms.
func thoughtful(searches []*record.SearchReport) tournament.Game {
	g := tournament.Game{Record: record.Record{Attacker: "ann", Defender: "bob", Start: rules.NewPosition(rules.GPCC2015, rules.Full)}}
	g.Record.Searches = searches
	for ms := range 6 {
		g.Record.Times = append(g.Record.Times, time.Duration(ms+1)*time.Millisecond)
	}
	return g
}

func searchReport(cpu time.Duration, depth int, nodes int64) *record.SearchReport {
	return &record.SearchReport{CPU: cpu, Expanded: make([]int64, depth), Nodes: nodes}
}

// A move without a report counts only if the bot gives none in the whole game.
func TestThinking(t *testing.T) {
	e := tournament.Event{Concurrency: 1}
	var thinking Thinking
	thinking.Add(thoughtful([]*record.SearchReport{searchReport(2*time.Millisecond, 4, 100), nil, nil, nil, searchReport(4*time.Millisecond, 8, 300), nil}))
	ann := thinking.Thought(e, "ann", rules.Attacker)
	if ann.Moves != 2 || ann.MS.Value != 3 || ann.CPU.Value != 3 || ann.Depth.Value != 6 || ann.Nodes.Value != 200 {
		t.Errorf("ann %+v", ann)
	}
	bob := thinking.Thought(e, "bob", rules.Defender)
	if bob.Moves != 3 || bob.MS.Value != 4 || !bob.CPU.Absent() || !bob.Depth.Absent() {
		t.Errorf("bob %+v", bob)
	}
	if other := thinking.Thought(e, "ann", rules.Defender); other.Moves != 0 || !other.MS.Absent() {
		t.Errorf("ann as defender %+v", other)
	}
	thinking.Add(thoughtful(nil))
	if ann := thinking.Thought(e, "ann", rules.Attacker); ann.Moves != 5 || ann.MS.Value != 3 || ann.CPU.Value != 3 {
		t.Errorf("ann with a game without reports %+v", ann)
	}
	if ann := thinking.Thought(tournament.Event{Concurrency: 2}, "ann", rules.Attacker); !ann.CPU.Absent() {
		t.Errorf("ann among other games %+v", ann)
	}
}
