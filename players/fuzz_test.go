package players_test

import (
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
)

// A parsed spec is written in a form with the same meaning, and its need is known. No file is opened.
func FuzzParseSpec(f *testing.F) {
	for _, k := range players.Kinds() {
		f.Add(k.Name, uint64(0), uint64(1000))
	}
	f.Add("mcts:nodes=100000000,threads=256,reuse=true", uint64(1), uint64(64))
	f.Add("evminimax:depth=8,time=5,ties=first", uint64(0), uint64(0))
	f.Add("mctsplus:leaf=1024,policy=duel,reward=rank", uint64(1e8), uint64(1e8))
	f.Add("ov3y:threads=256,exact=true,eval=oka", uint64(0), uint64(0))
	f.Add("expectimax:rare=1000000000,model=even", uint64(0), uint64(0))
	f.Add("perfect:table=/dev/zero", uint64(0), uint64(0))
	f.Add("ntuple:weights=/dev/zero", uint64(0), uint64(0))
	f.Add("alphabeta:eval=ntuple,weights=/dev/zero", uint64(0), uint64(0))
	f.Add("=,:=", uint64(1<<63), uint64(0))
	f.Fuzz(func(t *testing.T, text string, playouts, nodes uint64) {
		testkit.CheckAllocation(t, len(text), 64, func() {
			spec, err := players.ParseClosed(text)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "bot \"") || len(err.Error()) > 2000 {
					t.Errorf("%q: the error does not say which bot, or at length: %v", text, err)
				}
				return
			}
			again, err := players.ParseClosed(spec.String())
			if err != nil || again.String() != spec.String() {
				t.Errorf("%q is written as %q and read again as %q, %v", text, spec, again, err)
			}
			budget := players.Effort{Playouts: playouts, Nodes: nodes}
			if budget.Validate() == nil {
				spec = spec.Within(budget)
			}
			if need := spec.Need(); need.Memory == 0 || need.Memory > 1<<40 || need.Threads < 1 {
				t.Errorf("%q needs %+v", spec, need)
			}
		})
	})
}
