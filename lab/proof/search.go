package proof

import (
	"cmp"
	"slices"
	"sync/atomic"

	"versus2048/rules"
)

// A searcher decides positions. Several searchers may use one table, each in a goroutine.
type searcher struct {
	rules    rules.Ruleset
	size     rules.Size
	table    *table
	estimate *estimate
	noise    float32 // the largest random error of the guesses that order moves, so that searchers differ
	random   uint64
	frames   [][]placement // the open placements of each ply, to use their memory again
	counts   counts
	trial    uint64       // Explore gives up at this count of nodes; 0 outside of Explore
	reported counts       // the part of the counts that is in the shared counts already
	stop     *atomic.Bool // set when the search is to end
	shared   *sharedCounts
}

// counts has the numbers of positions of one searcher.
type counts struct{ nodes, proven, refuted uint64 }

// sharedCounts has the sums of the searchers' counts, except for the last few nodes, and the depth of one searcher.
type sharedCounts struct{ nodes, proven, refuted, open atomic.Uint64 }

// A placement is a move of the attacker with the answers to it.
type placement struct {
	move    rules.Move
	answers [4]answer
	n       int // the number of answers; 0 if the defender is mated
	bounds  bounds
	guess   float32 // the estimate of the gain
}

// An answer is a slide: the canonical board after it and its gain, in units.
type answer struct {
	slide rules.Move
	board rules.Board
	gain  int
	guess float32
}

// reportEvery is the number of nodes that a searcher searches before it adds them to the shared counts.
const reportEvery = 1024

// attacker returns a bound of the gain to come from a canonical board with the attacker to move. A result of goal or
// more is a lower bound, and a smaller one an upper bound. If the search has halted, the result means nothing.
func (s *searcher) attacker(b rules.Board, goal, depth int) int {
	known := s.table.get(b)
	switch {
	case known.low >= goal:
		return known.low
	case known.high < goal:
		return known.high
	case s.stopped(depth):
		return 0
	}
	begin := s.counts.nodes
	s.counts.nodes++
	worst, open, refuted := s.expand(b, goal, depth, known.move)
	if refuted != nil {
		return s.refute(b, refuted.bounds.high, refuted.move, begin)
	}
	for i := range open {
		gain := s.defender(&open[i], goal, depth)
		if s.halted() {
			return 0
		}
		if gain < goal {
			return s.refute(b, gain, open[i].move, begin)
		}
		worst = min(worst, gain)
	}
	s.counts.proven++
	s.estimate.learn(b, worst, unknown)
	s.table.put(b, bounds{low: worst, high: unknown}, s.counts.nodes-begin)
	return worst
}

// refute stores that a placement holds the gain at high or less, and returns high.
func (s *searcher) refute(b rules.Board, high int, move rules.Move, begin uint64) int {
	s.counts.refuted++
	s.estimate.learn(b, 0, high)
	s.table.put(b, bounds{high: high, move: move}, s.counts.nodes-begin)
	return high
}

// defender returns a bound of the gain after a placement, as attacker does.
func (s *searcher) defender(p *placement, goal, depth int) int {
	best := 0
	for i := range p.answers[:p.n] {
		a := &p.answers[i]
		gain := a.gain
		if gain < goal {
			gain += s.attacker(a.board, goal-gain, depth+1)
		}
		if gain >= goal || s.halted() {
			return gain
		}
		best = max(best, gain)
	}
	return best
}

// expand looks up every placement. worst is the least of the lower bounds of the placements that are known to yield
// goal. open has the undecided placements in the order to try them, the move first before all others. If a placement is
// known to refute the goal, expand returns only this placement, as refuted.
func (s *searcher) expand(b rules.Board, goal, depth int, first rules.Move) (worst int, open []placement, refuted *placement) {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, nil)
	}
	worst, open = unknown, s.frames[depth][:0]
	for move := range placements(b, s.rules, s.size) {
		open = append(open, placement{move: move})
		p := &open[len(open)-1]
		s.answer(b, p)
		switch {
		case p.bounds.high < goal:
			return 0, nil, p
		case p.bounds.low >= goal:
			worst = min(worst, p.bounds.low)
			open = open[:len(open)-1]
		case move == first:
			p.guess = -1e9
		}
	}
	s.frames[depth] = open
	slices.SortFunc(open, func(p, q placement) int { return cmp.Compare(p.guess, q.guess) })
	return worst, open, nil
}

