package players

import (
	"cmp"
	"slices"
	"time"

	"versus2048/rules"
)

// searched is what a report needs to know of a search besides its graph.
type searched struct {
	root     rules.Position // as it was asked about, not canonical
	began    time.Time
	took     time.Duration
	playouts int
}

func beginSearch(root rules.Position) searched { return searched{root: root, began: time.Now()} }

func (s *searched) finish(playouts int) {
	s.playouts, s.took = playouts, time.Since(s.began)
}

// report implements reporter. A root move's value is its mean score; where one
// edge stands for several moves, equal under symmetry, one of them is listed.
func (m *mcts) report() *rules.SearchReport {
	r := &rules.SearchReport{
		Playouts:  int64(m.last.playouts),
		Nodes:     int64(len(m.nodes)),
		Expanded:  m.expandedByDepth(),
		Time:      m.last.took,
		Variation: m.variation(m.last.root),
		Moves:     m.rootMoves(m.last.root),
	}
	return r
}

// expandedByDepth counts the nodes that have children. All ways to a node are
// of one length.
func (g *graph) expandedByDepth() (counts []int64) {
	for i := range g.nodes {
		if g.nodes[i].degree == 0 {
			continue
		}
		depth := g.nodes[i].position.Ply() - g.nodes[0].position.Ply()
		for len(counts) <= depth {
			counts = append(counts, 0)
		}
		counts[depth]++
	}
	return counts
}

// variation is the moves by the best means from p, which is the root, as far as
// there were playouts.
func (s *ucbSearch) variation(p rules.Position) (moves []rules.Move) {
	for i := int32(0); s.nodes[i].degree > 0; {
		e := s.children(&s.nodes[i])[s.bestEdge(i)]
		if s.stats[e.child].visits == 0 && i != 0 {
			break
		}
		m := s.moveIn(p, e)
		moves = append(moves, m)
		i, p = e.child, p.Next(m)
	}
	return moves
}

// moveIn is an edge's move in p, whose node it leaves.
func (g *graph) moveIn(p rules.Position, e edge) rules.Move {
	if !g.canonical {
		return e.move
	}
	_, symmetry := p.Canonical()
	return symmetry.Inverse().Move(e.move, p.Size())
}

// rootMoves lists the moves that had playouts, the best mean first.
func (s *ucbSearch) rootMoves(p rules.Position) (moves []rules.RootMove) {
	for _, e := range s.children(&s.nodes[0]) {
		if child := &s.stats[e.child]; child.visits > 0 {
			moves = append(moves, rules.RootMove{Move: s.moveIn(p, e), Value: child.mean, Visits: int64(child.visits)})
		}
	}
	worth := sign(p.SideToMove())
	slices.SortStableFunc(moves, func(a, b rules.RootMove) int { return cmp.Compare(worth*b.Value, worth*a.Value) })
	return moves
}
