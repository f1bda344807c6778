package players

import (
	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// evMinimaxOptions are the options of the kind evminimax.
type evMinimaxOptions struct {
	depth      int
	evaluation evaluation.Variant
	budget     budget
	ties       ties
	seed       uint64
}

// ties selects which of several equal moves is played.
type ties uint8

const (
	tiesDrawn ties = iota
	tiesFirst
)

// tiesOption is the option of the searches that may find several moves equally good.
var tiesOption = Option{
	Name: "ties", Default: "drawn", Choices: words(tiesFirst),
	Meaning: "which of equal moves is played: one drawn evenly, or the first by cells and in the order N S W E",
}

// String returns "drawn" or "first".
func (t ties) String() string { return [...]string{"drawn", "first"}[t] }

func evMinimaxKind() Kind {
	return entry[evMinimaxOptions]{
		name:    "evminimax",
		summary: "minimax to a fixed depth with the evaluation of Oka et al. 2015; equal moves are drawn",
		options: (*evMinimaxOptions).settings,
		player: func(o evMinimaxOptions, g Game) Player {
			search := &minimaxer{search: alphabeta.New(o.search()), ties: o.ties}
			return &bot{seed: g.Seed, ownSeed: o.seed, chooser: &timed{search, o.budget.pace(g)}}
		},
	}.kind()
}

func (o *evMinimaxOptions) settings() []setting {
	return []setting{
		deepening(number(&o.depth, Option{
			Name: "depth", Default: "3", Least: 1, Most: 16,
			Meaning: "slides to look ahead, whoever moves first",
		}), &o.budget.milliseconds),
		number(&o.budget.milliseconds, Option{
			Name: "time", Default: "0", Most: timeOption.Most,
			Meaning: "milliseconds for each move, after which the deepest finished search decides; 0 for no limit",
		}),
		number(&o.evaluation.Empty, Option{
			Name: "empty", Default: "zero", Choices: words(evaluation.EmptyIsNothing),
			Meaning: "how an empty cell counts beside a tile: as a tile of value 0, or not at all",
		}),
		number(&o.evaluation.Mate, Option{
			Name: "mate", Default: "0", Most: evaluation.MaxMate,
			Meaning: "points that a mated position is worth less than its evaluation",
		}),
		number(&o.ties, tiesOption),
		seedOption(&o.seed),
	}
}

// search returns the configuration of a minimax search: it reduces nothing, and keeps nothing from move to
// move.
func (o *evMinimaxOptions) search() alphabeta.Config {
	return alphabeta.Config{
		Depth: o.depth, Mate: o.evaluation.Mate,
		Evaluation: func(s rules.Size) alphabeta.Evaluation { return evaluation.New(s, o.evaluation) },
	}
}

// minimaxer plays the best move by alpha-beta.
type minimaxer struct {
	search *alphabeta.Search
	ties   ties
}

func (e *minimaxer) choose(p rules.Position, moves []rules.Move, g *playout.Generator, stop func() bool) rules.Move {
	return e.within(p, moves, g, alphabeta.Budget{Stop: stop})
}

// within is choose with a budget.
func (e *minimaxer) within(p rules.Position, moves []rules.Move, g *playout.Generator, b alphabeta.Budget) rules.Move {
	if e.ties == tiesDrawn {
		g.Shuffle(moves) // the first of the best moves is then drawn evenly from them
	}
	return e.search.ChooseWithin(p, moves, b)
}

// report returns the values of moves as evaluations, and their visits in positions.
func (e *minimaxer) report() *record.SearchReport {
	s := e.search.Stats()
	r := record.SearchReport{Nodes: s.Nodes, Expanded: s.Expanded, Variation: s.Variation}
	r.Moves = make([]record.RootMove, len(s.Moves))
	for i, m := range s.Moves {
		r.Moves[i] = record.RootMove{Move: m.Move, Value: float64(m.Value), Visits: m.Nodes, Mate: m.Mate}
	}
	return &r
}