// Known returns the bounds in the table, in points.
func (s *searcher) Known(b rules.Board) (low, high int, err error) {
	known := s.table.get(b)
	return known.low * unit, known.high * unit, nil
}

// Decide searches whether the gain from a canonical board is at least goal, in points.
func (s *searcher) Decide(b rules.Board, goal int) (bool, error) {
	goal = (goal + unit - 1) / unit
	found := s.attacker(b, goal, 0)
	if s.stop.Load() {
		return false, ErrStopped
	}
	return found >= goal, nil
}

// exploreNodes is the number of positions that Explore searches before it gives up. Longer searches settle more moves,
// but the proofs become larger: docs/notes/2026-11-29-analysis.md has figures.
const exploreNodes = 2

// Explore searches whether the gain from a canonical board is at least goal, in points, and gives up very soon.
// The table keeps the bounds that the search finds.
func (s *searcher) Explore(b rules.Board, goal int) {
	s.trial = s.counts.nodes + exploreNodes
	s.attacker(b, (goal+unit-1)/unit, 0)
	s.trial = 0
}

// Effort returns the approximate number of nodes that were searched for the bounds of a canonical board.
func (s *searcher) Effort(b rules.Board) uint64 { return s.table.work(b) }

// answer finds the defender's answers to a placement, the most promising first, and the placement's bounds that follow
// from the table.
func (s *searcher) answer(b rules.Board, p *placement) {
	placed := place(b, p.move)
	potential := placed.Potential()
	p.guess = s.disturbance()
	for slide := rules.North; slide <= rules.East; slide++ {
		board := placed.Slide(s.size, slide)
		if board == placed {
			continue
		}
		a := answer{slide: slide, gain: (board.Potential() - potential) / unit, board: board.Canonical(s.size)}
		known := s.table.get(a.board)
		p.bounds.low = max(p.bounds.low, a.gain+known.low)
		p.bounds.high = max(p.bounds.high, min(unknown, a.gain+known.high))
		a.guess = float32(a.gain) + min(max(s.estimate.of(a.board), float32(known.low)), float32(known.high)) + s.disturbance()
		p.guess = max(p.guess, a.guess)
		p.insert(a)
	}
}

// insert adds an answer in the order of the guesses.
func (p *placement) insert(a answer) {
	i := p.n
	for ; i > 0 && p.answers[i-1].guess < a.guess; i-- {
		p.answers[i] = p.answers[i-1]
	}
	p.answers[i] = a
	p.n++
}

// disturbance returns a random number up to the searcher's noise.
func (s *searcher) disturbance() float32 {
	if s.noise == 0 {
		return 0
	}
	s.random ^= s.random << 13
	s.random ^= s.random >> 7
	s.random ^= s.random << 17
	return s.noise * float32(s.random>>40) / (1 << 24)
}

// stopped reports whether the search is to end. Every reportEvery nodes it also calls report.
func (s *searcher) stopped(depth int) bool {
	if s.counts.nodes%reportEvery == 0 {
		s.report(depth)
	}
	return s.halted()
}

// halted reports whether the search was stopped, or Explore gives up.
func (s *searcher) halted() bool { return s.stop.Load() || s.trial > 0 && s.counts.nodes >= s.trial }

// report adds the searcher's new counts to the shared ones, and stores the depth of the search there.
func (s *searcher) report(depth int) {
	s.shared.nodes.Add(s.counts.nodes - s.reported.nodes)
	s.shared.proven.Add(s.counts.proven - s.reported.proven)
	s.shared.refuted.Add(s.counts.refuted - s.reported.refuted)
	s.shared.open.Store(uint64(depth))
	s.reported = s.counts
}
