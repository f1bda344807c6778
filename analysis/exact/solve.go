package exact

import (
	"context"

	"versus2048/rules"
)

// Progress says how far a solver is.
type Progress struct {
	Solving bool // false while the states are enumerated
	Sum     int  // of tiles that was finished last
	Done    int  // attacker's positions enumerated, or solved
	Total   int  // attacker's positions to solve; 0 while they are enumerated
}

// Solution is a solved game.
type Solution struct {
	*Table
	Layers []Layer // by sum of tiles, from the empty board
}

// Solve computes the value of every position that can be reached from the empty
// board, on every processor. It tells report, unless that is nil, each layer
// that it finishes. It returns an error for a board of more than 9 cells, and
// when ctx ends.
//
// The method is that of Yamashita 2023: the sum of tiles grows with every
// placement, so that the states of one sum are enumerated from those of the two
// before, and then solved from those of the two after.
func Solve(ctx context.Context, r rules.Ruleset, s rules.Size, report func(Progress)) (*Solution, error) {
	g := game{r, s}
	if err := g.check(); err != nil {
		return nil, err
	}
	if report == nil {
		report = func(Progress) {}
	}
	e, progress := newEnumeration(ctx, g), Progress{}
	var solution Solution
	var layers [][]rules.Board // the attacker's boards
	for more := true; more && ctx.Err() == nil; more = e.next() {
		layers = append(layers, e.attackers[0])
		solution.Layers = append(solution.Layers, e.layer)
		progress.Sum, progress.Done = e.sum, progress.Done+e.layer.Attacker
		report(progress)
	}
	progress = Progress{Solving: true, Total: progress.Done}
	solver := &solver{game: g, ctx: ctx}
	solution.Table = newTable(g, len(layers))
	for i := len(layers) - 1; i >= 0 && ctx.Err() == nil; i-- {
		worths := solver.solve(layers[i])
		solution.layers[i] = encodeLayer(g, layers[i], worths)
		layers[i] = nil
		progress.Sum, progress.Done = 2*i, progress.Done+len(worths)
		report(progress)
	}
	return &solution, ctx.Err()
}
