package expectimax

import "versus2048/rules"

// MaxDepth is the largest number of slides that a search looks ahead.
const MaxDepth = 31

// Evaluation rates boards after a slide by the score that is still to come. High values are good for the
// defender.
type Evaluation interface {
	Of(b rules.Board) int
}

// Config sets up a Search.
type Config struct {
	Depth int // slides to look ahead at most, whoever moves first, 1 to MaxDepth
	// Evaluation returns the evaluation for boards of a size. If the field is nil, the value of a leaf is its
	// score alone.
	Evaluation func(rules.Size) Evaluation
	// Point is the value of a point of the score, in units of the evaluation. It is 0 for an evaluation that
	// has no relation to points. Without an evaluation the search uses 1 instead.
	Point int
	// Mated is the value of a mated board without its score, in units of the evaluation.
	Mated int
	Model Model
	// Rare is a probability. A less likely line of play is not followed any more, but evaluated. The
	// probability of a line is the product of the probabilities of its placements. 0 follows all lines.
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

// nothing is the evaluation of a search for the score alone.
func nothing(rules.Size) Evaluation { return worthless{} }

type worthless struct{}

func (worthless) Of(rules.Board) int { return 0 }

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. Of equal
// moves it returns the first one that it has found.
//
// It looks one slide ahead, then two and so on. It calls stop every thousand positions or so. When stop reports
// true, it returns the best of the moves that it has searched to the last depth; it searches the choice of the
// previous depth first. It always finishes the depth of one slide.
func (s *Search) Choose(p rules.Position, moves []rules.Move, stop func() bool) rules.Move {
	if s.tree == nil || !s.tree.fits(p) {
		s.tree = newTree(p, s.config)
	}
	s.tree.start(stop)
	s.last = newDeepening(p, moves, s.tree)
	s.last.run(s.config.Depth)
	return s.last.moves[0].move
}

// Stats describes the last search.
type Stats struct {
	Nodes    int64       // positions visited
	Expanded []int64     // positions with their moves searched, by plies below the root
	Moves    []MoveStats // the moves with their values, the best first
}

// MoveStats is the result of a search for a move at the root.
type MoveStats struct {
	Move  rules.Move
	Value float64 // includes the score so far
	Nodes int64   // positions visited below it
}

// Stats returns the statistics of the last Choose, which must have been called.
func (s *Search) Stats() Stats {
	stats := Stats{Nodes: s.tree.count.Nodes, Expanded: s.tree.count.Expansions()}
	for _, m := range s.last.moves {
		stats.Moves = append(stats.Moves, MoveStats{Move: m.move, Value: m.value, Nodes: m.nodes})
	}
	return stats
}
