package proof

import (
	"context"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// A Task appends the boards that it finds to found, in any order, each once or several times.
type Task func(found []rules.Board) []rules.Board

// Collect returns the boards that tasks find, in ascending order and without repetitions. The threads divide the tasks
// among themselves. It returns the error of ctx if ctx ends first.
func Collect(ctx context.Context, threads int, tasks []Task) ([]rules.Board, error) {
	sorters := make([]sorter, threads)
	each := make([][]rules.Board, len(tasks))
	parallel.Each(ctx, threads, len(tasks), func(worker, i int) { each[i] = sorters[worker].ordered(tasks[i]) })
	from := borders(each)
	merged := make([][]rules.Board, len(from))
	parallel.Each(ctx, threads, len(merged), func(worker, i int) {
		merged[i] = sorters[worker].ordered(func(part []rules.Board) []rules.Board {
			for _, found := range each {
				begin, _ := slices.BinarySearch(found, from[i])
				if found = found[begin:]; i+1 < len(from) {
					end, _ := slices.BinarySearch(found, from[i+1])
					found = found[:end]
				}
				part = append(part, found...)
			}
			return part
		})
	})
	return slices.Concat(merged...), ctx.Err()
}

// A sorter brings boards into ascending order. It keeps its memory for the next boards.
type sorter struct{ boards, other []rules.Board }

// ordered returns the boards that a task finds, in ascending order and without repetitions.
func (s *sorter) ordered(task Task) []rules.Board {
	s.boards = task(s.boards[:0])
	if len(s.boards) < 1<<12 {
		slices.Sort(s.boards)
	} else {
		s.sort()
	}
	return slices.Clone(slices.Compact(s.boards))
}

// sort sorts many boards by three cells at a time, the first ones first, in a fifth of the time of slices.Sort.
func (s *sorter) sort() {
	const cells = 12 // bits of three cells
	s.other = slices.Grow(s.other[:0], len(s.boards))[:len(s.boards)]
	for shift := 0; shift < 64; shift += cells {
		var next [1 << cells]int // where the next board with these cells goes
		for _, b := range s.boards {
			next[b>>shift&(1<<cells-1)]++
		}
		at := 0
		for i, n := range next {
			next[i], at = at, at+n
		}
		for _, b := range s.boards {
			i := b >> shift & (1<<cells - 1)
			s.other[next[i]] = b
			next[i]++
		}
		s.boards, s.other = s.other, s.boards
	}
}

// borders divides ordered boards into parts of about the same size: it returns the first board of each part, in
// ascending order.
func borders(each [][]rules.Board) []rules.Board {
	const (
		step  = 1 << 10 // one board of each step is in the sample
		parts = 1 << 7
	)
	sample := []rules.Board{0}
	for _, found := range each {
		for i := step; i < len(found); i += step {
			sample = append(sample, found[i])
		}
	}
	slices.Sort(sample)
	var from []rules.Board
	for i := 0; i < len(sample); i += 1 + len(sample)/parts {
		from = append(from, sample[i])
	}
	return slices.Compact(from)
}

// chunk is the number of boards in one task.
const chunk = 1 << 15

// Chunks returns a task for each part of some boards: task appends the boards that it finds for the part.
func Chunks(boards []rules.Board, task func(found, part []rules.Board) []rules.Board) (all []Task) {
	for part := range slices.Chunk(boards, chunk) {
		all = append(all, func(found []rules.Board) []rules.Board { return task(found, part) })
	}
	return all
}

// ChunksOf returns a task for each part of a set, as Chunks does.
func ChunksOf(set *certificate.BoardSet, task func(found, part []rules.Board) []rules.Board) (all []Task) {
	for begin := 0; begin < set.Len(); begin += chunk {
		all = append(all, func(found []rules.Board) []rules.Board {
			return task(found, set.Boards(begin, min(begin+chunk, set.Len())))
		})
	}
	return all
}
