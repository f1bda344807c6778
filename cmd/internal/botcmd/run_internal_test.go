package botcmd

import (
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// A bot that has been warmed unpacks nothing in the time of its first move.
func TestWarm(t *testing.T) {
	spec, err := players.Parse("champion:time=1")
	if err != nil {
		t.Fatal(err)
	}
	warm(spec)
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		took := testkit.Allocated(func() {
			if _, err := spec.New(players.Game{Seed: 1}).Choose(t.Context(), rules.NewPosition(r, rules.Full)); err != nil {
				t.Fatal(err)
			}
		})
		if network := uint64(2 * ntuple.Own(r).Structure().Weights()); took >= network {
			t.Errorf("%v: the first move took %d bytes, its network has %d", r, took, network)
		}
	}
}
