package mcts

import (
	"fmt"
	"hash/fnv"
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestRecordedSearches checks that a seed still chooses the same moves as when Table 1 was played. Twelve searches in a
// row must end with the same statistics and the same state of the generator as in commit 897c0d6, before the graph got
// another layout. The results of searches with shared nodes and credited ancestors under solo are from a later commit,
// since playouts there are now credited to their path alone.
func TestRecordedSearches(t *testing.T) {
	plusOf := func(change func(*PlusConfig)) PlusConfig {
		c := plus
		change(&c)
		return c
	}
	for _, test := range []struct {
		name   string
		search recorded
		want   [3]uint64 // by rule set
	}{
		{"tree", New(tree), [3]uint64{0x2a72cdbd646172f4, 0x57b7e35520f209e2, 0xe15dc2667b1ed3e5}},
		{"shared", New(shared), [3]uint64{0x6244cd7cdb26b403, 0xd13a409901b3e326, 0x586121afc6b0f842}},
		{"canonical", New(canonical), [3]uint64{0x9c1ec7c2f6f6d7fd, 0xf2898fbeeba08189, 0xf19f44e284a23c9c}},
		{"reuse", New(with(shared, func(c *Config) { c.Reuse = true })), [3]uint64{0xd7ddd245ebfad4f9, 0x376e31954200f6e6, 0xed5cb60cb82aebde}},
		{"small", New(with(tree, func(c *Config) { c.Nodes, c.ExpandAt = 200, 1 })), [3]uint64{0x88c26b6e66e7048f, 0x1a20e79d69763d94, 0xc5855c3580ea6499}},
		{"edges", NewPlus(plusOf(func(c *PlusConfig) { c.Slides, c.Leaf = WholeGame, 2 })), [3]uint64{0x3764f4e71877028c, 0x9813ba3e0ce892c0, 0x338fe7189dab6d3}},
		{"minimax", NewPlus(plusOf(func(c *PlusConfig) { c.Backup = Minimax })), [3]uint64{0x8caab576bfae825d, 0x778eb2b467aa6822, 0x155eb364459aca4f}},
		{"ancestors", NewPlus(plusOf(func(c *PlusConfig) { c.Backup, c.Slides, c.Canonical = Ancestors, 4, false })), [3]uint64{0xac25ab9a3600f22, 0x8098b2caca40ecd, 0xed910bf0e3918f9b}},
	} {
		for i, r := range rules.Rulesets() {
			if got := playAndHash(t, test.search, r); got != test.want[i] {
				t.Errorf("%s, %v: %#x, recorded %#x", test.name, r, got, test.want[i])
			}
		}
	}
}

// recorded is a search with moves that must not change.
type recorded interface {
	Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move
	Result() searching.Result
}

// stats are a result as it was printed when the sums were recorded.
type stats struct {
	Playouts, Nodes int64
	Expanded        []int64
	Variation       []rules.Move
	Moves           []moveStats
}

type moveStats struct {
	Move   rules.Move
	Mean   float64
	Visits int64
}

// playAndHash plays on from a position of the middle of a game and hashes the results of all searches.
func playAndHash(t *testing.T, s recorded, r rules.Ruleset) uint64 {
	p, random, sum := searchtest.Position(t, r, searchtest.Midgame), playout.NewGenerator(40), fnv.New64a()
	for range 12 {
		m := s.Choose(p, &random, made(300))
		r := s.Result()
		printed := stats{r.Playouts, r.Nodes, r.Expanded, r.Variation, nil}
		for _, m := range r.Moves {
			printed.Moves = append(printed.Moves, moveStats{m.Move, m.Value, m.Visits})
		}
		fmt.Fprintln(sum, m, printed, random)
		if p = p.Next(m); p.Over() {
			break
		}
	}
	return sum.Sum64()
}
