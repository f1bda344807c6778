package players

func dagKind() Kind {
	canonical := Option{
		Name: "canonical", Default: "false",
		Meaning: "share a node between positions equal under rotation and reflection",
	}
	return Kind{
		Name:    "dag",
		Summary: "mcts in which equal positions share a node: MCTS2 of Oka et al. 2015",
		Options: append(mctsOptions(), canonical, seedOption()),
		build:   func(v values) chooser { return newDAG(v) },
	}
}

// newDAG is mcts on a directed acyclic graph: a playout counts for every
// position that it could have come through.
func newDAG(v values) *mcts {
	m := newMCTS(v)
	m.table = &nodeTable{}
	m.canonical = v["canonical"] == 1
	return m
}
