package census

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"versus2048/rules"
)

// Settings say what is counted, and with what.
type Settings struct {
	Start     rules.Position // of gpcc2015, either side to move
	Plies     int            // from the start
	Defenders bool           // count the positions with the defender to move, too
	Memory    int64          // bytes to be used, about; at least LeastMemory
	Folder    string         // where layers are kept and what the memory does not hold; none if it is empty
	Small     int64          // layers are kept only if the one before has so many positions
	Keep      bool           // keep all layers, not only the last one
	Workers   int            // goroutines that compute; GOMAXPROCS if it is 0
	Progress  func(Progress) // called some times a second, never twice at once
}

// LeastMemory is the least memory that a census takes, in bytes.
const LeastMemory = 64 << 20

// maxSum is the largest sum of tiles that a census goes to: its tables grow with
// the square.
const maxSum = 4096

// Layer is what there is after some plies, with the attacker to move. Positions
// that equal each other under a symmetry count once.
type Layer struct {
	Plies     int     `json:"plies"`               // of the game
	Positions int64   `json:"positions"`           // with the attacker to move
	Growth    float64 `json:"growth,omitempty"`    // how many times as many as in the layer before, 0 if there is none
	MinScore  int     `json:"min_score"`           // the smallest score among them, 0 if there are none
	MaxScore  int     `json:"max_score"`           // the largest
	Mated     int64   `json:"mated"`               // mated positions a ply before
	Defenders int64   `json:"defenders,omitempty"` // positions a ply before with the defender to move, the mated ones too, if they are counted
	Bytes     int64   `json:"bytes"`               // that the positions take when they are coded
}

// census is one being made.
type census struct {
	Settings
	geometry   *geometry
	halves     *halves
	blocks     blocks
	workers    []*worker
	folder     *folder // nil until it is needed
	runBytes   int64   // of runs in memory
	current    atomic.Pointer[step]
	placements atomic.Int64
}

// Run counts layer by layer. It begins with the start itself, or with the layer a
// ply later if the defender is to move there, and ends early with a layer without
// positions. If the folder holds layers of the same census it goes on from there.
// It returns the layers that are finished, also with an error: one of the folder,
// of the context, or of settings that it can't take.
func Run(ctx context.Context, s Settings) (layers []Layer, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := newCensus(s)
	defer c.report()()
	layers, err = c.run(ctx)
	if c.folder != nil {
		err = errors.Join(err, c.folder.close())
	}
	return layers, err
}

// Check finds out what can't be counted.
func (s Settings) Check() error {
	switch sum := sumOf(s.Start) + s.Plies + 2; {
	case s.Start.Rules() != rules.GPCC2015:
		return fmt.Errorf("a census of %v: want gpcc2015, the only rules whose score follows from the board", s.Start.Rules())
	case s.Plies < 1:
		return fmt.Errorf("%d plies: want at least 1", s.Plies)
	case sum > maxSum:
		return fmt.Errorf("%d plies from %v lead to tiles of sum %d: want at most %d", s.Plies, s.Start, sum, maxSum)
	case s.Memory < LeastMemory:
		return fmt.Errorf("%d bytes of memory: want at least %d MiB", s.Memory, LeastMemory>>20)
	}
	return nil
}

// sumOf is the sum of a position's tiles.
func sumOf(p rules.Position) (sum int) {
	for i := range 16 {
		sum += 1 << p.Exponent(i) &^ 1
	}
	return sum
}

// The memory's parts: half for blocks, an eighth for runs, the rest for layers,
// tables, stages and what waits for the garbage collector.
const (
	blockPart = 2
	runPart   = 8
	layerPart = 16 // there are two layers at a time
)

// The sizes of blocks in ranks. Large ones have longer pieces, which are faster to
// join; there should be some of them.
const (
	leastBlock = 1 << 14
	mostBlock  = 1 << 20
	fewBlocks  = 32
)

