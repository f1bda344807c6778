package puct

import (
	"cmp"
	"math"
	"slices"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Model is a learned model of the game against chance, as in Stochastic MuZero. Starting from a position it
// continues with its own states, without the rules. Slides are numbered from 0 in the order N, S, W, E. All
// results are valid until the next call, and points are points of the game.
type Model interface {
	// Represent returns the state of a board with the defender to move.
	Represent(b rules.Board) (state []float32)
	// Predict rates a state with the defender to move: the logits of the slides and the points that are still to come.
	Predict(state []float32) (policy []float32, further float64)
	// Slide returns the state after a slide.
	Slide(state []float32, slide int) (after []float32)
	// Expect rates the state after a slide: the points that the slide has scored, the points that are still to
	// come, and the logits of the chance codes, which stand for the possible outcomes of chance.
	Expect(after []float32) (gain, further float64, codes []float32)
	// Follow returns the state after the outcome that a code stands for.
	Follow(after []float32, code int) (state []float32)
}

// ModelSearch is the search of Stochastic MuZero (Antonoglou et al. 2022). It chooses slides like Search. It
// chooses the chance code with the largest P / (N + 1), where P is its probability and N the number of its
// visits. It agrees with stochastic_muzero_policy of mctx except for ties. It knows the legal slides only at
// the root.
//
// As attacker it takes the placement with the fewest points that the model expects, without a search: the model
// knows no attacker but chance.
type ModelSearch struct {
	config Config
	model  Model
	random *playout.Generator

	root   rules.Position
	tree   tree
	states []float32        // of all nodes
	spans  []span           // the part of states that belongs to each node
	scores []float64        // the score in points that the model expects at each node
	made   int              // simulations of this search; ratings if the attacker is to move
	chosen int32            // the edge of the chosen move, none if the attacker is to move
	rated  []searching.Move // the placements, the best first, if the attacker is to move
}

// span is a part of a slice.
type span struct{ from, to int }

// NewModelSearch returns a ModelSearch. It does not use Batch and Reuse of the configuration: it rates one
// state after the other, and begins each search anew.
func NewModelSearch(c Config, m Model) *ModelSearch {
	return &ModelSearch{config: c, model: m, tree: tree{config: c}}
}

// Choose returns a move in p, which must have one. It calls the functions of the budget before every simulation. As
// attacker it calls only Stop, before each placement that it rates.
func (s *ModelSearch) Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move {
	s.root, s.random, s.made, s.rated, s.chosen = p, random, 0, nil, none
	if p.SideToMove() == rules.Attacker {
		return s.attack(&b)
	}
	s.begin()
	for s.made < b.MostPlayouts() && len(s.tree.nodes) < s.config.Nodes && !s.tree.ends(&b, s.made) {
		s.simulate()
	}
	s.chosen = s.tree.choice(s.config.Temperature, random)
	return rules.Move(s.tree.edges[s.chosen].action) + rules.North
}

// begin rates the root.
func (s *ModelSearch) begin() {
	s.states, s.spans, s.scores = s.states[:0], s.spans[:0], s.scores[:0]
	s.tree.reset(maximiser)
	s.add(s.model.Represent(s.root.Board()), float64(s.root.Score()))
	s.tree.reserve(path{0}, 1)
	var legal []uint8
	for _, m := range s.root.AppendMoves(nil) {
		legal = append(legal, uint8(m-rules.North))
	}
	s.tree.backup(path{0}, s.rateDecision(0, legal))
	s.tree.disturb(s.random)
}

// add stores the state and the score of the next node.
func (s *ModelSearch) add(state []float32, score float64) {
	from := len(s.states)
	s.states = append(s.states, state...)
	s.spans = append(s.spans, span{from, len(s.states)})
	s.scores = append(s.scores, score)
}

// state returns the state of a node.
func (s *ModelSearch) state(i int32) []float32 { return s.states[s.spans[i].from:s.spans[i].to] }

// simulate makes a simulation.
func (s *ModelSearch) simulate() {
	way, via := s.tree.descend(nil)
	leaf, from := way.leaf(), way[len(way)-2] // every rated node has edges
	action := int(s.tree.edges[via].action)
	s.made++
	if s.tree.nodes[from].turn == chance {
		s.tree.nodes[leaf].turn = maximiser
		s.add(s.model.Follow(s.state(from), action), s.scores[from])
		s.tree.backup(way, s.rateDecision(leaf, slides))
		return
	}
	s.tree.nodes[leaf].turn = chance
	s.add(s.model.Slide(s.state(from), action), s.scores[from])
	s.tree.backup(way, s.rateChance(leaf))
}

var slides = []uint8{0, 1, 2, 3}

// rateDecision rates a node with the defender to move, and returns its expected final score.
func (s *ModelSearch) rateDecision(i int32, legal []uint8) float64 {
	policy, further := s.model.Predict(s.state(i))
	softmax(s.tree.expand(i, legal), func(slide uint8) float32 { return policy[slide] })
	return s.scores[i] + further
}

// rateChance rates a node with chance to move, and returns its expected final score.
func (s *ModelSearch) rateChance(i int32) float64 {
	gain, further, codes := s.model.Expect(s.state(i))
	s.scores[i] += gain
	actions := make([]uint8, len(codes))
	for code := range actions {
		actions[code] = uint8(code)
	}
	softmax(s.tree.expand(i, actions), func(code uint8) float32 { return codes[code] })
	return s.scores[i] + further
}

// attack returns the placement with the fewest points that the model expects.
func (s *ModelSearch) attack(b *searching.Budget) rules.Move {
	moves := s.root.AppendMoves(nil)
	best := moves[0]
	least := math.Inf(1)
	for _, m := range moves {
		if b.Stopped() {
			break
		}
		value := s.expected(s.root.Next(m))
		s.rated = append(s.rated, searching.Move{Move: m, Value: value, Visits: 1})
		if value < least {
			best, least = m, value
		}
	}
	slices.SortStableFunc(s.rated, func(a, b searching.Move) int { return cmp.Compare(a.Value, b.Value) })
	return best
}

// expected returns the final score that the model expects when the defender is to move in p.
func (s *ModelSearch) expected(p rules.Position) float64 {
	s.made++
	if p.Over() {
		return float64(p.Score())
	}
	_, further := s.model.Predict(s.model.Represent(p.Board()))
	return float64(p.Score()) + further
}

// Result returns the result of the last search. Its variation is one move: after a slide the tree has codes, no moves.
func (s *ModelSearch) Result() searching.Result {
	if s.root.SideToMove() == rules.Attacker {
		r := searching.Result{Nodes: int64(s.made), Moves: s.rated}
		if len(s.rated) > 0 {
			r.Variation = []rules.Move{s.rated[0].Move}
		}
		return r
	}
	r := s.tree.result(points{})
	for i := range r.Moves {
		r.Moves[i].Move += rules.North
	}
	r.Variation = []rules.Move{rules.Move(s.tree.edges[s.chosen].action) + rules.North}
	return r
}
