package proof

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"versus2048/rules"
)

// duty is a placement that no slide to a board of the strategy answers.
type duty struct {
	from   rules.Board    // the board before the placement
	sum    int            // of its tiles
	placed int            // the tile
	after  [4]rules.Board // after each slide that may be the answer, the best one first
	n      int            // the number of these slides; 0 if from is lost
}

// duties appends the duties of a board with a sum of tiles. If the board is lost, it appends only the one that says so.
func (s *Strategy) duties(all []duty, b rules.Board, sum int) []duty {
	begin, usual := len(all), rules.North // the slide that answered the placement before
	for cells := b.Empty(s.config.Size); cells != 0; cells &= cells - 1 {
		for k := 1; k == 1 || k == 2 && s.config.Rules.Fours(); k++ {
			d := duty{from: b, sum: sum, placed: 1 << k}
			if s.answered(&d, b.With(bits.TrailingZeros64(cells)/4, k), &usual) {
				continue
			}
			if s.rank(&d); d.n == 0 {
				return append(all[:begin], d)
			}
			all = append(all, d)
		}
	}
	return all
}

// answered reports whether a slide of a board scores, or leads to a board of the strategy. It tries the usual slide first,
// and notes the slide. If there is none, it notes the boards after all slides.
func (s *Strategy) answered(d *duty, b rules.Board, usual *rules.Move) bool {
	for i := range rules.East - rules.North + 1 {
		m := rules.North + (*usual-rules.North+i)%(rules.East-rules.North+1)
		slid := b.Slide(s.config.Size, m)
		if slid == b {
			continue
		}
		after := slid.Canonical(s.config.Size)
		if s.has(after, d.sum+d.placed) || s.worth(slid) >= s.goal {
			*usual = m
			return true
		}
		d.after[d.n] = after
		d.n++
	}
	return false
}

// rank leaves out the boards after slides that are lost, and sets the best one first.
func (s *Strategy) rank(d *duty) {
	slid := slices.DeleteFunc(d.after[:d.n], s.isLost)
	slices.SortFunc(slid, func(a, b rules.Board) int { return cmp.Compare(s.evaluation.Of(b), s.evaluation.Of(a)) }) // most cutoffs
	best, first := mated, 0
	for i, after := range slid {
		if value := s.afterBest(after, s.depth(after), best); value > best {
			best, first = value, i
		}
	}
	if d.n = len(slid); best == mated {
		d.n = 0
		return
	}
	slid[0], slid[first] = slid[first], slid[0]
}

// The values of a board where the attacker mates, and of one where the defender has the score.
const (
	mated   = math.MinInt
	reached = math.MaxInt
)

// A board with at most crowded empty cells is searched a placement deeper than others.
const crowded = 3

func (s *Strategy) depth(b rules.Board) int {
	if b.EmptyCells(s.config.Size) <= crowded {
		return 1
	}
	return 0
}

// afterBest returns the value of a board with the attacker to move, by a search of depth+1 placements and slides. A
// value up to floor may be too large.
func (s *Strategy) afterBest(b rules.Board, depth, floor int) int {
	value := reached
	for cells := b.Empty(s.config.Size); cells != 0; cells &= cells - 1 {
		for k := 1; k == 1 || k == 2 && s.config.Rules.Fours(); k++ {
			value = min(value, s.afterPlacement(b.With(bits.TrailingZeros64(cells)/4, k), depth, value))
			if value <= floor {
				return value
			}
		}
	}
	return value
}

// afterPlacement returns the value of a board with the defender to move. A value from ceiling on may be too small.
func (s *Strategy) afterPlacement(b rules.Board, depth, ceiling int) int {
	value, across := mated, b.Transpose()
	for m := rules.North; m <= rules.East; m++ {
		slid, v := s.evaluation.Slide(b, across, m)
		if slid == b {
			continue
		}
		if s.worth(slid) >= s.goal {
			return reached
		}
		if depth > 0 {
			v = s.afterBest(slid, depth-1, value)
		}
		if value = max(value, v); value >= ceiling {
			return value
		}
	}
	return value
}
