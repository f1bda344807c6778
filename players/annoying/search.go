package annoying

import (
	"slices"
	"sync"
	"sync/atomic"

	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/rules"
)

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 31

// maxPlies is the largest number of plies that a search looks ahead.
const maxPlies = 2 * MaxDepth

// Win is the value of a board with a 2048, in the units of every evaluation: 10,000 as in the original,
// in thousandths. A mated board is worth as much to the attacker. Both are worth one unit more for each
// slide that the search could still have looked ahead, so that it prefers the nearer win.
const Win = 10_000_000

// infinity is larger than any value.
const infinity = 1 << 30

// Config sets up a Search.
type Config struct {
	// Evaluation returns the evaluation for boards of a size, whose values lie between -Win and Win. It is
	// ov3y's if the field is nil.
	Evaluation func(rules.Size) searching.Evaluation
	// Win ends each line of the search at a 2048, unless there is one on the board already: as the
	// original does, for which the game ends there.
	Win bool
	// Cache keeps the values of boards that more than one line of play reaches.
	Cache bool
	// Threads that search together, through the cache, which they turn on; 0 means one.
	Threads int
}

// cacheBits is the logarithm of the number of boards that a cache keeps.
const cacheBits = 16

// CacheBytes is the size of the cache of a Search.
const CacheBytes = searching.EntryBytes << cacheBits

// Search chooses the moves of one side in one game.
type Search struct {
	config Config
	table  *searching.Table // nil without a cache
	lines  []*lines         // one for each thread; the first one decides
	last   *deepening
}

// New returns a Search.
func New(c Config) *Search {
	s := Search{config: c}
	if c.Cache || c.Threads > 1 {
		s.table = searching.NewTable(cacheBits, false, c.Threads > 1)
	}
	return &s
}

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. An
// attacker considers the most annoying of them only. Of equal moves it returns one found first.
//
// It looks one slide ahead, then two and so on, and returns the choice of the last depth that it has
// finished; a depth of one slide is always finished.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	s.prepare(p)
	s.last = s.lines[0].deepen(p, moves)
	var others sync.WaitGroup
	var over atomic.Bool
	for i, l := range s.lines[1:] {
		others.Go(func() { l.deepen(p, moves).run(1+(i+1)&1, searching.Budget{Depth: b.Depth, Stop: over.Load}) })
	}
	s.last.run(1, b)
	over.Store(true)
	others.Wait()
	return s.last.moves[0].move
}

// prepare makes the threads' memory for games like that of p, and empties the table.
func (s *Search) prepare(p rules.Position) {
	if len(s.lines) == 0 || !s.lines[0].fit(p) {
		s.lines = s.lines[:0]
		for range max(1, s.config.Threads) {
			s.lines = append(s.lines, newLines(p, s.config, s.table))
		}
	}
	if s.table != nil {
		s.table.Next()
	}
}

// Result returns what the last Choose has found, which must have been called. Its values are
// evaluations; it counts the nodes of all threads, and what the first one expanded.
func (s *Search) Result() searching.Result {
	r := searching.Result{
		Depth: s.last.depth, Expanded: s.lines[0].count.Expansions(), Variation: playable(s.last.root, s.last.variation), Moves: s.last.known(),
	}
	for _, l := range s.lines {
		r.Nodes += l.count.Nodes
	}
	return r
}

// playable returns the moves as far as they are legal one after the other, from p on: where a 65536
// comes up, the search takes it for something else.
func playable(p rules.Position, moves []rules.Move) []rules.Move {
	for i, m := range moves {
		next, err := p.Play(m)
		if err != nil {
			return slices.Clone(moves[:i])
		}
		p = next
	}
	return slices.Clone(moves)
}

// ov3y is the original's evaluation.
func ov3y(s rules.Size) searching.Evaluation { return evaluation.NewOv3y(s) }
