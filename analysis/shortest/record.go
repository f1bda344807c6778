package shortest

import (
	"fmt"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Record is a game that ends in m, which a turn of this search has returned: the
// same game every time. It has no players, and was replayed by the rules.
func (s *Search) Record(m Mated) (record.Record, error) {
	r := record.Record{Start: s.start, Ending: record.Mate}
	at := s.start
	for i, target := range append(s.way(m), m.Board) {
		plies := s.plies(m.layer) + 1
		if i <= m.layer {
			plies = s.plies(i)
		}
		// An image of the parent leads to an image of the child, whichever it is.
		moves, _ := lead(at, target, plies-len(r.Moves))
		for _, move := range moves {
			at = at.Next(move)
		}
		r.Moves = append(r.Moves, moves...)
	}
	last, err := r.Replay()
	if err == nil && last.Board().Canonical(last.Size()) != m.Board {
		err = fmt.Errorf("it ends in %v", last)
	}
	if err != nil {
		return record.Record{}, fmt.Errorf("a line to %#x, which must be of this search: %w", m.Board, err)
	}
	return r, nil
}

// way are the canonical boards, one a layer, on a way to m.
func (s *Search) way(m Mated) []rules.Board {
	way := make([]rules.Board, m.layer+1)
	for i, at := m.layer, m.index; i >= 0; i-- {
		way[i] = s.layers[i].boards[at]
		at = s.layers[i].parents[at]
	}
	return way
}

// lead are the first moves, as many as plies, from p to an image of target.
func lead(p rules.Position, target rules.Board, plies int) (moves []rules.Move, ok bool) {
	if plies == 0 {
		return nil, p.Board().Canonical(p.Size()) == target
	}
	for _, m := range p.AppendMoves(nil) {
		if rest, ok := lead(p.Next(m), target, plies-1); ok {
			return append([]rules.Move{m}, rest...), true
		}
	}
	return nil, false
}
