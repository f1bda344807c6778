package players

import (
	"context"

	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

func mctsPlusKind() Kind {
	return Kind{
		Name:    "mctsplus",
		Summary: "dag with what Oka et al. 2015 left for later: by default a search of evaluated positions",
		Options: append(append(searchOptions(), mctsPlusOptions()...), seedOption()),
		build:   func(v values) chooser { return newMCTSPlus(v) },
	}
}

func mctsPlusOptions() []Option {
	return []Option{
		{Name: "c", Default: "100", Least: 0, Most: 100_000, Meaning: "exploration in UCB1, in percent of the rewards' standard deviation"},
		{Name: "expand", Default: "1", Least: 1, Most: 1_000_000, Meaning: "playouts of a leaf before it is expanded"},
		canonicalOption("true"),
		{Name: "backup", Default: "edges", Choices: backups, Meaning: "where a node's value comes from: playouts credited to all ancestors, children's values weighted by edges, or the best child's value"},
		{Name: "leaf", Default: "1", Least: 1, Most: 1024, Meaning: "playouts made at once from a leaf"},
		{Name: "policy", Default: "random", Choices: []string{"random", "corner", "merge", "duel"}, Meaning: "how a playout's moves are drawn: evenly; slides towards a corner first; the slide that scores most; that, against placements beside a largest tile"},
		{Name: "slides", Default: "0", Least: 0, Most: 1_000_000, Meaning: "slides of a playout before it is cut off and evaluated; 0 evaluates the leaf itself, 1000000 plays to the end"},
		{Name: "mate", Default: "1000", Least: 0, Most: 1_000_000, Meaning: "points that a mated position is worth less than its evaluation says, where playouts are cut off"},
		{Name: "reward", Default: "score", Choices: shapes, Meaning: "of a playout: its score or evaluation, its logarithm, or its place among the others from 0 to 1"},
	}
}

// mctsPlus searches a graph whose leaves are evaluated as its options say.
type mctsPlus struct {
	ucbSearch
	budget   budget
	c        float64 // in standard deviations of the rewards
	outlooks outlooks
	last     searched
}

func newMCTSPlus(v values) *mctsPlus {
	m := &mctsPlus{
		budget: newBudget(v),
		c:      float64(v["c"]) / 100,
		outlooks: outlooks{
			count:  int(v["leaf"]),
			policy: playout.Policy(v["policy"]),
			slides: int(v["slides"]),
			mate:   float64(v["mate"]),
			shape:  shape(v["reward"]),
		},
	}
	m.graph = graph{table: &nodeTable{}, canonical: v["canonical"] == 1, backup: backup(v["backup"]), limit: int(v["nodes"])}
	m.expandAt = int32(v["expand"])
	m.leaves = &m.outlooks
	return m
}

func (m *mctsPlus) choose(ctx context.Context, p rules.Position, _ []rules.Move, g *playout.Generator) rules.Move {
	m.last = beginSearch(p)
	clock := m.budget.start(ctx)
	m.descent.random = g
	m.outlooks.begin(p)
	m.start(p, g)
	made := 0
	for i := 0; made < m.budget.playouts && (i%checkEvery != 0 || !clock.expired()); i++ {
		m.exploration = m.c * m.outlooks.rewards.deviation()
		_, n := m.step(&m.descent)
		made += int(n)
	}
	m.last.finish(made)
	return m.moveIn(p, m.best())
}

// report implements reporter. A root move's value is its mean reward: in half
// units of the paper's evaluation, which is the score where nothing else tells
// positions apart, or as the option reward shapes it.
func (m *mctsPlus) report() *record.SearchReport { return m.last.report(&m.graph) }
