package players

import (
	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/rules"
)

// evMinimaxOptions are the options of the kind evminimax.
type evMinimaxOptions struct {
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
	Name: "ties", Default: "drawn", Choices: wordsUpTo(tiesFirst),
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
			return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.budget.chooser(g, o.search())}
		},
	}.kind()
}

func (o *evMinimaxOptions) settings() []setting {
	return []setting{
		deepeningDepth(number(&o.budget.depth, Option{
			Name: "depth", Default: "3", Least: 1, Most: 16,
			Meaning: "slides to look ahead, whoever moves first",
		}), &o.budget.milliseconds),
		o.budget.timeSetting("0", "; then the deepest finished search decides"),
		number(&o.evaluation.Empty, Option{
			Name: "empty", Default: "zero", Choices: wordsUpTo(evaluation.EmptyIsNothing),
			Meaning: "how an empty cell counts beside a tile: as a tile of value 0, or not at all",
		}),
		number(&o.evaluation.Mate, Option{
			Name: "mate", Default: "0", Most: evaluation.MaxMate,
			Meaning: "points subtracted from the evaluation of a mated position",
		}),
		number(&o.ties, tiesOption),
		seedOption(&o.seed),
	}
}

// search returns a plain minimax search: it has no reductions, and keeps nothing from move to move.
func (o *evMinimaxOptions) search() search {
	return deepSearch{alphabeta.New(alphabeta.Config{
		Mate:       o.evaluation.Mate,
		Evaluation: func(s rules.Size) searching.Evaluation { return evaluation.New(s, o.evaluation) },
	}), o.ties}
}
