package ntuple_test

import (
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// The program's own networks are whole, say how to learn them again, and take no more than they say.
func TestOwn(t *testing.T) {
	for r, least := range map[rules.Ruleset]int{rules.GPCC2015: 1000, rules.GPCC2016: 100} {
		n := ntuple.Own(r)
		if n.Size() != rules.Full || n.Rules() != r || n.Recipe().Command == "" {
			t.Errorf("it is for %v on %v, by %q, want %v", n.Rules(), n.Size(), n.Recipe().Command, r)
		}
		if bytes, most := uint64(2*n.Structure().Weights()), ntuple.OwnBytes(r); bytes > most {
			t.Errorf("%v: %d bytes of weights are more than %d", r, bytes, most)
		}
		if v := n.Of(0); v < least || v > 100*least {
			t.Errorf("%v: the empty board is worth %d points", r, v)
		}
	}
}
