package main

import (
	"crypto/sha256"
	"slices"
	"testing"
)

// A ledger distinguishes a lost game from a game that has changed, and new games are no loss.
func TestLedger(t *testing.T) {
	digest := func(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }
	before := ledger{games: map[gameKey][sha256.Size]byte{{1, 1, 1}: digest("a"), {1, 1, 2}: digest("b"), {2, 1, 1}: digest("c")}}
	after := ledger{games: map[gameKey][sha256.Size]byte{{1, 1, 1}: digest("a"), {1, 1, 2}: digest("B"), {2, 9, 1}: digest("d")}}
	lost := before.lost(after)
	slices.Sort(lost)
	if want := []string{"match 1, game 1 of event 2 is lost", "match 1, game 2 of event 1 has changed"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
	if lost := before.lost(before); lost != nil || before.gamesOf(1) != 2 {
		t.Errorf("lost %q, %d games of event 1", lost, before.gamesOf(1))
	}
}

// The steps of a ladder are in order, and nothing is due after its end.
func TestLadderSteps(t *testing.T) {
	last := 0.0
	for _, s := range (&ladderRun{}).steps() {
		if s.at < last || s.at >= 1 || s.what == "" || s.do == nil {
			t.Errorf("%+v after %v", s.at, last)
		}
		last = s.at
	}
}
