package expectimax

import (
	"versus2048/players/searching"
	"versus2048/rules"
)

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 31

// Config sets up a Search.
type Config struct {
	// Evaluation returns the evaluation for boards of a size: what is still to come after a slide. If the
	// field is nil, a leaf is worth nothing more than its score.
	Evaluation func(rules.Size) searching.Evaluation
	// Point is the value of a point that is scored, in units of the evaluation. It is 0 for an
	// evaluation that knows nothing of points. Without an evaluation it is 1, whatever the field says.
	Point int
	// Mated is the value of a mated board, beside what has been scored, in units of the evaluation.
	Mated int
	Model Model
	// Rare is the probability below which a line of play is not followed any more, but evaluated: the
	// product of the probabilities of its placements. 0 follows all.
	Rare float64
}

// Search chooses the moves of one side in one game.
type Search struct {
	config Config
	tree   *tree
	last   *deepening
}

// New returns a Search.
func New(c Config) *Search {
	if c.Evaluation == nil {
		c.Evaluation, c.Point = nothing, 1
	}
	return &Search{config: c}
}

// nothing is the evaluation of a search for the score.
func nothing(rules.Size) searching.Evaluation { return worthless{} }

type worthless struct{}

func (worthless) Of(rules.Board) int { return 0 }

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. Of
// equal moves it returns one found first.
//
// It looks one slide ahead, then two and so on. Where a depth was cut short, it returns the best of the
// moves that it has searched to it, the choice of the depth before first; a depth of one slide is always
// finished.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	if s.tree == nil || !s.tree.fits(p) {
		s.tree = newTree(p, s.config)
	}
	s.tree.start(b.Stop)
	s.last = newDeepening(p, moves, s.tree)
	b.Deepen(1, MaxDepth, s.tree.count, s.last.iterate)
	return s.last.moves[0].move
}

// Result returns what the last Choose has found, which must have been called. The score so far counts in
// the values, which all moves have.
func (s *Search) Result() searching.Result {
	moves := s.last.moves
	r := searching.Result{
		Depth: moves[len(moves)-1].slides, Nodes: s.tree.count.Nodes, Expanded: s.tree.count.Expansions(),
		Variation: []rules.Move{moves[0].move},
	}
	for _, m := range moves {
		r.Moves = append(r.Moves, searching.Move{Move: m.move, Value: m.value, Visits: m.nodes})
	}
	return r
}
