package census

import "versus2048/rules"

// Layer is what there is after some plies, with the attacker to move. Positions
// that equal each other under a symmetry count once.
type Layer struct {
	Plies     int     `json:"plies"`               // of the game
	Positions int64   `json:"positions"`           // with the attacker to move
	Growth    float64 `json:"growth,omitempty"`    // how many times as many as in the layer before, 0 if there is none
	MinScore  int     `json:"min_score"`           // the smallest score among them, 0 if there are none
	MaxScore  int     `json:"max_score"`           // the largest
	Mated     int64   `json:"mated"`               // mated positions a ply before
	Defenders int64   `json:"defenders,omitempty"` // positions a ply before with the defender to move, the mated ones too, if they are counted
	Bytes     int64   `json:"bytes"`               // that the positions take when they are coded
}

// begin opens the last layer of those on record, or makes the first one.
func (c *census) begin(recorded []Layer) (*set, []Layer, error) {
	if len(recorded) == 0 {
		return c.first()
	}
	last, err := c.folder.last(c.halves.space(sumOf(c.Start)/2 + len(recorded) - 1))
	return last, recorded, err
}

// first is the layer of the start.
func (c *census) first() (*set, []Layer, error) {
	p := c.Start
	if p.SideToMove() == rules.Attacker {
		layer := newSet(c.halves.space(sumOf(p)/2), c.geometry.canonical(p.Board()))
		return layer, []Layer{{Plies: p.Ply(), Positions: 1, MinScore: p.Score(), MaxScore: p.Score(), Bytes: layer.size}}, nil
	}
	var boards []rules.Board
	for _, m := range p.AppendMoves(nil) {
		boards = append(boards, c.geometry.canonical(p.Next(m).Board()))
	}
	layer := newSet(c.halves.space(sumOf(p)/2), boards...)
	l := Layer{Plies: p.Ply() + 1, Positions: layer.count, Bytes: layer.size}
	if p.Over() {
		l.Mated = 1
	}
	if c.Defenders {
		l.Defenders = 1
	}
	var err error
	l.MinScore, l.MaxScore, err = c.scores(layer)
	return layer, []Layer{l}, err
}
