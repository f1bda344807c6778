package players

import (
	"sync"
	"testing"
	"time"

	"versus2048/rules"
)

// TestPoolChangesNoMove plays games of bots that share a pool, with and without clocks, and the same games of
// bots without a pool.
func TestPoolChangesNoMove(t *testing.T) {
	pool := new(Pool)
	var group sync.WaitGroup
	for _, text := range []string{"mcts:playouts=20", "dag:playouts=20", "mctsplus:playouts=20", "greedy"} {
		for _, clock := range []Clock{{}, {PerMove: time.Hour}} {
			spec := mustParse(t, text)
			for seed := range uint64(4) {
				group.Go(func() {
					alone, pooled := spec.New(Game{Seed: seed, Clock: clock}), spec.New(Game{Seed: seed, Clock: clock, Pool: pool})
					for p := rules.NewPosition(rules.GPCC2015, rules.Full); p.Ply() < 40 && !p.Over(); {
						want, err := alone.Choose(t.Context(), p)
						got, pooledErr := pooled.Choose(t.Context(), p)
						if got != want || err != nil || pooledErr != nil {
							t.Errorf("%s, %v: %v, %v in a pool, %v, %v alone", text, p, got, pooledErr, want, err)
							return
						}
						p = p.Next(want)
					}
				})
			}
		}
	}
	group.Wait()
}
