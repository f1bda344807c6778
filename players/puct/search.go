package puct

import (
	"fmt"
	"slices"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Evaluator rates positions, like a network for both roles.
type Evaluator interface {
	// Evaluate rates positions that are not over. The ratings are valid until the next call.
	Evaluate(positions []rules.Position) []Rating
	// Scale returns the scale for averages of values under the rules for two players, nil for averages of points.
	Scale() Scale
}

// Rating is a network's rating of a position.
type Rating struct {
	Policy  []float32 // logits of moves, by Index
	Further float64   // points that the defender is expected to score from the position on
}

// Scale is a scale of final scores. Both methods are increasing functions, and each undoes the other.
type Scale interface {
	Of(points float64) float64
	Points(value float64) float64
}

// Search is the search of AlphaZero (Silver et al. 2018) for the game with two roles: the defender maximises
// the final score, the attacker minimises it. Positions are nodes of a plain tree: equal positions at the ends
// of two ways are searched twice. If chance places the tiles, the placements follow each other so that their
// frequencies match their probabilities.
type Search struct {
	config    Config
	evaluator Evaluator
	scale     Scale // points under solo, where a mean must be a mean of points
	random    *playout.Generator

	tree      tree
	positions []rules.Position // of the tree's nodes
	waiting   []path           // simulations that wait for the ratings of their leaves
	leaves    []rules.Position // the positions of these leaves
	made      int              // simulations of this search
	most      int              // simulations that it may make
	chosen    int32            // the edge of the last choice

	// Kept to reuse their memory:
	actions        []uint8
	moves          []rules.Move
	spare          tree // the tree that reroot copies into
	sparePositions []rules.Position
}

// New returns a Search.
func New(c Config, e Evaluator) *Search {
	return &Search{config: c, evaluator: e, tree: tree{config: c}}
}

// Choose returns a move in p, which must have one. It calls the functions of the budget before every batch of
// simulations.
func (s *Search) Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move {
	s.Begin(p, random, b.MostPlayouts())
	for !s.Done() && !s.tree.ends(&b, s.made) {
		if leaves := s.Gather(s.config.Batch); len(leaves) > 0 {
			s.Learn(s.evaluator.Evaluate(leaves))
		}
	}
	return s.Choice(s.config.Temperature)
}

// Begin starts a search in p with a number of simulations, at least 1. Choose calls Begin and the functions below. A
// caller that shares the batches of an Evaluator among several searches calls them itself: Begin, then Gather and
// Learn until the search is Done, then Choice.
func (s *Search) Begin(p rules.Position, random *playout.Generator, simulations int) {
	s.random, s.made, s.most, s.chosen = random, 0, simulations, none
	s.scale = s.evaluator.Scale()
	if s.scale == nil || p.Rules().Chance() {
		s.scale = points{}
	}
	if s.config.Reuse && s.reroot(p) {
		s.tree.disturb(random)
		return
	}
	s.tree.reset(turnOf(p))
	s.tree.nodes[0].turn = rootTurn(p)
	s.positions = append(s.positions[:0], p)
}

// Done reports whether all simulations are made, or the tree has its largest size.
func (s *Search) Done() bool {
	return s.made >= s.most || len(s.tree.nodes) >= s.config.Nodes
}

// Gather begins up to most simulations and returns the positions to rate for them. There are fewer positions if
// some simulations came to the end of a game, or if two came to the same leaf. If there are any, call Learn before
// the next Gather.
func (s *Search) Gather(most int) []rules.Position {
	s.leaves = s.leaves[:0]
	s.waiting = s.waiting[:0]
	for n := min(most, s.most-s.made); n > 0 && s.simulate(); n-- {
	}
	return s.leaves
}

// simulate begins a simulation, and ends it if it comes to the end of a game. It returns false if it came to a
// leaf that already waits for its rating.
func (s *Search) simulate() bool {
	n := len(s.waiting)
	s.waiting = slices.Grow(s.waiting, 1)[:n+1] // reuses the memory of an earlier path
	way, via := s.tree.descend(s.waiting[n])
	s.waiting[n] = way
	if via != none {
		s.addPosition(way, via)
	}
	leaf := way.leaf()
	p := s.positions[leaf]
	switch node := &s.tree.nodes[leaf]; {
	case node.pending > 1 && node.visits == 0:
		s.tree.reserve(way, -1)
		s.waiting = s.waiting[:n]
		return false
	case p.Over():
		s.tree.backup(way, s.scale.Of(float64(p.Score())))
		s.waiting = s.waiting[:n]
		s.made++
	default:
		s.leaves = append(s.leaves, p)
	}
	return true
}

// addPosition adds the position of a new node, the last node of a path. The edge via leads to it.
func (s *Search) addPosition(way path, via int32) {
	p := s.positions[way[len(way)-2]].Next(rules.Move(s.tree.edges[via].action))
	s.positions = append(s.positions, p)
	s.tree.nodes[way.leaf()].turn = turnOf(p)
}

// Learn ends the simulations that Gather has begun. ratings has the ratings of the positions that Gather returned.
func (s *Search) Learn(ratings []Rating) {
	for i, way := range s.waiting {
		leaf := way.leaf()
		if leaf != 0 {
			s.made++ // the root is rated before the first simulation
		}
		s.expand(leaf, ratings[i].Policy)
		score := float64(s.positions[leaf].Score()) + ratings[i].Further
		s.tree.backup(way, s.scale.Of(score))
		if leaf == 0 {
			s.tree.disturb(s.random)
		}
	}
	s.waiting = s.waiting[:0]
}

// expand adds the moves of a node, with the priors of a policy.
func (s *Search) expand(i int32, policy []float32) {
	p := s.positions[i]
	s.moves, s.actions = p.AppendMoves(s.moves[:0]), s.actions[:0]
	for _, m := range s.moves {
		s.actions = append(s.actions, uint8(m))
	}
	edges := s.tree.expand(i, s.actions)
	if s.tree.nodes[i].turn == chance {
		setChances(edges)
		return
	}
	softmax(edges, func(action uint8) float32 { return policy[Index(rules.Move(action), p.Size())] })
}

// setChances sets the priors of chance's placements: on each empty cell a 2 (90 %) or a 4 (10 %).
func setChances(edges []edge) {
	for i := range edges {
		share := 0.9
		if rules.Move(edges[i].action).IsFour() {
			share = 0.1
		}
		edges[i].prior = float32(share * 2 / float64(len(edges)))
	}
}

// Choice returns the move that the search has chosen, drawn with the temperature. Without any rating it returns
// the first legal move.
func (s *Search) Choice(temperature float64) rules.Move {
	s.chosen = s.tree.choice(temperature, s.random)
	if s.chosen == none {
		return s.positions[0].AppendMoves(s.moves[:0])[0]
	}
	return rules.Move(s.tree.edges[s.chosen].action)
}

// turnOf returns the side, or chance, that chooses in a position below the root.
func turnOf(p rules.Position) turn {
	if p.SideToMove() == rules.Attacker && p.Rules().Chance() {
		return chance
	}
	return rootTurn(p)
}

// rootTurn returns the side that chooses in a position at the root: under solo it may be an attacker, too.
func rootTurn(p rules.Position) turn {
	if p.SideToMove() == rules.Defender {
		return maximiser
	}
	return minimiser
}

// points is the scale that leaves points as they are.
type points struct{}

func (points) Of(v float64) float64     { return v }
func (points) Points(v float64) float64 { return v }

// Config sets up a search.
type Config struct {
	Nodes int // the search ends once it keeps this number of positions, at least 64; the last batch may exceed it
	Batch int // leaves that are rated at once, at least 1: a larger batch is faster, but searches less well

	// Base and Init are c_base and c_init of the factor c(s) = ln((1 + N + c_base) / c_base) + c_init. The
	// factor is the weight of priors in comparison with values (Silver et al. 2018).
	Base, Init float64
	// Scaled selects the conversion of values to numbers from 0 to 1, which are added to the terms of the priors.
	Scaled Scaled

	// Reuse starts each search with the part of the previous tree below the position. The moves then depend on
	// the whole game.
	Reuse bool

	// Noise is the share of a Dirichlet distribution in the priors at the root, 0 to 1, and Alpha is its
	// parameter. Self-play uses noise to try every move; 0 is none.
	Noise, Alpha float64
	// Temperature draws the move in proportion to N^(1/Temperature), with N the visits of a move. 0 takes the move
	// with the most visits.
	Temperature float64
}

// Scaled selects the conversion of values to numbers from 0, the worst for the side to move, to 1. A move that
// was not tried yet counts as 0.
type Scaled uint8

// The ways to scale.
const (
	// Tree scales between the smallest and the largest value in the tree (Schrittwieser et al. 2020, appendix B).
	Tree Scaled = iota
	// Siblings scales between the smallest and the largest value of a position and of its moves, as in mctx.
	Siblings
)

var scaledNames = [...]string{"tree", "siblings"}

// String returns "tree" or "siblings".
func (s Scaled) String() string {
	if int(s) < len(scaledNames) {
		return scaledNames[s]
	}
	return fmt.Sprintf("Scaled(%d)", uint8(s))
}

// Defaults returns the constants of Silver et al. 2018 and MuZero, without noise and temperature.
func Defaults() Config {
	return Config{Nodes: 100_000, Batch: 1, Base: 19652, Init: 1.25, Alpha: 0.3}
}
