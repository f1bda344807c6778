package alphabeta

import (
	"math/bits"

	"versus2048/rules"
)

// boardSearch is a fail-soft alpha-beta search of boards that never hold a 65536, with a
// transposition table (Knuth and Moore 1975; Marsland 1986). Once a node has a best move, each other
// move is first searched with an empty window, which only finds out whether it is better (principal
// variation search).
//
// Values depend on the board alone, not on the score so far. Plies are counted from the leaves; the
// last one is a slide. ply counts from the root.
type boardSearch struct {
	count      *counter
	config     *Config
	evaluation slider
	table      *table
	size       rules.Size
	fours      bool       // the attacker can place a 4
	points     int        // how much a point of the score counts
	extra      [2]int     // what the evaluation does not see when a 2 or a 4 is placed
	refuter    rules.Move // the slide that lastSlide tries first: the best one of its last call
	nears      [1 << 13]near
}

// newBoardSearch returns a search that can be used for all moves of a game.
func newBoardSearch(s rules.Size, r rules.Ruleset, c *Config, t *table) *boardSearch {
	e := c.Evaluation(s)
	points := pointValue(e)
	return &boardSearch{
		config: c, evaluation: sliding(e, s), table: t, size: s, fours: r.Fours(),
		points: points, extra: [2]int{0, -4 * points},
	}
}

// fits reports whether p has the size and the placed tiles that the search was made for.
func (s *boardSearch) fits(p rules.Position) bool {
	return s.size == p.Size() && s.fours == p.Rules().Fours()
}

// start prepares the search for the next move.
func (s *boardSearch) start(count *counter) {
	s.count, s.refuter = count, rules.West
}

// value implements tree.
func (s *boardSearch) value(p rules.Position, plies, ply, alpha, beta int) int {
	b, extra := p.Board(), surplus(p, s.points)
	v := 0
	switch {
	case plies == 0:
		s.count.nodes++
		return s.evaluation.Of(b) + extra
	case p.SideToMove() == rules.Attacker:
		v = s.lowest(b, plies, ply, beyond(alpha, -extra), beyond(beta, -extra), s.evaluation.Of(b))
	default:
		v = s.highest(b, plies, ply, beyond(alpha, -extra), beyond(beta, -extra))
	}
	return beyond(v, extra)
}

// beyond returns v with something added that is not seen on the board. A mate stays what it is.
func beyond(v, extra int) int {
	if v < -Mated/2 {
		return v
	}
	return v + extra
}

// appendVariation implements tree. It appends moves as long as the table has entries.
func (s *boardSearch) appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move {
	for ; plies > 0 && !p.Over(); plies-- {
		m, ok := s.best(p.Board(), plies)
		if !ok {
			break
		}
		next, err := p.Play(m)
		if err != nil {
			break
		}
		dst, p = append(dst, m), next
	}
	return dst
}

// best returns the best move on b if it is known.
func (s *boardSearch) best(b rules.Board, plies int) (m rules.Move, ok bool) {
	if plies == 2 {
		s.frontier(b, 0, -infinity, infinity, s.evaluation.Of(b))
		e := &s.nears[uint64(b)*0x9E37_79B9_7F4A_7C15>>51]
		return e.move, e.board == b && e.plies == 2
	}
	if plies > 1 {
		known := s.table.find(b, plies)
		return known.move, s.reaches(known, plies) && known.bound == exactly
	}
	var store [4]slidBoard
	slides := s.slides(store[:0], b, 0)
	if len(slides) == 0 {
		return 0, false
	}
	return slides[0].move, true
}

// reaches reports whether an entry is of a search that is deep enough. One that is deeper than wanted
// would do more than minimax.
func (s *boardSearch) reaches(k known, plies int) bool {
	return int(k.plies) == plies || s.config.Reductions && int(k.plies) > plies
}

// look returns what the table knows of b, and whether that answers a search between alpha and beta.
func (s *boardSearch) look(b rules.Board, plies, ply, alpha, beta int) (k known, answers bool) {
	k = s.table.find(b, plies)
	if k.plies == 0 {
		return k, false
	}
	if decided(int(k.value)) {
		k.value += int32(ply)
	}
	return k, s.reaches(k, plies) && k.settles(alpha, beta)
}

// keep stores a result. Of a mate it stores the distance from here.
func (s *boardSearch) keep(b rules.Board, plies, ply, alpha, beta, value int, m rules.Move) {
	if decided(value) {
		value, alpha, beta = value-ply, alpha-ply, beta-ply
	}
	s.table.keep(b, plies, alpha, beta, value, m)
}

// mated returns the value of a mated board.
func (s *boardSearch) mated(b rules.Board, ply int) int {
	if s.config.Hurry {
		return ply - Mated
	}
	return s.evaluation.Of(b) - s.config.Mate
}