func newCensus(s Settings) *census {
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	c := &census{Settings: s, geometry: newGeometry(s.Start.Size()), halves: newHalves((sumOf(s.Start) + s.Plies + 2) / 2)}
	pieces := c.halves.space((sumOf(s.Start) + s.Plies) / 2).pieces()
	c.blocks.ranks = mostBlock
	for c.blocks.ranks > leastBlock && s.Memory/blockPart/blockSize(c.blocks.ranks, pieces) < fewBlocks {
		c.blocks.ranks /= 2
	}
	c.blocks.left = max(1, int(s.Memory/blockPart/blockSize(c.blocks.ranks, pieces)))
	for range s.Workers {
		c.workers = append(c.workers, newWorker(c.blocks.ranks))
	}
	return c
}

func (c *census) run(ctx context.Context) ([]Layer, error) {
	layers, err := c.recorded()
	if err != nil || len(layers) > 0 && layers[len(layers)-1].Plies+2 > c.lastPly() {
		return c.wanted(layers), err
	}
	layer, layers, err := c.begin(layers)
	for err == nil && layer.count > 0 && layers[len(layers)-1].Plies+2 <= c.lastPly() {
		var next *set
		if next, layers, err = c.advance(ctx, layer, layers); err == nil {
			err = layer.store.release()
			layer = next
		}
	}
	return layers, err
}

// lastPly is the ply to which layers are wanted.
func (c *census) lastPly() int { return c.Start.Ply() + c.Plies }

// wanted are the layers up to the last ply.
func (c *census) wanted(layers []Layer) []Layer {
	return slices.DeleteFunc(layers, func(l Layer) bool { return l.Plies > c.lastPly() })
}

// advance makes the next layer and keeps it if it is to be kept.
func (c *census) advance(ctx context.Context, layer *set, layers []Layer) (*set, []Layer, error) {
	next, l, err := c.next(ctx, layer, layers[len(layers)-1].Plies+2)
	if err != nil {
		return nil, layers, err
	}
	l.Growth = float64(l.Positions) / float64(layer.count)
	longer := append(slices.Clip(layers), l)
	if err := c.keep(next, longer); err != nil {
		return nil, layers, errors.Join(err, next.store.release())
	}
	return next, longer, nil
}

// next makes the layer after one, with all its figures but the growth.
func (c *census) next(ctx context.Context, layer *set, plies int) (*set, Layer, error) {
	st, err := c.layerStore(layer, plies)
	if err != nil {
		return nil, Layer{}, err
	}
	next, l, err := c.step(ctx, layer, plies, st)
	if err != nil {
		return nil, l, err
	}
	l.Plies = plies
	l.MinScore, l.MaxScore, err = c.scores(next)
	return next, l, err
}

// begin opens the last layer of those on record, or makes the first one.
func (c *census) begin(recorded []Layer) (*set, []Layer, error) {
	if len(recorded) == 0 {
		return c.first()
	}
	last, err := c.folder.last(c.halves.space(sumOf(c.Start)/2 + len(recorded) - 1))
	return last, recorded, err
}

// first is the layer of the start.
func (c *census) first() (*set, []Layer, error) {
	p := c.Start
	if p.SideToMove() == rules.Attacker {
		layer := newSet(c.halves.space(sumOf(p)/2), c.geometry.canonical(p.Board()))
		return layer, []Layer{{Plies: p.Ply(), Positions: 1, MinScore: p.Score(), MaxScore: p.Score(), Bytes: layer.size}}, nil
	}
	var boards []rules.Board
	for _, m := range p.AppendMoves(nil) {
		boards = append(boards, c.geometry.canonical(p.Next(m).Board()))
	}
	layer := newSet(c.halves.space(sumOf(p)/2), boards...)
	l := Layer{Plies: p.Ply() + 1, Positions: layer.count, Bytes: layer.size}
	if p.Over() {
		l.Mated = 1
	}
	if c.Defenders {
		l.Defenders = 1
	}
	var err error
	l.MinScore, l.MaxScore, err = c.scores(layer)
	return layer, []Layer{l}, err
}
