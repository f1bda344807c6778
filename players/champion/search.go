package champion

import (
	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/players/ntuple"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Config sets up a Search.
type Config struct {
	Table   int  // the logarithm of the number of entries of each table: see alphabeta.Config
	Threads int  // number of threads that search together; 0 means one. Against chance there is always one
	Keep    bool // keeps the tables from move to move
	// Network returns the network for some rules. The search asks for it only in games for which HasNetwork is true.
	Network func(rules.Ruleset) *ntuple.Network
}

// HasNetwork reports whether the champion searches with the network that has learned these rules on boards of this
// size, at least in one role.
func HasNetwork(r rules.Ruleset, s rules.Size) bool { return s == rules.Full && !r.Chance() }

// AgainstChance reports whether p is searched with expectimax. All other positions are searched with alpha-beta.
func AgainstChance(p rules.Position) bool {
	return p.Rules() == rules.Solo && p.SideToMove() == rules.Defender
}

// Search chooses the moves of one side in one game.
type Search struct {
	usual   *alphabeta.Search
	cramped *alphabeta.Search  // under gpcc2016 on small boards
	attack  *alphabeta.Search  // under gpcc2015 on 4x4, as the attacker
	learned *alphabeta.Search  // under gpcc2016 on 4x4
	chance  *expectimax.Search // under solo, as the defender
	last    chooser            // the search that chose the last move
}

// chooser is a search of one kind.
type chooser interface {
	Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move
	Result() searching.Result
}

// rareLine is the probability below which the search against chance follows no line of play: see
// docs/notes/2026-11-29-experiments.md.
const rareLine = 1.0 / 1000

// New returns a Search with the settings that won the matches of docs/adr/0020-alphabeta.md.
func New(c Config) *Search {
	with := func(e func(rules.Size) searching.Evaluation) *alphabeta.Search {
		return alphabeta.New(alphabeta.Config{
			Evaluation: e, Hurry: true, Table: c.Table, Keep: c.Keep, Reductions: true, Threads: c.Threads,
		})
	}
	return &Search{
		usual:   with(gradient(evaluation.Reserve())),
		cramped: with(gradient(evaluation.Room())),
		attack:  with(func(rules.Size) searching.Evaluation { return c.Network(rules.GPCC2015) }),
		learned: with(func(rules.Size) searching.Evaluation { return ntuple.Final{Network: c.Network(rules.GPCC2016)} }),
		chance: expectimax.New(expectimax.Config{
			Evaluation: gradient(evaluation.Slope()), Mated: evaluation.SlopeMated, Rare: rareLine,
		}),
	}
}

// gradient returns the evaluations with the weights g.
func gradient(g evaluation.Gradient) func(rules.Size) searching.Evaluation {
	return func(s rules.Size) searching.Evaluation { return g.On(s) }
}

// Choose returns the best of moves, which are the legal moves in p or some of them, at least one. Of equal moves it
// takes the first: see the packages alphabeta and expectimax.
func (s *Search) Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	s.last = s.chooserFor(p)
	return s.last.Choose(p, moves, b)
}

// chooserFor returns the search for a position: see docs/adr/0020-alphabeta.md.
func (s *Search) chooserFor(p rules.Position) chooser {
	switch {
	case AgainstChance(p):
		return s.chance
	case p.Rules() == rules.GPCC2016 && p.Size() == rules.Full:
		return s.learned
	case p.Rules() == rules.GPCC2016:
		return s.cramped
	case p.SideToMove() == rules.Attacker && p.Rules() == rules.GPCC2015 && p.Size() == rules.Full:
		return s.attack
	default:
		return s.usual
	}
}

// Result returns the result of the last Choose, which must have been called.
func (s *Search) Result() searching.Result { return s.last.Result() }
