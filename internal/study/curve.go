package study

import "versus2048/rules/record"

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
