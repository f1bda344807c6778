package puzzles

import (
	"math"
	"slices"

	"versus2048/players/playout"
	"versus2048/rules"
)

// mostNodes is the largest number of positions that a search visits for one move.
const mostNodes = 20_000

// search decides endings: it finds the exact gain of a position by full-width iterative deepening, until all lines of
// play that matter have ended. Beyond its depth a gain is unknown: at least 0, without an upper bound. The search
// therefore finds bounds of each position's gain, which hold at every depth, and keeps them.
type search struct {
	rules rules.Ruleset
	size  rules.Size
	known [2]map[rules.Board]finding // by the side to move and the canonical board
	nodes int                        // the number of positions that it may still visit
}

// bounds are the least and the largest gain that a position can have.
type bounds struct{ low, high float64 }

var unknown = bounds{0, math.Inf(1)}

// finding is the knowledge about a board: its bounds, and the depth and the window of the last search for them.
type finding struct {
	bounds
	depth  int
	window bounds
}

// settles reports whether a search would find nothing new: the bounds say enough, or the last search was as deep and as
// wide.
func (f finding) settles(depth int, window bounds) bool {
	return f.exact() || f.low >= window.high || f.high <= window.low ||
		f.depth >= depth && f.window.low <= window.low && f.window.high >= window.high
}

func (b bounds) exact() bool { return b.low >= b.high }

// plus returns the bounds of a move that scores points and leads to a position with these bounds.
func (b bounds) plus(points float64) bounds { return bounds{b.low + points, b.high + points} }

func newSearch(r rules.Ruleset, size rules.Size) *search {
	return &search{rules: r, size: size, known: [2]map[rules.Board]finding{{}, {}}}
}

// scores returns the final scores of a position's legal moves, in the order of AppendMoves. ok is false if a move is
// not decided within mostNodes.
func (s *search) scores(p rules.Position) (scores []float64, ok bool) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		gain, ok := s.decide(next.Board(), next.SideToMove())
		if !ok {
			return nil, false
		}
		scores = append(scores, hundredths(float64(next.Score())+gain))
	}
	return scores, true
}

// decide returns the gain of a board. ok is false if a search of mostNodes positions does not find it.
func (s *search) decide(b rules.Board, side rules.Side) (gain float64, ok bool) {
	s.nodes = mostNodes
	for depth := 2; s.nodes > 0; depth += 2 {
		if found := s.search(b, side, depth, unknown); found.exact() {
			return found.low, true
		}
	}
	return 0, false
}

// search returns bounds of the gain of a board. They are exact if the gain is within the window and known at the depth.
func (s *search) search(b rules.Board, side rules.Side, depth int, window bounds) bounds {
	key := b.Canonical(s.size)
	known := s.find(key, side)
	if depth == 0 || s.nodes <= 0 || known.settles(depth, window) {
		return known.bounds
	}
	s.nodes--
	var found bounds
	switch {
	case side == rules.Defender:
		found = s.defend(b, depth, window)
	case s.rules.Chance():
		found = s.draw(b, depth)
	default:
		found = s.attack(b, depth, window)
	}
	found = bounds{max(found.low, known.low), min(found.high, known.high)}
	if s.nodes <= 0 {
		depth = 0 // the search was cut short: a later one may find more at this depth
	}
	s.known[side][key] = finding{found, depth, window}
	return found
}

// find returns the finding about a canonical board, with unknown bounds if it was not searched.
func (s *search) find(b rules.Board, side rules.Side) finding {
	if known, ok := s.known[side][b]; ok {
		return known
	}
	return finding{bounds: unknown}
}

// child is a board after a move.
type child struct {
	board  rules.Board
	points float64 // that the move scores
	weight int     // of chance's move
	known  bounds
}

// children returns the boards after the legal moves, in the order in which to search them.
func (s *search) children(b rules.Board, side rules.Side) []child {
	all := make([]child, 0, 4)
	if side == rules.Defender {
		for m := rules.North; m <= rules.East; m++ {
			if next := b.Slide(s.size, m); next != b {
				all = append(all, child{board: next, points: float64(next.Potential() - b.Potential())})
			}
		}
	} else {
		empty := b.Empty(s.size)
		for i := range 16 {
			if empty>>(4*i)&1 == 0 {
				continue
			}
			all = append(all, child{board: b.With(i, 1), weight: playout.ChanceWeight(s.rules, rules.Place(i, false))})
			if s.rules.Fours() {
				all = append(all, child{board: b.With(i, 2), weight: playout.ChanceWeight(s.rules, rules.Place(i, true))})
			}
		}
	}
	s.sort(all, side)
	return all
}

// sort orders children by their known bounds, the most promising for the side to move first.
func (s *search) sort(all []child, side rules.Side) {
	for i := range all {
		all[i].known = s.find(all[i].board.Canonical(s.size), side.Other()).plus(all[i].points)
	}
	slices.SortStableFunc(all, func(a, b child) int {
		if side == rules.Defender {
			return sign(b.known.low - a.known.low)
		}
		return sign(a.known.high - b.known.high)
	})
}

// sign compares by a difference. Two infinite bounds are equal.
func sign(difference float64) int {
	switch {
	case difference < 0:
		return -1
	case difference > 0:
		return 1
	}
	return 0
}

// defend returns the bounds of the best slide.
func (s *search) defend(b rules.Board, depth int, window bounds) bounds {
	best := bounds{} // of a mated board
	for _, c := range s.children(b, rules.Defender) {
		within := bounds{max(window.low, best.low), window.high}.plus(-c.points)
		found := s.search(c.board, rules.Attacker, depth-1, within).plus(c.points)
		best = bounds{max(best.low, found.low), max(best.high, found.high)}
		if best.low >= window.high {
			return bounds{best.low, math.Inf(1)}
		}
	}
	return best
}

// attack returns the bounds of the best placement.
func (s *search) attack(b rules.Board, depth int, window bounds) bounds {
	best := bounds{math.Inf(1), math.Inf(1)}
	for _, c := range s.children(b, rules.Attacker) {
		found := s.search(c.board, rules.Defender, depth-1, bounds{window.low, min(window.high, best.high)})
		best = bounds{min(best.low, found.low), min(best.high, found.high)}
		if best.high <= window.low {
			return bounds{0, best.high}
		}
	}
	return best
}

// draw returns the means of the bounds of all placements.
func (s *search) draw(b rules.Board, depth int) bounds {
	sum, total := bounds{}, 0.0
	for _, c := range s.children(b, rules.Attacker) {
		found, weight := s.search(c.board, rules.Defender, depth-1, unknown), float64(c.weight)
		sum = bounds{sum.low + weight*found.low, sum.high + weight*found.high}
		total += weight
	}
	return bounds{sum.low / total, sum.high / total}
}
