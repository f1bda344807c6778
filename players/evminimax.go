package players

import (
	"context"
	"slices"
	"time"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// maxDepth is how many slides evminimax looks ahead at most.
const maxDepth = 16

func evMinimaxKind() Kind {
	return Kind{
		Name:    "evminimax",
		Summary: "minimax to a fixed depth with the evaluation of Oka et al. 2015; equal moves are drawn",
		Options: []Option{
			{Name: "depth", Default: "3", Least: 1, Most: maxDepth, Meaning: "slides to look ahead, whoever moves first"},
			{Name: "time", Default: "0", Least: 0, Most: 3_600_000, Meaning: "milliseconds a move, after which the deepest search that was finished decides; 0 for no limit"},
			{Name: "empty", Default: "zero", Choices: []string{"zero", "nothing"}, Meaning: "what an empty cell counts beside a tile: a tile of value 0, or nothing"},
			{Name: "mate", Default: "0", Least: 0, Most: evaluation.MaxMate, Meaning: "points of the evaluation that a mated position is worth less"},
			{Name: "ties", Default: "drawn", Choices: []string{"drawn", "first"}, Meaning: "which of equal moves is played: one drawn evenly, or the first by cells and in the order N S W E"},
			seedOption(),
		},
		build: func(v values) chooser { return newEvMinimax(v) },
	}
}

// evMinimax plays a best move of the full minimax tree down to the depth-th
// slide; what the search leaves out can't change the choice. Where chance
// places the tiles it expects the worst, as the paper does of an attacker.
type evMinimax struct {
	depth   int
	budget  budget
	reading evaluation.Variant
	first   bool // of equal moves the first one is played
	boards  *boardSearch
	last    *deepening
	took    time.Duration
}

func newEvMinimax(v values) *evMinimax {
	return &evMinimax{
		depth:   int(v["depth"]),
		budget:  budget{time: time.Duration(v["time"]) * time.Millisecond},
		reading: evaluation.Variant{Empty: evaluation.EmptyCell(v["empty"]), Mate: int(v["mate"])},
		first:   v["ties"] == 1,
	}
}

func (e *evMinimax) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	start := time.Now()
	if !e.first {
		g.Shuffle(moves) // the first of the best is then drawn evenly from them
	}
	v := newVisits(e.budget.start(ctx).expired)
	e.last = newDeepening(p, moves, e.tree(p, v), v)
	e.last.run(e.depth)
	e.took = time.Since(start)
	return e.last.moves[0].move
}

// tree is the faster search if it is right for p.
func (e *evMinimax) tree(p rules.Position, v *visits) tree {
	if mayReachHuge(p, 2*e.depth) {
		return positionSearch{v, e.reading}
	}
	if e.boards == nil || !e.boards.serves(p) {
		e.boards = newBoardSearch(p.Size(), p.Rules(), e.reading)
	}
	e.boards.begin(v)
	return e.boards
}

// mayReachHuge tells whether the tiles on the board and those of so many plies
// are enough for a 65536. Without one a board holds every tile.
func mayReachHuge(p rules.Position, plies int) bool {
	sum := 4 * plies
	for i := range 16 {
		sum += 1 << p.Exponent(i) &^ 1
	}
	return sum >= 1<<16
}

// report implements reporter. The values are evaluations.
func (e *evMinimax) report() *record.SearchReport {
	expanded := e.last.expanded[:]
	for len(expanded) > 0 && expanded[len(expanded)-1] == 0 {
		expanded = expanded[:len(expanded)-1]
	}
	return &record.SearchReport{
		Nodes: e.last.nodes, Expanded: slices.Clone(expanded), Time: e.took,
		Variation: e.last.variation, Moves: e.last.best(),
	}
}
