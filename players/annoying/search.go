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

// Win is the value of a board with a 2048 under every evaluation: 10,000 in the original, here in thousandths. A mated
// board has the value -Win. Both values move away from 0 by one for each slide that the search could still have looked
// ahead, so that it prefers the nearer win.
const Win = 10_000_000

// infinity is larger than any value.
const infinity = 1 << 30

// Config sets up a Search.
type Config struct {
	// Evaluation returns the evaluation for boards of a size. The values of an evaluation lie between -Win and
	// Win. A nil Evaluation stands for ov3y's evaluation.
	Evaluation func(rules.Size) searching.Evaluation
	// Win ends each line of the search at a 2048, unless there is one on the board already. The original does
	// this, because its game ends there.
	Win bool
	// Cache keeps the values of boards, since several lines of play may reach the same board.
	Cache bool
	// Threads is the number of threads that search together; 0 means one. Several threads turn on the cache,
	// and share it.
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
	boards []*boardSearch   // one for each thread; the first one decides
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

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. An attacker
// considers only the most annoying of them. Of equal moves it returns the first one that it has found.
//
// It looks one slide ahead, then two and so on, and returns the choice of the last finished depth. It always
// finishes the depth of one slide.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	s.prepare(p)
	s.last = newDeepening(s.boards[0], p, moves)
	var others sync.WaitGroup
	var over atomic.Bool
	for i, boards := range s.boards[1:] {
		first := 1 + (i+1)%2 // every second thread begins one slide deeper
		others.Go(func() { newDeepening(boards, p, moves).run(first, searching.Budget{Depth: b.Depth, Stop: over.Load}) })
	}
	s.last.run(1, b)
	over.Store(true)
	others.Wait()
	return s.last.moves[0].move
}

// prepare makes the searches of the threads if there are none that fit p, and empties the table.
func (s *Search) prepare(p rules.Position) {
	if len(s.boards) == 0 || !s.boards[0].fits(p) {
		s.boards = s.boards[:0]
		for range max(1, s.config.Threads) {
			s.boards = append(s.boards, newBoardSearch(p, s.config, s.table))
		}
	}
	if s.table != nil {
		s.table.Next()
	}
}

// Result returns the result of the last Choose, which must have been called. Its values are evaluations. It
// counts the nodes of all threads, and the expansions of the first one.
func (s *Search) Result() searching.Result {
	r := searching.Result{
		Depth: s.last.depth, Expanded: s.boards[0].count.Expansions(), Variation: playable(s.last.root, s.last.variation), Moves: s.last.known(),
	}
	for _, boards := range s.boards {
		r.Nodes += boards.count.Nodes
	}
	return r
}

// playable plays the moves one after the other from p on, and returns the moves before the first illegal one. After a
// 65536 a move may be illegal, since the search takes a 65536 for a 32768.
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
