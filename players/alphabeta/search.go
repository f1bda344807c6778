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

// Config sets up a Search. The zero Config searches like plain minimax with the evaluation of Oka et al. 2015.
type Config struct {
	// Evaluation makes the evaluation of the leaves; nil makes the paper's evaluation.
	Evaluation func(s rules.Size) searching.Evaluation
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
	// Threads is the number of threads that search together; 0 means one. With several, the same search may choose
	// another move.
	Threads int
}

// DefaultTable is the Table of a Config that has none. A search of five slides needs no more entries, and the
// processor's cache would not hold many more.
const DefaultTable = 15

// Search chooses the moves of one side in one game.
type Search struct {
	config     Config
	boards     *boardSearch // of the first thread, kept to reuse its memory
	companions []*companion // the other threads
	last       *deepening

	running sync.WaitGroup // the companions that are searching
	visited []*int64       // for each companion of the last search: the positions that it visited, set at its end
}

// New returns a Search.
func New(c Config) *Search {
	if c.Evaluation == nil {
		c.Evaluation = paperEvaluation
	}
	if c.Table == 0 {
		c.Table = DefaultTable
	}
	c.Threads = max(c.Threads, 1)
	return &Search{config: c}
}

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. If several
// are best, it returns the first of them. It returns the choice of the last finished depth; with Reductions it
// also uses the results of an interrupted depth. It always finishes the depth of one slide.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	if mayReachHuge(p, 2*b.Slides(MaxDepth)) {
		count := searching.NewCounter(b.Stop)
		e := s.config.Evaluation(p.Size())
		s.last, s.visited = newDeepening(p, moves, positionSearch{count, e, &s.config}, count, &s.config), nil
		b.Deepen(1, MaxDepth, count, s.last.iterate)
		return s.last.moves[0].move
	}
	s.prepare(p)
	return s.together(p, moves, b)
}

// prepare makes the board searches if there are none that fit p. It empties or ages their table unless a
// companion is still using it.
func (s *Search) prepare(p rules.Position) {
	if s.boards == nil || s.boards.size != p.Size() || s.boards.fours != p.Rules().Fours() {
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
// make a 65536. A rules.Board can hold every smaller tile.
func mayReachHuge(p rules.Position, plies int) bool {
	placed := 2
	if p.Rules().Fours() {
		placed = 4
	}
	return p.Sum()+placed*(plies/2+1) >= 1<<16
}

// Result returns the result of the last Choose, which must have been called. Its values are evaluations.
func (s *Search) Result() searching.Result {
	return searching.Result{
		Depth: s.last.depth, Nodes: s.last.count.Nodes + s.accompanied(), Expanded: s.last.count.Expansions(),
		Variation: s.last.variation, Moves: s.last.known(),
	}
}
