package coarse

import (
	"context"
	"sync"
	"sync/atomic"

	"versus2048/analysis/proof"
	"versus2048/rules"
)

// Progress says how far a proof has come.
type Progress struct {
	Sum      int   `json:"sum"`      // of the tiles, of the layer that was finished last
	Boards   int64 `json:"boards"`   // in it, one of those that are equal under a symmetry
	Lost     int64 `json:"lost"`     // those of them from which the defender may make its tile
	Computed int64 `json:"computed"` // the boards of all layers so far
}

// Result says what was found.
type Result struct {
	Proven bool `json:"proven"`
	From   int  `json:"from"`  // the sum of tiles from which the attacker wins on every board, if it is proven
	Bound  int  `json:"bound"` // the score is at most this if it is proven
	Progress
}

// Prove goes through the coarse boards of one sum after the other until there is a sum
// whose boards are all won for the attacker, or the sum is 0: then nothing follows.
// progress may be nil; it is called after each layer that has boards. Prove returns
// proof.ErrStopped if ctx ends first, and an error for settings that make no sense.
func Prove(ctx context.Context, c Config, progress func(Progress)) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	g := newGame(c)
	r := Result{Bound: c.Bound()}
	found := map[int]lost{}
	for sum := g.top(); sum >= 0; sum -= 2 {
		all, boards, err := g.lost(ctx, &layer{game: g, sum: sum, two: found[sum+2], four: found[sum+4]})
		if err != nil {
			return r, err
		}
		found[sum] = all
		delete(found, sum+4)
		if boards == 0 {
			continue
		}
		r.Progress = Progress{Sum: sum, Boards: boards, Lost: int64(len(all)), Computed: r.Computed + boards}
		if progress != nil {
			progress(r.Progress)
		}
		if len(all) == 0 && sum < 1<<c.Tile {
			r.Proven, r.From = true, sum
			return r, nil
		}
	}
	return r, nil
}

// game is what all layers share.
type game struct {
	config Config
	placed int   // how many kinds of tiles the attacker has: 2, or 2 and 4
	cells  []int // their numbers on a rules.Board, in the order in which they are filled
	axes   []axis
}

// axis has the lines along which tiles slide one way and back.
type axis struct {
	first, last *lines
	count       int
	transposed  bool // columns are the rows of the transposed board
}

func newGame(c Config) *game {
	g := &game{config: c, placed: 1}
	if c.Rules.Fours() {
		g.placed = 2
	}
	last := int(c.Size.Height) - 1
	for i := range last + 1 {
		y := (i + last) % (last + 1) // the last row, the first one, and the others: see canBeLeast
		for x := range int(c.Size.Width) {
			g.cells = append(g.cells, 4*y+x)
		}
	}
	rows, columns := axis{count: int(c.Size.Height)}, axis{count: int(c.Size.Width), transposed: true}
	rows.first, rows.last = newLines(int(c.Size.Width), c.Large)
	columns.first, columns.last = newLines(int(c.Size.Height), c.Large)
	g.axes = []axis{rows, columns}
	return g
}

// top returns the largest sum of tiles with the attacker to move: one cell is empty.
func (g *game) top() int {
	return g.config.most()<<g.config.Large + (g.config.cells()-1)<<(g.config.Large-1)
}

// lost returns the lost boards of a layer, and how many boards it has.
func (g *game) lost(ctx context.Context, l *layer) (lost, int64, error) {
	parts := l.parts()
	each := make([][]rules.Board, len(parts))
	var next, boards atomic.Int64
	var workers sync.WaitGroup
	for range g.config.Threads {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				var n int64
				each[i], n = l.search(parts[i])
				boards.Add(n)
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, 0, proof.ErrStopped
	}
	all := lost{}
	for _, some := range each {
		for _, b := range some {
			all[b] = struct{}{}
		}
	}
	return all, boards.Load(), nil
}

// parts returns the layer's boards in parts, by the cells of the last row.
func (l *layer) parts() (all []part) {
	for _, c := range l.classes() {
		whole := part{class: c, leftLarge: c.large, leftSmall: c.small}
		l.fill(whole, int(l.config.Size.Width), func(p part) { all = append(all, p) })
	}
	return all
}

// search returns the lost boards of a part, and how many boards it has, one of those that
// are equal under a symmetry.
func (l *layer) search(p part) (all []rules.Board, boards int64) {
	l.fill(p, len(l.cells), func(p part) {
		if p.board.Empty(l.config.Size) == 0 || p.board.Canonical(l.config.Size) != p.board {
			return
		}
		boards++
		if !l.holds(p.board, p.class) {
			all = append(all, p.board)
		}
	})
	return all, boards
}
