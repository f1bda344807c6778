package annoying

import (
	"math/bits"

	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/rules"
)

// lines is the alpha-beta search of lines of play by one thread. It is fail-soft: if the value of a board is
// not between alpha and beta, it returns a bound on the same side of them.
type lines struct {
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

func newLines(p rules.Position, c Config, t *searching.Table) *lines {
	l := lines{size: p.Size(), tiles: 1, rating: evaluation.NewOv3y(p.Size()), win: c.Win, table: t}
	if p.Rules().Fours() {
		l.tiles = 2
	}
	if c.Evaluation == nil {
		c.Evaluation = ov3y
	}
	l.evaluation = c.Evaluation(p.Size())
	l.points = searching.PointValue(l.evaluation)
	return &l
}

// fits reports whether l was made for boards of the size of p, and for the tiles that its rules place.
func (l *lines) fits(p rules.Position) bool {
	return l.size == p.Size() && (l.tiles == 2) == p.Rules().Fours()
}

// start prepares the search for the next move.
func (l *lines) start(root rules.Position, stop func() bool) {
	l.winning = l.win && root.LargestTile() < 2048
	l.count = searching.NewCounter(stop)
}

// unscored returns how much too high the evaluation is after m: on the board, a placed 4 looks like two merged
// 2s, which score four points.
func (l *lines) unscored(m rules.Move) int {
	if m.IsFour() {
		return 4 * l.points
	}
	return 0
}

// plus adds extra, which the board does not show, to a value. It does not change the value of a win or a mate,
// nor an infinite bound.
func plus(value, extra int) int {
	if value >= Win || value <= -Win {
		return value
	}
	return value + extra
}

// slid returns the value of a board after a slide; slides is the number of slides still to look ahead. After the
// search has been stopped, it returns soon, with a meaningless result.
func (l *lines) slid(b rules.Board, slides, alpha, beta int) int {
	ply := l.horizon - 2*slides
	l.variations[ply] = l.variations[ply][:0]
	switch {
	case !l.count.Visit():
		return 0
	case l.winning && has2048(b):
		return Win + slides
	case slides == 0:
		return l.evaluation.Of(b)
	case l.table == nil:
		return l.lowest(b, slides, ply, alpha, beta)
	}
	if known := l.table.Find(b, 2*slides); int(known.Plies) == 2*slides && known.Settles(alpha, beta) {
		return int(known.Value)
	}
	v := l.lowest(b, slides, ply, alpha, beta)
	if !l.count.Ended {
		l.table.Keep(b, 2*slides, alpha, beta, v, 0)
	}
	return v
}

// lowest returns the value of a board, with the attacker to move: the lowest value after one of the most
// annoying placements.
func (l *lines) lowest(b rules.Board, slides, ply, alpha, beta int) int {
	var store [32]placement
	best := infinity
	l.count.Expanded[ply]++
	for _, m := range l.mostAnnoying(store[:0], b) {
		extra := l.unscored(m.move)
		v := plus(l.highest(m.after, slides, plus(alpha, extra), plus(min(beta, best), extra)), -extra)
		if v < best {
			best = v
			l.prefer(ply, m.move)
		}
		if best <= alpha {
			break
		}
	}
	return best
}

// prefer records that m is the best move so far in the current position, which is ply plies below the root.
func (l *lines) prefer(ply int, m rules.Move) {
	l.variations[ply] = append(append(l.variations[ply][:0], m), l.variations[ply+1]...)
}

// highest returns the value of a board, with the defender to move and at least one slide still to look ahead. It
// tries the slides with the best evaluations first.
func (l *lines) highest(b rules.Board, slides, alpha, beta int) int {
	ply := l.horizon - 2*slides + 1
	l.variations[ply] = l.variations[ply][:0]
	if !l.count.Visit() {
		return 0
	}
	var store [4]slide
	best := -infinity
	for i, m := range l.slides(store[:0], b, slides > 1) {
		if i == 0 {
			l.count.Expanded[ply]++
		}
		v := l.slid(m.after, slides-1, max(alpha, best), beta)
		if v > best {
			best = v
			l.prefer(ply, m.move)
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
func (l *lines) slides(dst []slide, b rules.Board, sorted bool) []slide {
	for m := rules.North; m <= rules.East; m++ {
		after := b.Slide(l.size, m)
		if after == b {
			continue
		}
		dst = append(dst, slide{move: m, after: after})
		if !sorted {
			continue
		}
		dst[len(dst)-1].value = l.evaluation.Of(after)
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
func (l *lines) mostAnnoying(dst []placement, b rules.Board) []placement {
	highest := -infinity
	for cells := b.Empty(l.size); cells != 0; cells &= cells - 1 {
		cell := bits.TrailingZeros64(cells) / 4
		for exponent := 1; exponent <= l.tiles; exponent++ {
			after := b.With(cell, exponent)
			rating := l.rating.Annoyance(after)
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
