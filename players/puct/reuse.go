package puct

import "versus2048/rules"

// reroot makes the most visited node of p the root and keeps the nodes below it. It returns false if p has no
// rated node.
func (s *Search) reroot(p rules.Position) bool {
	root := int32(none)
	for i, known := range s.positions {
		if n := &s.tree.nodes[i]; known == p && n.degree > 0 && (root == none || n.visits > s.tree.nodes[root].visits) {
			root = int32(i)
		}
	}
	if root == none {
		return false
	}
	if s.tree.nodes[root].turn == chance && rootTurn(p) == minimiser {
		return false // its priors are probabilities of chance, not the attacker's policy
	}
	s.spare.config, s.spare.bounds = s.tree.config, noBounds
	s.spare.nodes, s.spare.edges, s.sparePositions = s.spare.nodes[:0], s.spare.edges[:0], s.sparePositions[:0]
	s.copyNode(root)
	for i := int32(0); int(i) < len(s.spare.nodes); i++ {
		s.copyEdges(i)
	}
	s.tree, s.spare = s.spare, s.tree
	s.positions, s.sparePositions = s.sparePositions, s.positions
	return true
}

// copyNode appends a node to the spare tree. Its edges still belong to the old tree.
func (s *Search) copyNode(i int32) int32 {
	s.spare.nodes = append(s.spare.nodes, s.tree.nodes[i])
	s.sparePositions = append(s.sparePositions, s.positions[i])
	s.spare.bounds.include(s.tree.nodes[i].mean())
	return int32(len(s.spare.nodes) - 1)
}

// copyEdges appends the edges of a node of the spare tree, and the nodes at their ends.
func (s *Search) copyEdges(i int32) {
	n := s.spare.nodes[i]
	first := int32(len(s.spare.edges))
	s.spare.edges = append(s.spare.edges, s.tree.edges[n.firstEdge:n.firstEdge+int32(n.degree)]...)
	s.spare.nodes[i].firstEdge = first
	for e := first; e < int32(len(s.spare.edges)); e++ {
		if old := s.spare.edges[e].node; old != none {
			s.spare.edges[e].node = s.copyNode(old)
		}
	}
}
