package ntuple_test

import (
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// The program's own network is whole, says how to learn it again, and takes no more than it says.
func TestOwn(t *testing.T) {
	n := ntuple.Own()
	if n.Size() != rules.Full || n.Rules() != rules.GPCC2015 || n.Recipe().Command == "" {
		t.Errorf("it is for %v on %v, by %q", n.Rules(), n.Size(), n.Recipe().Command)
	}
	if weights := n.Structure().Weights(); 4*weights > ntuple.OwnBytes {
		t.Errorf("%d weights are more than %d bytes", weights, ntuple.OwnBytes)
	}
	if v := n.Of(0); v < 1000 || v > 100_000 {
		t.Errorf("the empty board is worth %d points", v)
	}
}
