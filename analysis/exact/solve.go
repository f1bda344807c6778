package exact

import (
	"context"
	"sync"

	"versus2048/rules"
)

// Progress says how far Solve is.
type Progress struct {
	Solving bool  // false while the states are enumerated
	Sum     int   // of tiles that was finished last
	Largest int   // sum that the board could hold
	Done    int   // attacker's positions enumerated, or solved
	Total   int   // attacker's positions to solve; 0 while they are enumerated
	Bytes   int64 // of memory that enumerating holds; 0 while they are solved
}

// Solution is a solved game.
type Solution struct {
	*Table
	Layers []Layer // by sum of tiles, from the empty board
}

// Solve computes the value of every position that can be reached from the empty
// board, on every processor. It tells report, unless that is nil, each layer
// that it finishes. It returns an error for a board of more than 9 cells, and
// when ctx ends: its cause.
//
// The method is that of Yamashita 2023: the sum of tiles grows with every
// placement, so that the states of one sum are enumerated from those of the two
// before, and then solved from those of the two after.
func Solve(ctx context.Context, r rules.Ruleset, s rules.Size, report func(Progress)) (*Solution, error) {
	g := game{r, s}
	if err := Solvable(s); err != nil {
		return nil, err
	}
	if report == nil {
		report = func(Progress) {}
	}
	layers, boards := enumerate(ctx, g, report)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	table := solve(ctx, g, boards, report)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &Solution{table, layers}, nil
}

// enumerate finds all states, and keeps the boards with the attacker to move.
func enumerate(ctx context.Context, g game, report func(Progress)) (layers []Layer, boards []*parts) {
	e, progress := newEnumeration(ctx, g), Progress{Largest: g.largestSum()}
	for more := true; more; more = e.next() {
		layers, boards = append(layers, e.layer), append(boards, e.attackers[0])
		progress.Sum, progress.Done = e.layer.Sum, progress.Done+e.layer.Attacker
		progress.Bytes = int64(8*progress.Done) + e.bytes()
		report(progress)
	}
	return layers, boards
}

// solve solves the layers, the last one first. While one is being solved the
// next one is put in order, and those before are packed into the table.
func solve(ctx context.Context, g game, boards []*parts, report func(Progress)) *Table {
	table, solver := newTable(g, len(boards)), solver{game: g, ctx: ctx, tick: g.tick()}
	progress := Progress{Solving: true, Largest: g.largestSum()}
	for _, b := range boards {
		progress.Total += b.count()
	}
	var packing sync.WaitGroup
	defer packing.Wait()
	ordered := inOrder(ctx, boards)
	for i := len(boards) - 1; i >= 0; i-- {
		w, ok := <-ordered
		if !ok {
			break
		}
		solver.solve(w)
		packing.Go(func() { table.layers[i] = packLayer(g, w) })
		progress.Sum, progress.Done = 2*i, progress.Done+len(w.boards)
		report(progress)
	}
	return table
}

// inOrder makes the layers ready to be solved, the last one first, and forgets
// them. It ends early when ctx does.
func inOrder(ctx context.Context, boards []*parts) <-chan *worths {
	ordered := make(chan *worths, 1)
	go func() {
		defer close(ordered)
		for i := len(boards) - 1; i >= 0 && ctx.Err() == nil; i-- {
			select {
			case ordered <- newWorths(boards[i]):
				boards[i] = nil
			case <-ctx.Done():
			}
		}
	}()
	return ordered
}
