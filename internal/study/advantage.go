package study

import (
	"math"

	"versus2048/players/exact"
	"versus2048/players/ntuple"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Advantage compares the defender of a game with the defender of the other game of the match.
type Advantage struct {
	Expected int  `json:"expected"`        // the final score in this game
	Other    int  `json:"other"`           // the score in the other game
	Exact    bool `json:"exact,omitempty"` // whether a table knows Expected
}

// Share returns the defender's part of the points of both games, in percent.
func (a *Advantage) Share() int {
	return int(math.Round(100 * float64(a.Expected) / float64(max(1, a.Both()))))
}

// Both returns the points of both games.
func (a *Advantage) Both() int { return a.Expected + a.Other }

// Values are the tables of exact values that final scores are taken from. Without a table for its board, a position
// on 4x4 has the value of a network.
type Values []*exact.Table

// Table returns the table of a position's rules and board, nil if there is none.
func (v Values) Table(p rules.Position) *exact.Table {
	for _, table := range v {
		if table.Rules() == p.Rules() && table.Size() == p.Size() {
			return table
		}
	}
	return nil
}

// Expected returns the final score to which a position leads, and whether a table knows it. ok is false if neither a
// table nor a network has the position.
func (v Values) Expected(p rules.Position) (score int, exact, ok bool) {
	if table := v.Table(p); table != nil {
		value, err := table.Value(p)
		return p.Score() + int(math.Round(value.Gain)), true, err == nil
	}
	if !seen(p) {
		return 0, false, false
	}
	network := own(p.Rules())
	if network == nil {
		return 0, false, false
	}
	return final(network, p), false, true
}

// ByNetwork returns the advantage in a position by the values of the network for its rules. The other game is one from
// the empty board. It returns nil without a network, and for a position that networks do not see.
func ByNetwork(network *ntuple.Network, p rules.Position) *Advantage {
	if network == nil || !seen(p) {
		return nil
	}
	return &Advantage{Expected: final(network, p), Other: final(network, rules.NewPosition(p.Rules(), p.Size()))}
}

// seen reports whether networks see a position: they see boards of 4x4 without a 65536.
func seen(p rules.Position) bool { return p.Size() == rules.Full && !p.HasHuge() }

// final returns the final score that a network expects.
func final(network *ntuple.Network, p rules.Position) int {
	return p.Score() + max(0, further(network, p))
}

// further returns the points that a network expects from a position on.
func further(network *ntuple.Network, p rules.Position) int {
	if p.SideToMove() == rules.Attacker {
		return network.Of(p.Board())
	}
	_, points, _ := network.Best(p.Board()) // 0 points if no slide is left
	return points
}

// In returns the advantage in a position of a game, nil if the final score is not known. other is the score in the
// other game of the match. If other is nil, the expected score from this game's start takes its place: both games start
// alike.
func (v Values) In(game *record.Record, p rules.Position, other *int) *Advantage {
	score, isExact, ok := v.Expected(p)
	if game.Ending != record.Unfinished && p.Ply() == game.Start.Ply()+len(game.Moves) {
		score, ok = p.Score(), ok || p.HasHuge() // whatever ended the game, and although networks see no 65536
	}
	if other == nil && ok {
		var start int
		start, _, ok = v.Expected(game.Start)
		other = &start
	}
	if !ok {
		return nil
	}
	return &Advantage{score, *other, isExact}
}

// Curve is the advantage at each ply of a part of a game.
type Curve struct {
	Expected []int `json:"expected"`        // final scores, from the first ply of the part on
	Other    int   `json:"other"`           // the score in the other game
	Exact    bool  `json:"exact,omitempty"` // whether a table knows the expected scores
}

// First returns the advantage at the first ply.
func (c *Curve) First() *Advantage {
	if c == nil {
		return nil
	}
	return &Advantage{c.Expected[0], c.Other, c.Exact}
}

// Part returns the advantage at the plies of a game from one to another, both included. other is the score in the other
// game, as for [Values.In]. Part returns nil if a final score is not known.
func (v Values) Part(game *record.Record, from, to int, other *int) *Curve {
	p := game.Start
	start := v.In(game, p, other)
	if start == nil {
		return nil
	}
	c := &Curve{Other: start.Other, Exact: start.Exact}
	for ply := 0; ; ply++ {
		if ply >= from {
			a := v.In(game, p, &c.Other)
			if a == nil {
				return nil
			}
			c.Expected = append(c.Expected, a.Expected)
		}
		if ply == to {
			return c
		}
		p = p.Next(game.Moves[ply])
	}
}
