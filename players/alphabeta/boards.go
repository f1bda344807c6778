package alphabeta

import (
	"versus2048/players/searching"
	"versus2048/rules"
)

// boardSearch is a fail-soft alpha-beta search of boards that never hold a 65536, with a transposition table
// (Knuth and Moore 1975; Marsland 1986). Once a node has a best move, each other move is first searched with an
// empty window, which only shows whether the move is better (principal variation search).
//
// Values depend on the board alone, not on the score so far. In the methods, ply is the number of plies from the
// root to the board, and plies is the number of plies from the board to the leaves. The last ply before a leaf is a
// slide.
type boardSearch struct {
	count      *searching.Counter
	config     *Config
	evaluation slider
	table      *searching.Table
	near       nearTable
	underway   *underway // nil for a single thread
	size       rules.Size
	fours      bool       // the attacker can place a 4
	points     int        // the value of a point of the score in the evaluation
	extra      [2]int     // added to values after a placed 2 or 4: on the board, a placed 4 looks like a merged one
	refuter    rules.Move // the slide that lastSlide tries first: the best slide of its last call
}

// newBoardSearch returns a search that can be used for all moves of a game.
func newBoardSearch(s rules.Size, r rules.Ruleset, c *Config, t *searching.Table) *boardSearch {
	e := c.Evaluation(s)
	points := searching.PointValue(e)
	return &boardSearch{
		config: c, evaluation: sliderOf(e, s), table: t, size: s, fours: r.Fours(),
		points: points, extra: [2]int{0, -4 * points},
	}
}

// start prepares the search for the next move.
func (s *boardSearch) start(count *searching.Counter) { s.count, s.refuter = count, rules.West }

// value implements tree.
func (s *boardSearch) value(p rules.Position, plies, ply, alpha, beta int) int {
	b, extra := p.Board(), searching.Surplus(p, s.points)
	alpha, beta = plus(alpha, -extra), plus(beta, -extra)
	if p.SideToMove() == rules.Defender {
		return plus(s.highest(b, plies, ply, alpha, beta), extra)
	}
	return plus(s.lowest(b, plies, ply, alpha, beta, s.evaluation.Of(b)), extra)
}

// plus returns v plus extra, the part of a value that the board does not show. It does not change the value of a mate
// by distance.
func plus(v, extra int) int {
	if decided(v) {
		return v
	}
	return v + extra
}

// look returns the table's entry for b. answers reports whether the entry settles a search between alpha and beta.
func (s *boardSearch) look(b rules.Board, plies, ply, alpha, beta int) (k searching.Known, answers bool) {
	k = s.table.Find(b, plies)
	if k.Plies == 0 {
		return k, false
	}
	if decided(int(k.Value)) {
		k.Value += int32(ply)
	}
	return k, s.reaches(k, plies) && k.Settles(alpha, beta)
}

// reaches reports whether the search behind an entry was deep enough. Without reductions the depth must be
// equal, since a deeper value would not be the minimax value.
func (s *boardSearch) reaches(k searching.Known, plies int) bool {
	return int(k.Plies) == plies || s.config.Reductions && int(k.Plies) > plies
}

// keep stores a result. For a mate it stores the distance from this board.
func (s *boardSearch) keep(b rules.Board, plies, ply, alpha, beta, value int, m rules.Move) {
	if decided(value) {
		value, alpha, beta = value-ply, alpha-ply, beta-ply
	}
	s.table.Keep(b, plies, alpha, beta, value, m)
}

// mated returns the value of a mated board.
func (s *boardSearch) mated(b rules.Board, ply int) int {
	if s.config.Hurry {
		return ply - Mated
	}
	return s.evaluation.Of(b) - s.config.Mate
}