// lowest returns the value of a board where the attacker is to move if it lies between alpha and
// beta, and otherwise a bound on the same side of them. Once the search has been stopped it returns
// soon, with a meaningless result, which must not be used or kept.
func (s *boardSearch) lowest(b rules.Board, plies, ply, alpha, beta, static int) int {
	if plies <= 2 {
		if plies == 0 {
			s.count.nodes++
			return static
		}
		return s.frontier(b, ply, alpha, beta, static)
	}
	if !s.count.visit() {
		return 0
	}
	try := &s.config.Try
	known, answers := s.look(b, plies, ply, alpha, beta)
	if answers {
		return int(known.value)
	}
	if s.config.Reductions && beta-alpha == 1 {
		if m := try[3]; m > 0 && plies <= 2*max(try[13], 1) && static-m*plies/2 >= beta && b.EmptyCells(s.size) > plies/2 {
			return static - m*plies/2
		}
		if m := try[4]; m > 0 && plies <= 2*max(try[13], 1) && static+m*plies/2 <= alpha {
			return static + m*plies/2
		}
		if r := try[10]; r > 0 && plies > r+1 && static <= alpha {
			v := s.highest(b, plies-1-r, ply+1, alpha, beta)
			if v <= alpha && !s.count.ended {
				return v
			}
		}
	}
	s.count.expanded[ply]++
	best, bestBit, tried := infinity, 0, 0
	for next := s.placements(b, known.move); next.left != 0 && best > alpha; tried++ {
		bit := next.take()
		extra := s.extra[bit&1]
		v := s.placed(place(b, bit), plies-1, ply+1, beyond(alpha, -extra), beyond(min(beta, best), -extra), tried)
		if v = beyond(v, extra); v < best {
			best, bestBit = v, bit
		}
	}
	if s.count.ended {
		return 0
	}
	s.keep(b, plies, ply, alpha, beta, best, placement(bestBit))
	return best
}

// frontier is lowest for two plies, a placement and the last slide.
func (s *boardSearch) frontier(b rules.Board, ply, alpha, beta, static int) int {
	if !s.count.visit() {
		return 0
	}
	try := &s.config.Try
	first := rules.Move(0)
	e := &s.nears[uint64(b)*0x9E37_79B9_7F4A_7C15>>51]
	if e.board == b && e.plies == 2 && (e.age == s.table.age || s.config.Keep) {
		if e.settles(alpha, beta) {
			return int(e.value)
		}
		first = e.move
	}
	cells := b.Empty(s.size)
	if s.config.Reductions && beta-alpha == 1 {
		if m := try[3]; m > 0 && static-m >= beta && cells&(cells-1) != 0 {
			return static - m
		}
		if m := try[4]; m > 0 && static+m <= alpha {
			return static + m
		}
	}
	s.count.expanded[ply]++
	best, bestBit := infinity, 0
	for next := s.placements(b, first); next.left != 0 && best > alpha; {
		bit := next.take()
		extra := s.extra[bit&1]
		v := beyond(s.lastSlide(place(b, bit), ply+1, beyond(min(beta, best), -extra)), extra)
		if v < best {
			best, bestBit = v, bit
		}
	}
	m := placement(bestBit)
	if !s.config.Hurry || !decided(best) {
		*e = near{b, known{value: int32(best), plies: 2, bound: boundOf(alpha, beta, best), move: m, age: s.table.age}}
	}
	return best
}

// placed returns the value after a placement. If there is another move to beat, it first searches with
// an empty window, which only finds out whether this move is better.
func (s *boardSearch) placed(b rules.Board, plies, ply, alpha, beta, tried int) int {
	if tried > 0 && plies > 1 {
		if less := s.reduction(plies, tried); less > 0 {
			if v := s.highest(b, plies-less, ply, beta-1, beta); v >= beta {
				return v
			}
		}
		v := s.highest(b, plies, ply, beta-1, beta)
		if v <= alpha || v >= beta {
			return v
		}
		beta = v + 1
	}
	return s.highest(b, plies, ply, alpha, beta)
}

// reduction returns by how many plies the search after a placement is shortened at first.
func (s *boardSearch) reduction(plies, tried int) int {
	try := &s.config.Try
	switch {
	case !s.config.Reductions || plies < 3 || try[1] == 0 || tried < try[1]:
		return 0
	case try[2] > 0 && tried >= try[2] && plies >= 5:
		return 4
	default:
		return 2
	}
}

