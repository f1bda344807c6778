package puct

import (
	"slices"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Evaluator rates positions, as a network for both roles does.
type Evaluator interface {
	// Evaluate rates positions in which the game is not over. The ratings are valid until the next call.
	Evaluate(positions []rules.Position) []Rating
	// Scale returns the scale on which values are averaged in the game for two. nil is points.
	Scale() Scale
}

// Rating is what a network says of a position.
type Rating struct {
	Policy  []float32 // logits of moves, by Index
	Further float64   // points that the defender is expected to score from here on
}

// Scale is a scale of final scores. Both methods grow with their argument, and each undoes the other.
type Scale interface {
	Of(points float64) float64
	Points(value float64) float64
}

// Search is the search of AlphaZero (Silver et al. 2018) for the game with two roles: the defender
// maximises the final score, the attacker minimises it. Positions are nodes of a plain tree: equal ones
// that are reached on two ways are searched twice. Chance, where it places the tiles, takes turns with
// its moves by their probability.
type Search struct {
	config    Config
	evaluator Evaluator
	scale     Scale // points under solo, where a mean has to be one of points
	random    *playout.Generator

	tree      tree
	positions []rules.Position // of the tree's nodes
	waiting   []path           // simulations whose leaves are to be rated
	leaves    []rules.Position // of these
	made      int              // simulations of this search
	most      int              // simulations that it may make
	chosen    int32            // the edge of the last choice

	actions []uint8 // kept to reuse their memory, as are moves
	moves   []rules.Move
	spare   tree
	spared  []rules.Position
}

// New returns a Search.
func New(c Config, e Evaluator) *Search {
	return &Search{config: c, evaluator: e, tree: tree{config: c}}
}

// Choose returns a move in p, which must have one. It asks the functions of the budget before every batch
// of simulations.
func (s *Search) Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move {
	s.Begin(p, random, b.MostPlayouts())
	for !s.Done() && !s.tree.ends(&b, s.made) {
		if leaves := s.Gather(s.config.Batch); len(leaves) > 0 {
			s.Learn(s.evaluator.Evaluate(leaves))
		}
	}
	return s.Choice(s.config.Temperature)
}

// Begin starts a search in p with a number of simulations, at least 1. Choose does all that follows; to
// share an Evaluator's batches with other searches, call Gather and Learn until the search is Done, then
// Choice.
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
	s.tree.nodes[0].turn = chooser(p)
	s.positions = append(s.positions[:0], p)
}

// Done reports whether all simulations are made, or the tree is as large as it may be.
func (s *Search) Done() bool {
	return s.made >= s.most || len(s.tree.nodes) >= s.config.Nodes
}

// Gather begins up to that many simulations and returns the positions that are to be rated for them: fewer
// where games were over, or where two simulations met. It must not be called again before Learn if there
// are any.
func (s *Search) Gather(most int) []rules.Position {
	s.leaves = s.leaves[:0]
	s.waiting = s.waiting[:0]
	for n := min(most, s.most-s.made); n > 0 && s.simulate(); n-- {
	}
	return s.leaves
}

// simulate begins a simulation, and ends it if it comes to the end of a game. It returns false if it came
// to a leaf that already waits.
func (s *Search) simulate() bool {
	n := len(s.waiting)
	s.waiting = slices.Grow(s.waiting, 1)[:n+1] // with the memory of a path from before
	way, via := s.tree.descend(s.waiting[n])
	s.waiting[n] = way
	if via != none {
		s.reach(way, via)
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

// reach adds the position of a new node, the last of a path.
func (s *Search) reach(way path, via int32) {
	p := s.positions[way[len(way)-2]].Next(rules.Move(s.tree.edges[via].action))
	s.positions = append(s.positions, p)
	s.tree.nodes[way.leaf()].turn = turnOf(p)
}

// Learn ends the simulations that Gather has begun, with the ratings of their leaves.
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

// expand adds the moves of a node with the priors that a policy gives them.
func (s *Search) expand(i int32, policy []float32) {
	p := s.positions[i]
	s.moves, s.actions = p.AppendMoves(s.moves[:0]), s.actions[:0]
	for _, m := range s.moves {
		s.actions = append(s.actions, uint8(m))
	}
	edges := s.tree.expand(i, s.actions)
	if s.tree.nodes[i].turn == chance {
		chances(edges)
		return
	}
	softmax(edges, func(action uint8) float32 { return policy[Index(rules.Move(action), p.Size())] })
}

// chances sets the priors of what chance does: on each empty cell a 2 (90 %) or a 4 (10 %).
func chances(edges []edge) {
	for i := range edges {
		share := 0.9
		if rules.Move(edges[i].action).IsFour() {
			share = 0.1
		}
		edges[i].prior = float32(share * 2 / float64(len(edges)))
	}
}

// Choice returns the move that the search has chosen, drawn with the temperature: without any rating the
// first legal one.
func (s *Search) Choice(temperature float64) rules.Move {
	s.chosen = s.tree.choice(temperature, s.random)
	if s.chosen == none {
		return s.positions[0].AppendMoves(s.moves[:0])[0]
	}
	return rules.Move(s.tree.edges[s.chosen].action)
}

// turnOf returns who chooses in a position within the tree.
func turnOf(p rules.Position) turn {
	if p.SideToMove() == rules.Attacker && p.Rules().Chance() {
		return chance
	}
	return chooser(p)
}

// chooser returns who chooses in a position at the root: an attacker under solo, too.
func chooser(p rules.Position) turn {
	if p.SideToMove() == rules.Defender {
		return maximiser
	}
	return minimiser
}

// points is the scale of points themselves.
type points struct{}

func (points) Of(v float64) float64     { return v }
func (points) Points(v float64) float64 { return v }
