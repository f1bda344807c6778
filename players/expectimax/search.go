package expectimax

import (
	"versus2048/players/searching"
	"versus2048/rules"
)

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 31

// Config sets up a Search.
type Config struct {
	// Evaluation returns the evaluation for boards of a size: the score that is still to come after a slide. If
	// the field is nil, the value of a leaf is its score alone.
	Evaluation func(rules.Size) searching.Evaluation
	// Point is the value of one point of the score, in units of the evaluation. With 0 the score does not count,
	// for evaluations that have no relation to points. If Evaluation is nil, the search uses 1 instead.
	Point int
	// Mated is the value of a mated board without its score, in units of the evaluation.
	Mated int
	Model Model
	// Rare is the lowest probability of a line of play that the search follows. The search evaluates a less likely line
	// at once. The probability of a line is the product of the probabilities of its placements. 0 follows all lines.
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
		c.Evaluation, c.Point = func(rules.Size) searching.Evaluation { return zero{} }, 1
	}
	return &Search{config: c}
}

// zero is the evaluation of a search for the score alone.
type zero struct{}

func (zero) Of(rules.Board) int { return 0 }

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. Of moves with
// equal values it returns the one that the previous depth ranked highest, and at the first depth the first one.
//
// It looks one slide ahead, then two and so on. Each depth searches the best move of the previous depth first. If a
// depth is interrupted, Choose returns the best of the moves that this depth has finished or, without any, the best
// move of the previous depth. It always finishes the depth of one slide.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	if s.tree == nil || s.tree.size != p.Size() || s.tree.fours != p.Rules().Fours() {
		s.tree = newTree(p, s.config)
	}
	s.tree.start(b.Stop)
	s.last = newDeepening(p, moves, s.tree)
	b.Deepen(1, MaxDepth, s.tree.count, s.last.iterate)
	return s.last.moves[0].move
}

// Result returns the result of the last Choose, which must have been called. The result has all moves that Choose
// was given. Their values include the score so far.
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

// Model tells which placements a search expects. Under Chance and Even all empty cells are equally likely.
type Model uint8

// The models.
const (
	// Chance places a 4 in one case of ten if the rules have 4s, as in the solo game.
	Chance Model = iota
	// Even places a 4 as often as a 2 if the rules have 4s.
	Even
	// Worst makes the worst placement for the defender.
	Worst
)

// String returns "chance", "even" or "worst".
func (m Model) String() string { return [...]string{"chance", "even", "worst"}[m] }

// odds are the weights of a 2 and a 4 on an empty cell. They add up to 1. For the worst placement the probabilities are
// unknown, and each tile that the rules place has the weight 1.
type odds struct{ two, four float64 }

func (m Model) odds(r rules.Ruleset) odds {
	switch {
	case m == Worst && r.Fours():
		return odds{1, 1}
	case m == Worst, !r.Fours():
		return odds{1, 0}
	case m == Chance:
		return odds{0.9, 0.1}
	default:
		return odds{0.5, 0.5}
	}
}