// lowest returns the value of a board, with the attacker to move, if the value is between alpha and beta. Otherwise it
// returns a bound on the same side of them. static is the evaluation of the board. After the search has been stopped,
// lowest returns soon, with a meaningless result, which must not be used or kept.
func (s *boardSearch) lowest(b rules.Board, plies, ply, alpha, beta, static int) int {
	switch plies {
	case 0:
		s.count.Nodes++
		return static
	case 2:
		return s.frontier(b, ply, alpha, beta)
	}
	if !s.count.Visit() {
		return 0
	}
	known, answers := s.look(b, plies, ply, alpha, beta)
	if answers {
		return int(known.Value)
	}
	if s.config.Reductions && s.fours && beta-alpha == 1 && static <= alpha {
		if v, low := s.pass(b, plies, ply, alpha, beta); low {
			return v
		}
	}
	s.count.Expanded[ply]++
	best, bestBit := infinity, 0
	untried, later := s.placementsOn(b, known.Move), deferred{}
	for later.more(&untried.remaining) && best > alpha {
		bit := untried.take()
		placed, tried, extra := place(b, bit), best < infinity, s.extra[bit&1]
		if tried && later.defers(untried.rotated(bit), s.underway, placed, plies-1) {
			continue
		}
		s.underway.begin(placed, plies-1)
		v := s.afterPlacement(placed, plies-1, ply+1, plus(alpha, -extra), plus(min(beta, best), -extra), tried)
		s.underway.end(placed, plies-1)
		if v = plus(v, extra); v < best {
			best, bestBit = v, bit
		}
	}
	if s.count.Ended {
		return 0
	}
	s.keep(b, plies, ply, alpha, beta, best, moveOf(bestBit))
	return best
}

// pass searches, two plies less deep, as if the attacker passed (a null move: Beal 1989). Passing is not legal, but
// with 2s and 4s to choose from, the attacker nearly always has a better move. If the defender does badly even after a
// pass, there is no need to look for the best placement: low reports that v is at most alpha and that the search was
// not stopped. If only 2s are placed, every placement may help the defender, and the result of a pass is wrong
// (docs/adr/0020-alphabeta.md).
func (s *boardSearch) pass(b rules.Board, plies, ply, alpha, beta int) (v int, low bool) {
	v = s.highest(b, plies-3, ply+1, alpha, beta)
	if decided(v) {
		v = alpha // not a real mate
	}
	return v, v <= alpha && !s.count.Ended
}

// afterPlacement returns the value of b, the board after a placement. If another placement has been tried before,
// b is first searched with an empty window, which only shows whether the value is better.
func (s *boardSearch) afterPlacement(b rules.Board, plies, ply, alpha, beta int, tried bool) int {
	if tried {
		v := s.highest(b, plies, ply, beta-1, beta)
		if v <= alpha || v >= beta {
			return v
		}
	}
	return s.highest(b, plies, ply, alpha, beta)
}

// frontier is lowest for two plies, a placement and the last slide. It has its own table.
func (s *boardSearch) frontier(b rules.Board, ply, alpha, beta int) int {
	if !s.count.Visit() {
		return 0
	}
	e, preferred := s.near.entry(b), rules.Move(0)
	if e.holds(b) && (s.config.Keep || e.Age == s.table.Age()) {
		if e.Settles(alpha, beta) {
			return int(e.Value)
		}
		preferred = e.Move
	}
	s.count.Expanded[ply]++
	best, bestBit := infinity, 0
	for untried := s.placementsOn(b, preferred); untried.remaining != 0 && best > alpha; {
		bit := untried.take()
		extra := s.extra[bit&1]
		v := plus(s.lastSlide(place(b, bit), ply+1, plus(min(beta, best), -extra)), extra)
		if v < best {
			best, bestBit = v, bit
		}
	}
	if !decided(best) {
		*e = nearEntry{b, searching.Known{
			Value: int32(best), Plies: 2, Age: s.table.Age(), Bound: searching.BoundOf(alpha, beta, best), Move: moveOf(bestBit),
		}}
	}
	return best
}

