package annoying

import (
	"math/bits"

	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/rules"
)

// boardSearch is the alpha-beta search of boards by one thread. It is fail-soft: if the value of a board is
// not between alpha and beta, it returns a bound on the same side of them.
type boardSearch struct {
	size       rules.Size
	tiles      int // largest exponent that can be placed: 1 for a 2, 2 for a 4
	evaluation searching.Evaluation
	rating     *evaluation.Ov3y
	win        bool             // Config.Win
	table      *searching.Table // nil without a cache
	points     int              // the value of a point of the score in the evaluation

	winning    bool                       // a line of this search ends at a 2048
	count      *searching.Counter         // of this search
	horizon    int                        // plies from the root to the leaves
	variations [maxPlies + 1][]rules.Move // by plies below the root: the best moves found from there on
}

func newBoardSearch(p rules.Position, c Config, t *searching.Table) *boardSearch {
	s := boardSearch{size: p.Size(), tiles: 1, rating: evaluation.NewOv3y(p.Size()), win: c.Win, table: t}
	if p.Rules().Fours() {
		s.tiles = 2
	}
	if c.Evaluation == nil {
		c.Evaluation = ov3y
	}
	s.evaluation = c.Evaluation(p.Size())
	s.points = searching.PointValue(s.evaluation)
	return &s
}

// fits reports whether s was made for boards of the size of p, and for the tiles that its rules place.
func (s *boardSearch) fits(p rules.Position) bool {
	return s.size == p.Size() && (s.tiles == 2) == p.Rules().Fours()
}

// start prepares the search for the next move.
func (s *boardSearch) start(root rules.Position, stop func() bool) {
	s.winning = s.win && root.LargestTile() < 2048
	s.count = searching.NewCounter(stop)
}

// unscored returns the amount by which the evaluation after m is too high: on the board, a placed 4 looks like two
// merged 2s, which score four points.
func (s *boardSearch) unscored(m rules.Move) int {
	if m.IsFour() {
		return 4 * s.points
	}
	return 0
}

// plus returns value plus extra, the part of a value that the board does not show. It does not change the value of a
// win or a mate, nor an infinite bound.
func plus(value, extra int) int {
	if value >= Win || value <= -Win {
		return value
	}
	return value + extra
}

// slid returns the value of a board after a slide. slides is the number of slides still to look ahead. After the search
// has been stopped, slid returns soon, with a meaningless result.
func (s *boardSearch) slid(b rules.Board, slides, alpha, beta int) int {
	ply := s.horizon - 2*slides
	s.variations[ply] = s.variations[ply][:0]
	switch {
	case !s.count.Visit():
		return 0
	case s.winning && has2048(b):
		return Win + slides
	case slides == 0:
		return s.evaluation.Of(b)
	case s.table == nil:
		return s.lowest(b, slides, ply, alpha, beta)
	}
	if known := s.table.Find(b, 2*slides); int(known.Plies) == 2*slides && known.Settles(alpha, beta) {
		return int(known.Value)
	}
	v := s.lowest(b, slides, ply, alpha, beta)
	if !s.count.Ended {
		s.table.Keep(b, 2*slides, alpha, beta, v, 0)
	}
	return v
}

// lowest returns the value of a board, with the attacker to move: the lowest value after one of the most
// annoying placements.
func (s *boardSearch) lowest(b rules.Board, slides, ply, alpha, beta int) int {
	var store [32]placement
	best := infinity
	s.count.Expanded[ply]++
	for _, m := range s.mostAnnoying(store[:0], b) {
		extra := s.unscored(m.move)
		v := plus(s.highest(m.after, slides, plus(alpha, extra), plus(min(beta, best), extra)), -extra)
		if v < best {
			best = v
			s.prefer(ply, m.move)
		}
		if best <= alpha {
			break
		}
	}
	return best
}

// prefer records that m is the best move so far in the current position, which is ply plies below the root.
func (s *boardSearch) prefer(ply int, m rules.Move) {
	s.variations[ply] = append(append(s.variations[ply][:0], m), s.variations[ply+1]...)
}

// highest returns the value of a board, with the defender to move and at least one slide still to look ahead. It
// tries the slides with the best evaluations first, unless only one slide is left to look ahead.
func (s *boardSearch) highest(b rules.Board, slides, alpha, beta int) int {
	ply := s.horizon - 2*slides + 1
	s.variations[ply] = s.variations[ply][:0]
	if !s.count.Visit() {
		return 0
	}
	var store [4]slide
	best := -infinity
	for i, m := range s.slides(store[:0], b, slides > 1) {
		if i == 0 {
			s.count.Expanded[ply]++
		}
		v := s.slid(m.after, slides-1, max(alpha, best), beta)
		if v > best {
			best = v
			s.prefer(ply, m.move)
		}
		if best >= beta {
			break
		}
	}
	if best == -infinity {
		return -Win - slides
	}
	return best
}

// slide is a slide with its result.
type slide struct {
	move  rules.Move
	after rules.Board
	value int // the evaluation of after, if the slides are sorted
}

// slides appends the legal slides of b. If they are to be sorted, the slides with the highest evaluation come
// first.
func (s *boardSearch) slides(dst []slide, b rules.Board, sorted bool) []slide {
	for m := rules.North; m <= rules.East; m++ {
		after := b.Slide(s.size, m)
		if after == b {
			continue
		}
		dst = append(dst, slide{move: m, after: after})
		if !sorted {
			continue
		}
		dst[len(dst)-1].value = s.evaluation.Of(after)
		for i := len(dst) - 1; i > 0 && dst[i].value > dst[i-1].value; i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}

// placement is a placement with its result.
type placement struct {
	move  rules.Move
	after rules.Board
}

// mostAnnoying appends the placements on b with the highest rating, in the order of the cells.
func (s *boardSearch) mostAnnoying(dst []placement, b rules.Board) []placement {
	highest := -infinity
	for cells := b.Empty(s.size); cells != 0; cells &= cells - 1 {
		cell := bits.TrailingZeros64(cells) / 4
		for exponent := 1; exponent <= s.tiles; exponent++ {
			after := b.With(cell, exponent)
			rating := s.rating.Annoyance(after)
			if rating < highest {
				continue
			}
			if rating > highest {
				highest, dst = rating, dst[:0]
			}
			dst = append(dst, placement{rules.Place(cell, exponent == 2), after})
		}
	}
	return dst
}

// has2048 reports whether there is a 2048 or a larger tile on b: an exponent of 11 or more.
func has2048(b rules.Board) bool {
	eights, fours, twos, ones := b>>3, b>>2, b>>1, b
	return eights&(fours|twos&ones)&0x1111_1111_1111_1111 != 0
}
