package proof

import (
	"context"
	"math/bits"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/rules"
)

// A thread follows a portion of boards. The boards that it finds join the strategy when all portions of a batch are
// followed, so that the strategy is the same with any number of threads. Portions of a batch do not see the boards that the
// others found: with larger batches the strategy has more boards.
const (
	portionBoards = 256
	batchPortions = 8
	batchBoards   = portionBoards * batchPortions
)

// answers makes the strategy answer every placement on each of some boards that it has, or lose that board.
func (s *Strategy) answers(ctx context.Context, boards []rules.Board) {
	for batch := range slices.Chunk(boards, batchBoards) {
		portions := slices.Collect(slices.Chunk(batch, portionBoards))
		parallel.Each(ctx, len(s.finders), len(portions), func(finder, i int) {
			s.found[i] = s.finders[finder].answers(portions[i], s.found[i])
		})
		if ctx.Err() != nil {
			return
		}
		for _, f := range s.found[:len(portions)] {
			s.join(f)
		}
	}
}

// found has the boards that were found while a portion was followed.
type found struct {
	joining []rules.Board // the answers to placements that no board of the strategy answered
	losing  []rules.Board // the boards with a placement that has no answer
}

// join adds the answers to the strategy, and takes the lost boards from it.
func (s *Strategy) join(f found) {
	for _, b := range f.joining {
		s.fetch(b.Sum()/2, b)
	}
	for _, b := range f.joining {
		if sum := b.Sum(); !s.has(b, sum) {
			s.add(b, sum)
		}
	}
	for _, b := range f.losing {
		if !s.isLost(b) {
			s.lose(b, b.Sum())
		}
	}
}

// finder finds answers to placements, for one thread.
type finder struct {
	*Strategy
	found
	joined boards     // the boards of found.joining, as a set
	usual  rules.Move // the slide that answered most placements on the board before
	all    [2 * 16]placed
	open   []uint8 // the places in all of the placements that no slide answered so far
}

// placed is a board after a placement, with the boards after the slides that were tried.
type placed struct {
	board rules.Board
	layer int            // of the boards after a slide
	after [4]rules.Board // of an open placement: none of them is worth the score
	slid  int            // the number of these boards
	legal bool           // whether the last slide was legal
}

// answers follows a portion of boards. The result reuses the memory of room.
func (f *finder) answers(portion []rules.Board, room found) found {
	f.found = found{room.joining[:0], room.losing[:0]}
	f.joined.reset()
	f.usual = rules.North // whatever this thread did before
	for _, b := range portion {
		if !f.isLost(b) && !f.answer(b, b.Sum()) {
			f.losing = append(f.losing, b)
		}
	}
	return f.found
}

// answer finds answers to all placements on a board with a sum of tiles. It reports whether each has one.
func (f *finder) answer(b rules.Board, sum int) bool {
	f.place(b, sum)
	first, most := f.usual, -1
	for i := range rules.East - rules.North + 1 {
		m := rules.North + (first-rules.North+i)%(rules.East-rules.North+1)
		before := len(f.open)
		f.slide(m)
		if answered := before - len(f.open); answered > most {
			f.usual, most = m, answered
		}
	}
	for _, i := range f.open {
		if !f.choose(&f.all[i]) {
			return false
		}
	}
	return true
}

// place opens all placements on a board with a sum of tiles.
func (f *finder) place(b rules.Board, sum int) {
	f.open = f.open[:0]
	for cells := b.Empty(f.config.Size); cells != 0; cells &= cells - 1 {
		for k := 1; k == 1 || k == 2 && f.config.Rules.Fours(); k++ {
			p := &f.all[len(f.open)]
			p.board, p.layer, p.slid = b.With(bits.TrailingZeros64(cells)/4, k), (sum+1<<k)/2, 0
			f.open = append(f.open, uint8(len(f.open))) // #nosec G115 -- at most 32
		}
	}
}

// slide closes the placements that a slide answers: it makes tiles that are worth the score, or leads to a board of the
// strategy.
func (f *finder) slide(m rules.Move) {
	f.open = slices.DeleteFunc(f.open, func(i uint8) bool {
		p := &f.all[i]
		slid := p.board.Slide(f.config.Size, m)
		if p.legal = slid != p.board; !p.legal {
			return false
		}
		p.after[p.slid] = slid.Canonical(f.config.Size)
		p.slid++
		return f.worth(slid) >= f.goal
	})
	for _, i := range f.open {
		if p := &f.all[i]; p.legal {
			f.fetch(p.layer, p.after[p.slid-1])
		}
	}
	f.open = slices.DeleteFunc(f.open, func(i uint8) bool {
		p := &f.all[i]
		return p.legal && f.hasIn(p.layer, p.after[p.slid-1])
	})
}

// choose answers a placement by a board that was found before in the portion, or by the best board after a slide that is
// not lost and survives. It reports whether there is such a board.
func (f *finder) choose(p *placed) bool {
	after := p.after[:p.slid]
	if slices.ContainsFunc(after, f.joined.has) {
		return true
	}
	slices.SortFunc(after, func(a, b rules.Board) int { return f.evaluation.Of(b) - f.evaluation.Of(a) })
	for _, b := range after {
		if !f.isLost(b) && f.survives(b, ahead) {
			f.joined.add(b)
			f.joining = append(f.joining, b)
			return true
		}
	}
	return false
}

// ahead is the number of placements on a board that are searched before it joins the strategy.
const ahead = 3

// survives reports whether the defender has an answer to a number of placements on a board, one after another.
func (s *Strategy) survives(b rules.Board, placements int) bool {
	if b.EmptyCells(s.config.Size) > placements { // some slide is legal as long as a cell is empty
		return true
	}
	for cells := b.Empty(s.config.Size); cells != 0; cells &= cells - 1 {
		for k := 1; k == 1 || k == 2 && s.config.Rules.Fours(); k++ {
			if !s.answerable(b.With(bits.TrailingZeros64(cells)/4, k), placements) {
				return false
			}
		}
	}
	return true
}

// answerable reports whether the defender has an answer to the first of a number of placements, and then to the others.
func (s *Strategy) answerable(b rules.Board, placements int) bool {
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(s.config.Size, m); slid != b && (s.worth(slid) >= s.goal || s.survives(slid, placements-1)) {
			return true
		}
	}
	return false
}
