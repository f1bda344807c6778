package proof

import (
	"context"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/rules"
)

// Collect returns the boards that tasks find, in ascending order and without repetitions. The threads divide the tasks
// among themselves. It returns the error of ctx if ctx ends first.
func Collect(ctx context.Context, threads int, tasks []func() []rules.Board) ([]rules.Board, error) {
	each := make([][]rules.Board, len(tasks))
	parallel.Each(ctx, threads, len(tasks), func(_, i int) { each[i] = tasks[i]() })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := slices.Concat(each...)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Chunks returns a task for each part of some boards.
func Chunks(boards []rules.Board, task func(part []rules.Board) []rules.Board) (all []func() []rules.Board) {
	const size = 1 << 12
	for part := range slices.Chunk(boards, size) {
		all = append(all, func() []rules.Board { return task(part) })
	}
	return all
}