// highest is the counterpart of lowest where the defender is to move. It tries the table's move
// first and then the moves with the best evaluations.
func (s *boardSearch) highest(b rules.Board, plies, ply, alpha, beta int) int {
	if plies == 1 {
		return s.lastSlide(b, ply, beta)
	}
	if !s.count.visit() {
		return 0
	}
	known, answers := s.look(b, plies, ply, alpha, beta)
	if answers {
		return int(known.value)
	}
	var store [4]slidBoard
	slides := s.slides(store[:0], b, known.move)
	if len(slides) == 0 {
		return s.mated(b, ply)
	}
	s.count.expanded[ply]++
	best, bestMove := -infinity, known.move
	if try := &s.config.Try; s.config.Reductions {
		if try[5] > 0 && len(slides) == 1 && ply < try[5] {
			plies += 2
		}
		if try[7] > 0 {
			for i := range slides {
				s.table.touch(slides[i].board, rules.Attacker)
			}
		}
		if r := try[11]; r > 0 && beta-alpha == 1 && plies > r+2 && b.EmptyCells(s.size) > 2 {
			v := s.lowest(b, plies-1-r, ply+1, alpha, beta, s.evaluation.Of(b))
			if v >= beta && !s.count.ended {
				return v
			}
		}
	}
	for i := 0; i < len(slides) && best < beta; i++ {
		v := s.slid(&slides[i], plies-1, ply+1, max(alpha, best), beta, i)
		if v > best {
			best, bestMove = v, slides[i].move
		}
	}
	if s.count.ended {
		return 0
	}
	s.keep(b, plies, ply, alpha, beta, best, bestMove)
	return best
}

// slid is the counterpart of placed for a slide.
func (s *boardSearch) slid(b *slidBoard, plies, ply, alpha, beta, tried int) int {
	if tried > 0 {
		if try := &s.config.Try; s.config.Reductions && try[8] > 0 && tried >= try[8] && plies >= 4 {
			if v := s.lowest(b.board, plies-2, ply, alpha, alpha+1, b.value); v <= alpha {
				return v
			}
		}
		v := s.lowest(b.board, plies, ply, alpha, alpha+1, b.value)
		if v <= alpha || v >= beta {
			return v
		}
		alpha = v - 1
	}
	return s.lowest(b.board, plies, ply, alpha, beta, b.value)
}

// lastSlide is highest for one ply, the last slide. Much of the time is spent here.
func (s *boardSearch) lastSlide(b rules.Board, ply, beta int) int {
	s.count.nodes++
	across, best, first := b.Transpose(), -infinity, s.refuter
	for i := rules.Move(0); i < 4 && best < beta; i++ {
		slid, v := s.evaluation.Slide(b, across, first^i)
		if slid == b {
			continue
		}
		s.count.nodes++
		if v > best {
			best, s.refuter = v, first^i
		}
	}
	if best == -infinity {
		return s.mated(b, ply)
	}
	s.count.expanded[ply]++
	return best
}

// slidBoard is a board after a slide.
type slidBoard struct {
	board rules.Board
	value int // its evaluation
	move  rules.Move
}

// slides appends the legal slides of b: the slide first, if it is legal, and then the others, the
// highest evaluation first.
func (s *boardSearch) slides(dst []slidBoard, b rules.Board, first rules.Move) []slidBoard {
	across := b.Transpose()
	for m := rules.North; m <= rules.East; m++ {
		slid, v := s.evaluation.Slide(b, across, m)
		if slid == b {
			continue
		}
		dst = append(dst, slidBoard{slid, v, m})
		for i := len(dst) - 1; i > 0 && (m == first || dst[i].value > dst[i-1].value && dst[i-1].move != first); i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}

// placements are the placements on a board: bit 4i is set for a 2 on cell i, bit 4i+1 for a 4. They are
// kept rotated, the first one to try lowest.
type placements struct {
	left  uint64
	start int
}

// placements returns the placements on b: first the given one, if it is there, and then those that
// follow it in the order of the cells, wrapping around. No better order was found.
func (s *boardSearch) placements(b rules.Board, first rules.Move) placements {
	cells := b.Empty(s.size)
	if s.fours {
		cells |= cells << 1
	}
	start := 4*first.Cell() + int(first>>4&1)
	return placements{bits.RotateLeft64(cells, -start), start}
}

// take removes the next placement and returns its bit.
func (p *placements) take() (bit int) {
	bit = (p.start + bits.TrailingZeros64(p.left)) & 63
	p.left &= p.left - 1
	return bit
}

// place returns b after a placement.
func place(b rules.Board, bit int) rules.Board { return b | rules.Board(1+bit&1)<<(bit&^3) }

// placement returns the move of a bit.
func placement(bit int) rules.Move { return rules.Place(bit/4, bit&1 == 1) }

type near struct {
	board rules.Board
	known
}
