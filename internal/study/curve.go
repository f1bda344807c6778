package study

import "versus2048/rules/record"

// Curve is the advantage in the course of a game, or of a part of it.
type Curve struct {
	Every    int   `json:"every"`           // plies between two expected scores
	Expected []int `json:"expected"`        // final scores: at the first ply, after Every plies, 2 Every plies ..., and at the last ply
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

// Course returns the advantage in the course of a game, with at most the given number of points and one more. other is
// the score in the other game, as for [Values.In]. Course returns nil if a final score is not known.
func (v Values) Course(game *record.Record, other *int, points int) *Curve {
	every := 1
	for every*points < len(game.Moves) {
		every *= 2
	}
	return v.curve(game, other, 0, len(game.Moves), every)
}

// Part returns the advantage at each ply of a part of a game, and nil if a final score is not known.
func (v Values) Part(game *record.Record, from, to int, other *int) *Curve {
	return v.curve(game, other, from, to, 1)
}

func (v Values) curve(game *record.Record, other *int, from, to, every int) *Curve {
	p := game.Start
	first := v.In(game, p, other)
	if first == nil {
		return nil
	}
	c := &Curve{Every: every, Other: first.Other, Exact: first.Exact}
	for ply := 0; ; ply++ {
		if ply >= from && ((ply-from)%every == 0 || ply == to) {
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
