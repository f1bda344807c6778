package mcts

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestEnough ends searches when they have made some playouts. They know by how many visits their choice leads.
func TestEnough(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for name, search := range map[string]recorded{
		"tree":    New(tree),
		"shared":  New(shared),
		"threads": New(with(tree, func(c *Config) { c.Threads = 2 })),
		"plus":    NewPlus(plus),
	} {
		last, random := searching.Progress{}, playout.NewGenerator(5)
		chosen := search.Choose(p, &random, searching.Budget{Enough: func(p searching.Progress) bool {
			last = p
			return p.Playouts >= 10*stopEvery
		}})
		r := search.Result()
		if name == "threads" {
			continue // others have gone on meanwhile
		}
		others := int64(0)
		for _, m := range r.Moves[1:] {
			others = max(others, m.Visits)
		}
		if r.Playouts != 10*stopEvery || int64(last.Playouts) != r.Playouts || int64(last.Lead) != r.Moves[0].Visits-others || chosen != r.Moves[0].Move {
			t.Errorf("%s ends with %+v, after %+v", name, r, last)
		}
	}
}
