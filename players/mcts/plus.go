package mcts

import (
	"math"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// PlusConfig sets up a Plus.
type PlusConfig struct {
	Nodes       int            // the most positions that are kept, at least 64
	Exploration float64        // c of UCB1, in standard deviations of the rewards
	ExpandAt    int            // playouts from a leaf before it is expanded
	Canonical   bool           // positions equal under rotation and reflection share a node
	Backup      Backup         // selects how results reach the nodes above a leaf
	Leaf        int            // playouts made at once from a leaf, at least 1
	Policy      playout.Policy // selects the way to draw the moves of a playout
	// Slides is the number of slides before a playout is cut off and evaluated. 0 evaluates the leaf itself,
	// WholeGame plays to the end.
	Slides int
	Mate   float64 // subtracted from the value if a mated position is evaluated
	Reward Reward  // the reward of a playout
}

// WholeGame as PlusConfig.Slides plays playouts to the end.
const WholeGame = 1_000_000

// Reward selects how the reward of a playout follows from its value. The value is the score at the end of a whole
// game, or else half the evaluation of the playout's last position: the evaluation counts the score twice.
type Reward uint8

// The rewards.
const (
	Score Reward = iota // the value
	Log                 // the logarithm of 100 plus the points made from the root on
	// Rank is the rank among the earlier playouts: the logistic function of the value's distance from the mean of
	// their values, in standard deviations.
	Rank
)

// String returns "score", "log" or "rank".
func (r Reward) String() string { return [...]string{"score", "log", "rank"}[r] }

// Plus searches a graph with one node for equal positions. Its configuration selects the evaluation of leaves.
type Plus struct {
	config   PlusConfig
	ucb      ucb
	leaves   plusLeaves
	root     rules.Position // as given to Choose, not canonical
	playouts int            // made by the last search
}

// NewPlus returns a Plus.
func NewPlus(c PlusConfig) *Plus {
	s := &Plus{config: c, leaves: plusLeaves{config: c, most: c.Leaf}}
	s.ucb.graph = graph{table: &nodeTable{}, canonical: c.Canonical, backup: c.Backup, limit: c.Nodes}
	s.ucb.expandAt = int32(c.ExpandAt)
	s.ucb.leaves = &s.leaves
	return s
}

// Choose returns the move in p with the best mean reward. p must have a legal move.
func (s *Plus) Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move {
	s.root, s.playouts = p, 0
	s.start(p, random)
	s.leaves.stop = b.Stopped
	every := max(1, stopEvery/s.config.Leaf) // the number of steps between two looks at the budget; a step makes Leaf playouts
	for i := 0; s.playouts < b.MostPlayouts() && (i%every != 0 || !s.ucb.graph.ends(&b, s.playouts)); i++ {
		s.ucb.exploration = s.config.Exploration * s.leaves.rewards.deviation()
		s.leaves.most = min(s.config.Leaf, b.MostPlayouts()-s.playouts)
		_, n := s.ucb.step(&s.ucb.descent)
		s.playouts += int(n)
	}
	return s.ucb.graph.moveIn(p, s.ucb.graph.bestEdge(0))
}

// start prepares the search of a position.
func (s *Plus) start(p rules.Position, random *playout.Generator) {
	s.ucb.descent.random = random
	s.leaves.root, s.leaves.values, s.leaves.rewards = float64(p.Score()), moments{}, moments{}
	s.ucb.start(p, random)
}

// Result returns the result of the last Choose, which must have been called. The value of a move is its mean
// reward: see PlusConfig.Reward.
func (s *Plus) Result() searching.Result { return s.ucb.graph.result(s.root, s.playouts) }

// plusLeaves makes the playouts of a Plus: games that are played to the end, cut off after some slides, or not played
// at all.
type plusLeaves struct {
	config          PlusConfig
	batch           playout.Batch
	root            float64     // the score at the root
	values, rewards moments     // so far in this search
	stop            func() bool // of this search
	most            int         // the playouts of the next leaf: as many as the budget leaves, at most Leaf
}

// playouts implements evaluator. It plays whole random games side by side, and all other playouts one after the other.
func (l *plusLeaves) playouts(p rules.Position, random *playout.Generator) (total float64, n int32) {
	if l.config.Slides == WholeGame && l.config.Policy == playout.Random {
		for _, score := range l.batch.Play(p, l.most, random) {
			total += l.reward(float64(score))
		}
		return total, int32(l.most)
	}
	for n < int32(l.most) && (n == 0 || n%stopEvery != 0 || !l.stop()) {
		total += l.reward(l.value(p, random))
		n++
	}
	return total, n
}

// value makes a playout and returns the score at the end of a whole game, or else the worth of the playout's last
// position. A playout of limited slides has no slides if it may make a tile too large for a board.
func (l *plusLeaves) value(p rules.Position, random *playout.Generator) float64 {
	slides := l.config.Slides
	switch {
	case slides == 0 || !playout.MergesFit(p) && slides < WholeGame:
		return l.worth(evaluation.Variant{}.Position(p), p.Over())
	case slides == WholeGame && !playout.MergesFit(p):
		return float64(playout.Play(p, random))
	}
	g := playout.NewPartial(p)
	g.Play(l.config.Policy, slides, random)
	if slides == WholeGame {
		return float64(g.Score())
	}
	return l.worth(evaluation.Variant{}.Board(g.Board(), p.Size(), g.Score()), g.Over())
}

// worth returns half of an evaluation, reduced by Mate if the position is mated.
func (l *plusLeaves) worth(evaluation int, mated bool) float64 {
	if mated {
		return float64(evaluation)/2 - l.config.Mate
	}
	return float64(evaluation) / 2
}

// reward returns the reward for a value and counts it. Rank also counts the value.
func (l *plusLeaves) reward(value float64) float64 {
	reward := value
	switch l.config.Reward {
	case Log:
		reward = math.Log(max(1, value-l.root+100))
	case Rank:
		reward = 1 / (1 + math.Exp((l.values.mean-value)/max(1, l.values.deviation())))
		l.values.add(value)
	}
	l.rewards.add(reward)
	return reward
}

// moments are the mean and the spread of numbers (Welford 1962).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += float64(d * (x - m.mean)) // not combined with the addition: see ucb.promising
}

// deviation returns the standard deviation, 0 for fewer than two numbers.
func (m *moments) deviation() float64 {
	if m.n < 2 {
		return 0
	}
	return math.Sqrt(m.squares / m.n)
}
