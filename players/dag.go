package players

func dagKind() Kind {
	return Kind{
		Name:    "dag",
		Summary: "mcts in which equal positions share a node: MCTS2 of Oka et al. 2015",
		Options: append(mctsOptions(), canonicalOption("false"), seedOption()),
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

func canonicalOption(byDefault string) Option {
	return Option{
		Name: "canonical", Default: byDefault,
		Meaning: "share a node between positions equal under rotation and reflection",
	}
}
