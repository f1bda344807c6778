package alphabeta

import (
	"slices"
	"sync"

	"versus2048/players/searching"
	"versus2048/rules"
)

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 64

// maxPlies is larger than the number of plies that a search looks ahead.
const maxPlies = 4 * MaxDepth

// Config sets up a Search. The zero Config with a Depth searches like plain minimax with the evaluation of Oka
// et al. 2015.
type Config struct {
	Depth int // slides to look ahead, whoever moves first, 1 to MaxDepth
	// Evaluation makes the evaluation of the leaves; nil makes the paper's evaluation.
	Evaluation func(s rules.Size) Evaluation
	// Mate is subtracted from the evaluation of a mated position, 0 or more. It is not used with Hurry.
	Mate int
	// Hurry counts mates by their distance. A mate is worse than any other position, and an earlier mate is
	// worse than a later one, so that the attacker hurries and the defender prolongs.
	Hurry bool
	// Table is the logarithm of the number of entries of the transposition table, searching.MinBits to searching.MaxBits;
	// 0 for DefaultTable.
	Table int
	// Keep keeps the table from move to move. A choice then depends on earlier searches.
	Keep bool
	// Reductions searches moves that are probably bad less deep, and uses the results of an interrupted depth.
	// A choice may then differ from minimax.
	Reductions bool
	// Threads is the number of threads that search together; 0 means one. With several, no two searches are
	// alike.
	Threads int
}

// DefaultTable is the size of the table if the Config names none. A search of five slides needs no more, and
// the processor's cache would not hold many more.
const DefaultTable = 15

// Search chooses the moves of one side in one game.
type Search struct {
	config     Config
	boards     *boardSearch // of the first thread, kept to reuse its memory
	companions []*companion // the other threads
	last       *deepening

	ending  sync.WaitGroup // the companions that search
	visited []*int64       // positions that each of them visited in the last search; valid once it has ended
}

// New returns a Search.
func New(c Config) *Search {
	if c.Evaluation == nil {
		c.Evaluation = paper
	}
	if c.Table == 0 {
		c.Table = DefaultTable
	}
	c.Threads = max(c.Threads, 1)
	return &Search{config: c}
}

// Progress describes a search that has just finished a depth.
type Progress struct {
	Depth  int // slides that the finished depth looked ahead
	Steady int // number of depths in a row with the same choice, including this one
	// Decided reports that the search has found a mate that a deeper search would find again.
	Decided bool
}

// Budget decides when a search ends. Both functions may be nil.
type Budget struct {
	// Stop is called every thousand positions or so. Once it reports true the search ends, but not before it
	// has looked one slide ahead.
	Stop func() bool
	// Enough is called after each depth, and reports whether a deeper search is not worth its time.
	Enough func(Progress) bool
}

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. If several
// are best, it returns the first of them. It calls stop every thousand positions or so. When stop reports true,
// it returns the choice of the last finished depth; it always finishes the depth of one slide.
func (s *Search) Choose(p rules.Position, moves []rules.Move, stop func() bool) rules.Move {
	return s.ChooseWithin(p, moves, Budget{Stop: stop})
}

// ChooseWithin is Choose with a budget. With Reductions it uses the results of an interrupted depth.
func (s *Search) ChooseWithin(p rules.Position, moves []rules.Move, b Budget) rules.Move {
	if mayReachHuge(p, 2*s.config.Depth) {
		count := searching.NewCounter(b.Stop)
		e := s.config.Evaluation(p.Size())
		s.last, s.visited = newDeepening(p, moves, positionSearch{count, e, &s.config}, count, &s.config), nil
		s.last.run(s.config.Depth, b.Enough)
		return s.last.moves[0].move
	}
	s.prepare(p)
	return s.together(p, moves, b)
}

// prepare makes the board searches, if there are none for such positions. It empties or ages their table unless
// a companion still uses it.
func (s *Search) prepare(p rules.Position) {
	if s.boards == nil || !s.boards.fits(p) {
		s.build(p)
	}
	if !slices.ContainsFunc(s.companions, func(c *companion) bool { return c.busy.Load() }) {
		s.boards.table.Next()
	}
}

// build makes the board searches for positions such as p.
func (s *Search) build(p rules.Position) {
	t := searching.NewTable(s.config.Table, s.config.Keep, s.config.Threads > 1)
	s.boards = newBoardSearch(p.Size(), p.Rules(), &s.config, t)
	s.companions = nil
	if s.config.Threads == 1 {
		return
	}
	s.boards.underway = new(underway)
	for range s.config.Threads - 1 {
		c := &companion{boards: newBoardSearch(p.Size(), p.Rules(), &s.config, t)}
		c.boards.underway = s.boards.underway
		s.companions = append(s.companions, c)
	}
}

// mayReachHuge reports whether the tiles on the board and the tiles placed in the given number of plies may
// make a 65536. A board holds every smaller tile.
func mayReachHuge(p rules.Position, plies int) bool {
	placed := 2
	if p.Rules().Fours() {
		placed = 4
	}
	return p.Sum()+placed*(plies/2+1) >= 1<<16
}

// Stats describes the last search.
type Stats struct {
	Depth     int          // slides that the last finished depth looked ahead
	Nodes     int64        // positions visited
	Expanded  []int64      // positions with their moves searched, by plies below the root
	Variation []rules.Move // the principal variation, the chosen move first
	Moves     []MoveStats  // the moves with known values, the best first
}

// MoveStats is the result of a search for a move at the root.
type MoveStats struct {
	Move  rules.Move
	Value int   // the evaluation at the end of its line; high values are good for the defender
	Nodes int64 // positions visited below it, by the first thread
	Mate  int   // plies from the root to the mate that it leads to; 0 if none was found or mates do not count by distance
}

// Stats returns the statistics of the last Choose, which must have been called.
func (s *Search) Stats() Stats {
	return Stats{
		Depth: s.last.depth, Nodes: s.last.count.Nodes + s.accompanied(), Expanded: s.last.count.Expansions(),
		Variation: s.last.variation, Moves: s.last.known(),
	}
}
