package tournament_test

import (
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// played returns a match of two mates with these lines.
func played(first, second string, line1, line2 tournament.Line) tournament.MatchResult {
	leg := func(l tournament.Line) tournament.Summary { return tournament.Summary{Ending: record.Mate, Line: l} }
	return tournament.MatchResult{
		Pairing: tournament.Pairing{First: first, Second: second},
		Start:   rules.NewPosition(rules.GPCC2015, rules.Full),
		Legs:    [2]tournament.Summary{leg(line1), leg(line2)},
	}
}

func TestRepeats(t *testing.T) {
	timeout := played("a", "b", 1, 2)
	timeout.Legs[1].Ending = record.Time
	opened := played("a", "b", 1, 2)
	opened.Start = opened.Start.Next(opened.Start.AppendMoves(nil)[0])
	walkover := played("a", "b", 1, 2)
	walkover.By = tournament.ByWalkover
	var r tournament.Repeats
	for i, tc := range []struct {
		match tournament.MatchResult
		want  bool
	}{
		{played("a", "b", 1, 2), false},
		{played("a", "b", 1, 2), true},
		{played("b", "a", 2, 1), true}, // First and Second swap, the games are the same
		{played("a", "b", 2, 1), false},
		{played("a", "c", 1, 2), false}, // other bots
		{played("a", "b", 1, 3), false}, // one new game is new evidence
		{timeout, false},
		{opened, false},
		{walkover, false},
		{walkover, false},
		{played("a", "b", 0, 2), false}, // unknown moves
		{played("a", "b", 0, 2), false},
		{played("a", "b", 1, 3), true},
	} {
		if seen := r.Seen(tc.match); seen != tc.want {
			t.Errorf("match %d: seen %v, want %v", i+1, seen, tc.want)
		}
		if added := r.Add(tc.match); added != tc.want {
			t.Errorf("match %d: repeats %v, want %v", i+1, added, tc.want)
		}
	}
}

func TestLine(t *testing.T) {
	if line := tournament.LineOf(nil); line != 0 {
		t.Errorf("the line of no moves is %d, want 0: unknown", line)
	}
	lines := map[tournament.Line]bool{0: true}
	for _, moves := range [][]rules.Move{{0}, {1}, {0, rules.North}, {0, rules.South}, {1, rules.North}, {0, rules.North, 0}} {
		if line := tournament.LineOf(record.PackTurns(moves)); lines[line] {
			t.Errorf("the line of %v is not its own", moves)
		} else {
			lines[line] = true
		}
	}
}
