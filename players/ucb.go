package players

import (
	"context"
	"math"

	"versus2048/rules"
)

// ucbSearch is a Monte-Carlo tree search with UCB1 (Auer, Cesa-Bianchi and
// Fischer 2002) as Oka, Matsuzaki and Haraguchi 2015 use it: a playout's
// reward is the game's final score, and the attacker minimises.
type ucbSearch struct {
	graph
	exploration float64 // c of UCB1, in points
	expandAt    int32   // playouts that a leaf has before it is expanded
	random      *generator
}

// run makes playouts from p until there are so many or ctx ends.
func (s *ucbSearch) run(ctx context.Context, p rules.Position, playouts int) {
	s.start(p)
	for i := 0; i < playouts && ctx.Err() == nil; i++ {
		s.step()
	}
}

// start makes p the root and expands it.
func (s *ucbSearch) start(p rules.Position) { s.expand(s.node(p), s.random) }

// step makes one playout, and returns the leaf that it was made from and its
// reward.
func (s *ucbSearch) step() (leaf int32, reward int) {
	leaf = s.descend()
	reward = playout(s.nodes[leaf].position, s.random)
	s.add(leaf, reward)
	if s.nodes[leaf].visits == s.expandAt {
		s.expand(leaf, s.random)
	}
	return leaf, reward
}

// descend goes from the root to a leaf.
func (s *ucbSearch) descend() int32 {
	i := int32(0)
	for n := &s.nodes[i]; n.degree > 0; n = &s.nodes[i] {
		if n.position.SideToMove() == rules.Attacker && n.position.Rules().Chance() {
			i = s.drawn(n)
		} else {
			i = s.promising(n)
		}
	}
	return i
}

// promising is the child that UCB1 prefers, an unvisited one before all others:
//
//	mean + c sqrt(2 ln n / n_j)
//
// is largest for the defender, and smallest with -c for the attacker.
func (s *ucbSearch) promising(n *node) int32 {
	sign := sign(n.position.SideToMove())
	spread := 2 * math.Log(float64(n.visits))
	best, bestBound := int32(none), math.Inf(-1)
	for _, e := range s.children(n) {
		child := &s.nodes[e.child]
		if child.visits == 0 {
			return e.child
		}
		bound := sign*child.mean() + s.exploration*math.Sqrt(spread/float64(child.visits))
		if bound > bestBound {
			best, bestBound = e.child, bound
		}
	}
	return best
}

// drawn is the child that chance draws.
func (s *ucbSearch) drawn(n *node) int32 {
	edges := s.children(n)
	total := 0
	for _, e := range edges {
		total += int(e.weight)
	}
	rest := s.random.below(total)
	i := 0
	for rest >= int(edges[i].weight) {
		rest -= int(edges[i].weight)
		i++
	}
	return edges[i].child
}

// best is the root's move with the best mean. Without any playout it is a
// random one.
func (s *ucbSearch) best() rules.Move {
	root := &s.nodes[0]
	sign := sign(root.position.SideToMove())
	best, bestMean := s.children(root)[0].move, math.Inf(-1)
	for _, e := range s.children(root) {
		child := &s.nodes[e.child]
		if child.visits > 0 && sign*child.mean() > bestMean {
			best, bestMean = e.move, sign*child.mean()
		}
	}
	return best
}

// sign is 1 for the side that wants high scores, else -1.
func sign(side rules.Side) float64 {
	if side == rules.Defender {
		return 1
	}
	return -1
}
