package alphabeta

import (
	"slices"

	"versus2048/players/evaluation"
	"versus2048/rules"
)

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 16

// maxPlies is the largest number of plies that a search looks ahead.
const maxPlies = 2 * MaxDepth

// Config sets up a Search.
type Config struct {
	Depth      int                // slides to look ahead, whoever moves first, 1 to MaxDepth
	Evaluation evaluation.Variant // how leaves are evaluated
}

// Search chooses the moves of one side in one game.
type Search struct {
	config Config
	boards *boardSearch // kept to reuse its memory; its table is emptied before each move
	last   *deepening
}

// New returns a Search.
func New(c Config) *Search { return &Search{config: c} }

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. If
// several are best it returns the first of them. It ends early when stop reports true, with the choice
// of the last depth that it finished; a depth of one slide is always finished. stop is called every
// thousand positions or so.
func (s *Search) Choose(p rules.Position, moves []rules.Move, stop func() bool) rules.Move {
	count := newCounter(stop)
	s.last = newDeepening(p, moves, s.tree(p, count), count)
	s.last.run(s.config.Depth)
	return s.last.moves[0].move
}

// tree returns the faster search if it is correct for p.
func (s *Search) tree(p rules.Position, count *counter) tree {
	if mayReachHuge(p, 2*s.config.Depth) {
		return positionSearch{count, s.config.Evaluation}
	}
	if s.boards == nil || !s.boards.fits(p) {
		s.boards = newBoardSearch(p.Size(), p.Rules(), s.config.Evaluation)
	}
	s.boards.start(count)
	return s.boards
}

// mayReachHuge reports whether the tiles on the board and those placed in the given number of plies
// may make a 65536. A board holds every smaller tile.
func mayReachHuge(p rules.Position, plies int) bool { return p.Sum()+4*plies >= 1<<16 }

// Stats describes the last search.
type Stats struct {
	Nodes     int64        // positions visited
	Expanded  []int64      // positions whose moves were searched, by plies below the root
	Variation []rules.Move // the principal variation, the chosen move first
	Moves     []MoveStats  // the moves whose values are known, the best first
}

// MoveStats is what a search found out about a move at the root.
type MoveStats struct {
	Move  rules.Move
	Value int   // the evaluation that it leads to; high values are good for the defender
	Nodes int64 // positions visited below it
}

// Stats returns the statistics of the last Choose, which must have been called.
func (s *Search) Stats() Stats {
	expanded := s.last.count.expanded[:]
	for len(expanded) > 0 && expanded[len(expanded)-1] == 0 {
		expanded = expanded[:len(expanded)-1]
	}
	return Stats{
		Nodes: s.last.count.nodes, Expanded: slices.Clone(expanded),
		Variation: s.last.variation, Moves: s.last.known(),
	}
}

// counter counts the positions of a search and ends it when stop reports true.
type counter struct {
	nodes    int64           // positions visited
	expanded [maxPlies]int64 // positions whose moves were searched, by plies below the root
	horizon  int             // plies from the root to the leaves
	stop     func() bool     // reports whether the search has to end
	next     int64           // the number of nodes at which stop is called next
	ended    bool
}

// nodesPerStop is how many nodes are visited between two calls of stop. It takes less than a
// millisecond.
const nodesPerStop = 1024

func newCounter(stop func() bool) *counter { return &counter{stop: stop, next: nodesPerStop} }

// visit counts a position and reports whether the search continues.
func (c *counter) visit() bool {
	c.nodes++
	if c.nodes >= c.next {
		c.next = c.nodes + nodesPerStop
		c.ended = c.ended || c.stop()
	}
	return !c.ended
}

// expand counts a position whose moves are searched, the given number of plies above the leaves.
func (c *counter) expand(plies int) { c.expanded[c.horizon-plies]++ }

// positionSearch is the plain fail-soft alpha-beta search of positions, for the rare games in which a
// 65536 may come up.
type positionSearch struct {
	count      *counter
	evaluation evaluation.Variant
}

// value implements tree.
func (s positionSearch) value(p rules.Position, plies, alpha, beta int) int {
	switch {
	case p.Over():
		return s.evaluation.Position(p) - s.evaluation.Mate
	case plies == 0 || !s.count.visit():
		return s.evaluation.Position(p)
	}
	s.count.expand(plies)
	moves := p.AppendMoves(make([]rules.Move, 0, 32))
	if p.SideToMove() == rules.Defender {
		best := -infinity
		for i := 0; i < len(moves) && best < beta; i++ {
			best = max(best, s.value(p.Next(moves[i]), plies-1, max(alpha, best), beta))
		}
		return best
	}
	best := infinity
	for i := 0; i < len(moves) && best > alpha; i++ {
		best = min(best, s.value(p.Next(moves[i]), plies-1, alpha, min(beta, best)))
	}
	return best
}

// appendVariation implements tree. It appends nothing, since the search keeps nothing.
func (positionSearch) appendVariation(dst []rules.Move, _ rules.Position, _ int) []rules.Move {
	return dst
}