// highest is the counterpart of lowest with the defender to move. It tries the table's slide first, and then the other
// slides by falling evaluation. If the attacker places only 2s, it evaluates the other slides only if the table's slide
// was not enough.
func (s *boardSearch) highest(b rules.Board, plies, ply, alpha, beta int) int {
	if plies == 1 {
		return s.lastSlide(b, ply, beta)
	}
	if !s.count.Visit() {
		return 0
	}
	known, answers := s.look(b, plies, ply, alpha, beta)
	if answers {
		return int(known.Value)
	}
	var store [4]slidBoard
	slides, complete := s.knownSlide(store[:0], b, known.Move), false
	if len(slides) == 0 {
		slides, complete = s.slides(slides, b, known.Move), true
	}
	if len(slides) == 0 {
		return s.mated(b, ply)
	}
	s.count.Expanded[ply]++
	best, bestMove := -infinity, known.Move
	untried, later := uint64(1)<<len(slides)-1, deferred{}
	for later.more(&untried) && best < beta {
		i := takeLowest(&untried)
		slid := slides[i].board
		if i > 0 && later.defers(i, s.underway, slid, plies-1) {
			continue
		}
		s.underway.begin(slid, plies-1)
		v := s.afterSlide(&slides[i], plies-1, ply+1, max(alpha, best), beta, i)
		s.underway.end(slid, plies-1)
		if v > best {
			best, bestMove = v, slides[i].move
		}
		if !complete && best < beta {
			slides, complete = s.slides(slides, b, known.Move), true
			untried = uint64(1)<<len(slides) - 2
		}
	}
	if s.count.Ended {
		return 0
	}
	s.keep(b, plies, ply, alpha, beta, best, bestMove)
	return best
}

// reduceAfter is the number of slides, from the first on, that are always searched to the full depth. Later slides are
// first searched two plies less deep (late move reduction).
const reduceAfter = 2

// afterSlide returns the value of b, the board after a slide. tried is the number of slides before it in their order.
// The first slide is searched once. A later slide is first searched with an empty window, and once more only if it may
// be better. From reduceAfter on, a search two plies less deep comes before both.
func (s *boardSearch) afterSlide(b *slidBoard, plies, ply, alpha, beta, tried int) int {
	if tried >= reduceAfter && s.config.Reductions && plies >= 4 {
		if v := s.lowest(b.board, plies-2, ply, alpha, alpha+1, b.value); v <= alpha {
			return v
		}
	}
	if tried > 0 {
		v := s.lowest(b.board, plies, ply, alpha, alpha+1, b.value)
		if v <= alpha || v >= beta {
			return v
		}
	}
	return s.lowest(b.board, plies, ply, alpha, beta, b.value)
}

// lastSlide is highest for one ply, the last slide. Much of the search's time is spent here.
func (s *boardSearch) lastSlide(b rules.Board, ply, beta int) int {
	s.count.Nodes++
	across, best, first := b.Transpose(), -infinity, s.refuter
	for i := rules.Move(0); i < 4 && best < beta; i++ {
		slid, v := s.evaluation.Slide(b, across, first^i)
		if slid == b {
			continue
		}
		s.count.Nodes++
		if v > best {
			best, s.refuter = v, first^i
		}
	}
	if best == -infinity {
		return s.mated(b, ply)
	}
	s.count.Expanded[ply]++
	return best
}

// appendVariation implements tree. It appends moves as long as the tables have entries with legal moves.
func (s *boardSearch) appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move {
	for ; plies > 0; plies-- {
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
	switch plies {
	case 1:
		var store [4]slidBoard
		slides := s.slides(store[:0], b, 0)
		if len(slides) == 0 {
			return 0, false
		}
		return slides[0].move, true
	case 2:
		s.frontier(b, 0, -infinity, infinity)
		e := s.near.entry(b)
		return e.Move, e.holds(b) && e.Bound == searching.Exactly
	}
	known := s.table.Find(b, plies)
	return known.Move, s.reaches(known, plies) && known.Bound == searching.Exactly
}

// nearTable is a small table of one thread for the boards two plies above the leaves, which are the majority.
// It stays in the processor's cache, and leaves the other table to deeper searches. Each board has one place,
// which keeps the latest entry. The table holds no mates by distance.
type nearTable [1 << nearBits]nearEntry

const nearBits = 12

// nearEntry is the result for a board.
type nearEntry struct {
	board rules.Board
	searching.Known
}

// entry returns the place of b.
func (t *nearTable) entry(b rules.Board) *nearEntry { return &t[searching.Slot(b, nearBits)] }

// holds reports whether the entry is about b.
func (e *nearEntry) holds(b rules.Board) bool { return e.board == b && e.Plies > 0 }
