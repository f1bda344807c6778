package retrograde

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"versus2048/internal/parallel"
	"versus2048/players/exact"
	"versus2048/rules"
)

// Solution is a solved game.
type Solution struct {
	*exact.Table
	Layers []Layer // by sum of tiles, from the empty board
}

// Progress is the progress of Solve or SolveCapped.
type Progress struct {
	Solving bool  // false while the states are enumerated
	Sum     int   // the sum of tiles that was finished last
	Largest int   // an upper bound of the sums on the board
	Done    int   // the attacker's positions that are enumerated or, later, solved
	Total   int   // the attacker's positions to solve; 0 while they are enumerated
	Bytes   int64 // the memory for the enumeration, or for the layers of SolveCapped; 0 while Solve solves positions
}

// Solve computes the value of every position that can be reached from the empty board, on all processors. It calls
// report, unless it is nil, after each layer. It returns an error for a board of more than 9 cells, and the cause of
// ctx when ctx ends.
//
// The method is Yamashita's (2023): every placement increases the sum of tiles. The states of one sum are therefore
// enumerated from the states of the two sums before, and then solved from the states of the two sums after.
func Solve(ctx context.Context, r rules.Ruleset, s rules.Size, report func(Progress)) (*Solution, error) {
	g := exact.Game{Rules: r, Size: s}
	if err := exact.Solvable(s); err != nil {
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

// enumerate finds all states, and returns the boards with the attacker to move.
func enumerate(ctx context.Context, g exact.Game, report func(Progress)) (layers []Layer, boards []*parts) {
	e, progress := newEnumeration(ctx, g), Progress{Largest: g.LargestSum()}
	for more := true; more; more = e.next() {
		layers, boards = append(layers, e.layer), append(boards, e.attackers[0])
		progress.Sum, progress.Done = e.layer.Sum, progress.Done+e.layer.Attacker
		progress.Bytes = int64(8*progress.Done) + e.bytes()
		report(progress)
	}
	return layers, boards
}

// solve solves the layers by falling sums. While it solves one layer, goroutines sort the layer to be solved next, and
// pack the solved layers into the table.
func solve(ctx context.Context, g exact.Game, boards []*parts, report func(Progress)) *exact.Table {
	table, solver := exact.NewBuilder(g, len(boards)), solver{game: g, ctx: ctx, tick: g.Tick()}
	progress := Progress{Solving: true, Largest: g.LargestSum()}
	for _, b := range boards {
		progress.Total += b.count()
	}
	var packing sync.WaitGroup
	defer packing.Wait()
	sorted := sortLayers(ctx, boards)
	for i := len(boards) - 1; i >= 0; i-- {
		w, ok := <-sorted
		if !ok {
			break
		}
		solver.solve(w)
		packing.Go(func() { table.Add(2*i, w.boards, w.ith) })
		progress.Sum, progress.Done = 2*i, progress.Done+len(w.boards)
		report(progress)
	}
	return table.Table()
}

// sortLayers sorts the layers for solve, by falling sums, and drops their unsorted boards. It ends early when ctx does.
func sortLayers(ctx context.Context, boards []*parts) <-chan *worths {
	sorted := make(chan *worths, 1)
	go func() {
		defer close(sorted)
		for i := len(boards) - 1; i >= 0 && ctx.Err() == nil; i-- {
			select {
			case sorted <- newWorths(boards[i]):
				boards[i] = nil
			case <-ctx.Done():
			}
		}
	}()
	return sorted
}

// solver solves layers in the order of decreasing sums.
type solver struct {
	game  exact.Game
	ctx   context.Context
	tick  exact.Worth // what each turn adds to a worth: see exact.Game.Tick
	after [2]*worths  // the attacker's boards with the sum that is larger by 2, and by 4
}

// portion is the number of boards that a worker takes at a time.
const portion = 512

// solve computes the worths of the next lower sum.
func (s *solver) solve(w *worths) {
	n := len(w.boards)
	parallel.Each(s.ctx, runtime.GOMAXPROCS(0), (n+portion-1)/portion, func(_, p int) {
		for i := p * portion; i < min(n, (p+1)*portion); i++ {
			w.set(i, s.placement(w.boards[i]))
		}
	})
	s.after[0], s.after[1] = w, s.after[0]
}

// placement returns the worth of a board with the attacker, or chance, to move.
func (s *solver) placement(b rules.Board) exact.Worth {
	if s.game.Rules.Chance() {
		return s.expected(b)
	}
	least := exact.Worth(1 << 30)
	for empty := b.Empty(s.game.Size); empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		least = min(least, s.slide(b|two, s.after[0]))
		if s.game.Rules.Fours() {
			least = min(least, s.slide(b|two<<1, s.after[1]))
		}
	}
	return least
}

// expected returns the mean over the empty cells. A 2 is drawn with 90 % and a 4 with 10 %.
func (s *solver) expected(b rules.Board) exact.Worth {
	sum, cells := exact.Worth(0), 0
	for empty := b.Empty(s.game.Size); empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		sum += 0.9*s.slide(b|two, s.after[0]) + 0.1*s.slide(b|two<<1, s.after[1])
		cells++
	}
	return sum / exact.Worth(cells)
}

// slide returns the worth of a board with the defender to move, 0 if it is mated.
func (s *solver) slide(b rules.Board, after *worths) exact.Worth {
	most, before := exact.Worth(0), b.Potential()
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(s.game.Size, m); slid != b {
			gain := exact.Worth(slid.Potential() - before)
			most = max(most, after.of(slid.Canonical(s.game.Size))+gain+s.tick)
		}
	}
	return most
}

// worths holds the attacker's boards of one sum in order, and their worths in a hash
// table by board with open addressing.
type worths struct {
	boards []rules.Board
	at     []uint32 // the slot of each board
	slots  []slot
	shift  int
}

type slot struct {
	board rules.Board // with the occupied bit set
	worth exact.Worth
}

// occupied is set in the board of each slot in use, so that 0 stands for no board.
// Boards of at most 12 cells do not use this bit.
const occupied = 1 << 63

// newWorths sorts the boards. Their worths are not set yet.
func newWorths(layer *parts) *worths {
	w := &worths{boards: slices.Concat(layer[:]...)}
	slices.Sort(w.boards)
	log := bits.Len(uint(2 * len(w.boards)))
	w.slots, w.shift = make([]slot, 1<<log), 64-log
	w.at = make([]uint32, len(w.boards))
	for i, b := range w.boards {
		w.at[i] = uint32(w.slot(b))
		w.slots[w.at[i]].board = b | occupied
	}
	return w
}

// slot returns the slot where b is, or would be.
func (w *worths) slot(b rules.Board) int {
	i, mask := int(hash(b)>>w.shift), len(w.slots)-1
	for w.slots[i].board != 0 && w.slots[i].board != b|occupied {
		i = (i + 1) & mask
	}
	return i
}

// of returns the worth of a board, which must be present.
func (w *worths) of(b rules.Board) exact.Worth { return w.slots[w.slot(b)].worth }

// ith returns the worth of the i-th board.
func (w *worths) ith(i int) exact.Worth { return w.slots[w.at[i]].worth }

// set sets the worth of the i-th board.
func (w *worths) set(i int, value exact.Worth) { w.slots[w.at[i]].worth = value }
