package players

import (
	"errors"

	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/players/searching"
	"versus2048/rules"
)

// leafEvaluation evaluates the leaves of a search, as the options eval and weights determine.
type leafEvaluation struct {
	heuristic heuristic
	weights   nTupleWeights // the option weights, for heuristicNTuple
	network   *network      // the network that weights selects for a game; set by player
}

// heuristic is an evaluation for searches. To add an evaluation, add a constant, its name (String), the evaluation of
// boards for all searches (leafEvaluation.on) and the value of a mated board for expectimax (mated).
type heuristic uint8

const (
	heuristicReserve heuristic = iota
	heuristicRoom
	heuristicSlope
	heuristicOka
	heuristicOv3y
	heuristicScore
	heuristicNTuple
)

// String returns the name of the evaluation.
func (h heuristic) String() string {
	return [...]string{"reserve", "room", "slope", "oka", "ov3y", "score", "ntuple"}[h]
}

// settings returns the options eval and weights of a search. byDefault is the default of eval.
func (e *leafEvaluation) settings(byDefault heuristic) []setting {
	network := e.weights.setting(ownWeights, "the network of eval=ntuple, which is v1-rules unless another is named: ")
	network.follow = func() string {
		if e.heuristic == heuristicNTuple {
			return rulesWeights
		}
		return ownWeights // other evaluations ignore the option, but it is part of their specs
	}
	return []setting{
		number(&e.heuristic, Option{
			Name: "eval", Default: byDefault.String(), Choices: wordsUpTo(heuristicNTuple),
			Meaning: "the evaluation of positions: gradients along lines with merges in reserve, the same with room for the 4s of gpcc2016, gradients as the project first had them, the evaluation of Oka et al. 2015, the one of ov3y's 2048-AI, just the score, or an n-tuple network",
		}),
		network,
	}
}

// open opens the file of the network, if there is one. It returns an error for weights that the evaluation does not
// use.
func (e *leafEvaluation) open() error {
	switch {
	case e.heuristic == heuristicNTuple:
		return e.weights.open()
	case e.weights.path != ownWeights: // the user has set the option
		return errors.New("option weights is only for eval=ntuple")
	}
	return nil
}

// player calls build with the evaluation for a game, and returns build's player. If the game's rules are known or do
// not matter, it unpacks the network now, so that the first move does not wait for it.
func (e leafEvaluation) player(g Game, build func(leafEvaluation) Player) Player {
	if e.heuristic != heuristicNTuple {
		return build(e)
	}
	return e.weights.player(g, func(n *network) Player {
		e.network = n
		return build(e)
	})
}

// plays returns an error if the network is for other games. An evaluation without a network plays all games.
func (e *leafEvaluation) plays(r rules.Ruleset, s rules.Size) error {
	if e.heuristic != heuristicNTuple {
		return nil
	}
	return e.weights.plays(r, s)
}

// memory returns the size of the evaluation's network in bytes.
func (e *leafEvaluation) memory() uint64 {
	if e.heuristic != heuristicNTuple {
		return 0
	}
	return e.weights.memory()
}

// on returns the evaluation for boards of a size. Some evaluations count the score: their values include the score of
// the tiles on the board (see withoutScore).
func (e *leafEvaluation) on(s rules.Size) searching.Evaluation {
	switch e.heuristic {
	case heuristicReserve:
		return evaluation.Reserve().On(s)
	case heuristicRoom:
		return evaluation.Room().On(s)
	case heuristicSlope:
		return evaluation.Slope().On(s)
	case heuristicOka:
		return evaluation.New(s, evaluation.Variant{})
	case heuristicOv3y:
		return evaluation.NewOv3y(s)
	case heuristicNTuple:
		return e.network
	default:
		return potential{}
	}
}

// potential rates a board by the score of its tiles.
type potential struct{}

func (potential) Of(b rules.Board) int { return b.Potential() }
func (potential) PointValue() int      { return 1 }

// withoutScore rates a board without the score of its tiles, since expectimax counts the score itself.
type withoutScore struct {
	searching.Evaluation
	point int // the value of a point of the score in the evaluation; 0 if it does not count the score
}

func (e withoutScore) Of(b rules.Board) int {
	if e.point == 0 {
		return e.Evaluation.Of(b)
	}
	return e.Evaluation.Of(b) - e.point*b.Potential()
}

// mated returns the value of a mated board in units of the evaluation. docs/notes/2026-11-29-experiments.md lists the
// values that were tried.
func (h heuristic) mated() int {
	return [...]int{
		heuristicReserve: -10_000, heuristicRoom: -10_000, heuristicSlope: evaluation.SlopeMated, heuristicOka: -20_000,
		heuristicOv3y: -1_000_000, heuristicScore: 0, heuristicNTuple: 0,
	}[h]
}

// configure sets the evaluation of c, and the values of a point and of a mated board in units of the evaluation.
func (e *leafEvaluation) configure(c *expectimax.Config) {
	point := searching.PointValue(e.on(rules.Full))
	c.Mated, c.Point = e.heuristic.mated(), point
	c.Evaluation = func(s rules.Size) searching.Evaluation { return withoutScore{e.on(s), point} }
}
