package census

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/rules"
)

// Config sets the start and the length of a census, and the resources that it may use.
type Config struct {
	Start     rules.Position // of gpcc2015, either side to move
	Plies     int            // number of plies to go from the start
	Defenders bool           // whether to count the positions with the defender to move as well
	Memory    int64          // bytes to use, approximately; at least LeastMemory
	Folder    string         // for layers, and for blocks that exceed the memory; "" for none
	Small     int64          // a layer is kept only if the layer before it has at least this many positions
	Keep      bool           // whether to keep all layers instead of only the last one
	Workers   int            // goroutines that compute; GOMAXPROCS if it is 0
	Progress  func(Progress) // called several times a second, never concurrently; may be nil
}

// LeastMemory is the smallest Config.Memory, in bytes.
const LeastMemory = 64 << 20

// maxSum is the largest sum of tiles that a census can reach: the size of its
// tables grows with the square.
const maxSum = 4096

// Check returns an error for a census that cannot be made: for rules other than
// gpcc2015, less than one ply, too many plies, or too little memory.
func (c Config) Check() error {
	switch most := maxSum - 2 - c.Start.Sum(); {
	case c.Start.Rules() != rules.GPCC2015:
		return fmt.Errorf("a census of %v: want gpcc2015, the only rules where the score follows from the board", c.Start.Rules())
	case c.Plies < 1:
		return fmt.Errorf("%d plies: want at least 1", c.Plies)
	case c.Plies > most:
		return fmt.Errorf("%d plies from %v: want at most %d; on a small board the census ends with its longest game", c.Plies, c.Start, most)
	case c.Memory < LeastMemory:
		return fmt.Errorf("%d bytes of memory: want at least %d MiB", c.Memory, LeastMemory>>20)
	}
	return nil
}

// lastPly returns the last ply to count, from the beginning of the game.
func (c Config) lastPly() int { return c.Start.Ply() + c.Plies }

// Layer describes all positions after a number of plies with the attacker to move.
// Positions that equal each other under a symmetry count once.
type Layer struct {
	Plies     int     `json:"plies"`               // of the game
	Positions int64   `json:"positions"`           // with the attacker to move
	Growth    float64 `json:"growth,omitempty"`    // Positions divided by the Positions of the layer before; 0 in the first layer
	MinScore  int     `json:"min_score"`           // the smallest score of a position, 0 if there are none
	MaxScore  int     `json:"max_score"`           // the largest score
	Mated     int64   `json:"mated"`               // mated positions one ply earlier
	Defenders int64   `json:"defenders,omitempty"` // all positions one ply earlier, mated ones included, if they are counted
	Bytes     int64   `json:"bytes"`               // size of the coded positions
}

// Progress is the state of a running census.
type Progress struct {
	Plies      int           // of the layer that is being made
	LastPlies  int           // of the last layer
	Expanded   int64         // positions of the previous layer that have been expanded: their successors are collected
	Positions  int64         // of the previous layer
	InLayer    time.Duration // since this layer was started
	Placements int64         // made since the census was started or resumed
	Elapsed    time.Duration // since the census was started or resumed
}

// Run counts layer by layer. It begins with the start itself, or with the layer one
// ply later if the defender is to move there, and ends early after a layer without
// positions. If the folder holds layers of the same census, it resumes after the
// last one. It returns the finished layers, also together with an error: the error of
// Config.Check, of the folder or of the context.
func Run(ctx context.Context, config Config) (layers []Layer, err error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	c := newCensus(config)
	defer c.startReporting()()
	layers, err = c.run(ctx)
	if c.folder != nil {
		err = errors.Join(err, c.folder.close())
	}
	return layers, err
}

// census is a census in progress.
type census struct {
	config     Config
	geometry   *geometry
	halves     *halves
	blocks     blocks
	workers    []*worker
	folder     *folder // nil until needFolder
	runBytes   int64   // size of the runs in memory
	current    atomic.Pointer[step]
	placements atomic.Int64
}

// The division of the memory: half for blocks, an eighth for runs, the rest for
// layers, tables, stages and garbage that is not yet collected.
const (
	blockPart = 2
	runPart   = 8
	layerPart = 16 // there are two layers at a time
)

// The sizes of blocks in ranks. Large blocks have longer pieces, which are faster to
// join, but there should be at least fewBlocks of them.
const (
	leastBlock = 1 << 14
	mostBlock  = 1 << 20
	fewBlocks  = 32
)

func newCensus(config Config) *census {
	if config.Workers == 0 {
		config.Workers = runtime.GOMAXPROCS(0)
	}
	sum := config.Start.Sum() + config.Plies
	c := &census{config: config, geometry: newGeometry(config.Start.Size()), halves: newHalves((sum + 2) / 2)}
	pieces, memory := c.halves.space(sum/2).pieces(), config.Memory/blockPart
	c.blocks.ranks = mostBlock
	for c.blocks.ranks > leastBlock && memory/blockSize(c.blocks.ranks, pieces) < fewBlocks {
		c.blocks.ranks /= 2
	}
	c.blocks.limit = max(1, int(memory/blockSize(c.blocks.ranks, pieces)))
	for range config.Workers {
		c.workers = append(c.workers, newWorker(c.blocks.ranks))
	}
	return c
}

func (c *census) run(ctx context.Context) (layers []Layer, err error) {
	layers, err = c.recorded()
	if err != nil || len(layers) > 0 && layers[len(layers)-1].Plies+2 > c.config.lastPly() {
		return c.wanted(layers), err
	}
	layer, layers, err := c.begin(layers)
	if err != nil {
		return layers, err
	}
	defer func() { err = errors.Join(err, layer.store.release()) }()
	for err == nil && layer.count > 0 && layers[len(layers)-1].Plies+2 <= c.config.lastPly() {
		var next *set
		if next, layers, err = c.advance(ctx, layer, layers); err == nil {
			err = layer.store.release()
			if c.folder != nil {
				err = errors.Join(err, c.folder.removeLayers())
			}
			layer = next
		}
	}
	return layers, err
}

// wanted returns the layers up to the last ply.
func (c *census) wanted(layers []Layer) []Layer {
	return slices.DeleteFunc(layers, func(l Layer) bool { return l.Plies > c.config.lastPly() })
}

// begin opens the last of the recorded layers, or makes the first layer.
func (c *census) begin(recorded []Layer) (*set, []Layer, error) {
	if len(recorded) == 0 {
		return c.first()
	}
	last, err := c.folder.last(c.halves.space(c.config.Start.Sum()/2 + len(recorded) - 1))
	return last, recorded, err
}

// first makes the layer of the start.
func (c *census) first() (*set, []Layer, error) {
	p := c.config.Start
	start := c.halves.space(p.Sum() / 2)
	if p.SideToMove() == rules.Attacker {
		layer := newSet(start, c.geometry.canonical(p.Board()))
		return layer, []Layer{{Plies: p.Ply(), Positions: 1, MinScore: p.Score(), MaxScore: p.Score(), Bytes: layer.size}}, nil
	}
	var boards []rules.Board
	for _, m := range p.AppendMoves(nil) {
		boards = append(boards, c.geometry.canonical(p.Next(m).Board()))
	}
	layer := newSet(start, boards...)
	l := Layer{Plies: p.Ply() + 1, Positions: layer.count, Bytes: layer.size}
	if p.Over() {
		l.Mated = 1
	}
	if c.config.Defenders {
		l.Defenders = 1
	}
	var err error
	l.MinScore, l.MaxScore, err = c.scores(layer)
	return layer, []Layer{l}, err
}

// advance makes the next layer, and keeps it if it should be kept.
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

// next makes the next layer, and its description except for the growth.
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
	if l.MinScore, l.MaxScore, err = c.scores(next); err != nil {
		return nil, l, errors.Join(err, next.store.release())
	}
	return next, l, nil
}

// scores returns the smallest and the largest score of a layer, 0 if it has no
// positions. As only 2s are placed, a board's potential is its score.
func (c *census) scores(layer *set) (least, most int, err error) {
	var mu sync.Mutex
	todo := counter{limit: layer.space.pieces()}
	seen := false
	err = withAll(c.workers, func(w *worker) (err error) {
		at := cursor{space: layer.space}
		for i, ok := todo.take(); ok; i, ok = todo.take() {
			if w.numbers, err = layer.appendPiece(w.numbers[:0], i, &w.joiner.buffer); err != nil {
				return err
			}
			if len(w.numbers) == 0 {
				continue
			}
			low, high := at.potentials(uint64(i)<<layer.space.shift, w.numbers)
			mu.Lock()
			if !seen {
				least, most, seen = low, high, true
			}
			least, most = min(least, low), max(most, high)
			mu.Unlock()
		}
		return nil
	})
	return least, most, err
}

// progressInterval is the time between two reports of progress.
const progressInterval = 200 * time.Millisecond

// startReporting starts to report progress in the background. It returns a function that
// stops the reports.
func (c *census) startReporting() (stop func()) {
	if c.config.Progress == nil {
		return func() {}
	}
	began, quit := time.Now(), make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				c.reportProgress(time.Since(began))
			case <-quit:
				return
			}
		}
	})
	return func() { close(quit); reporter.Wait() }
}

func (c *census) reportProgress(elapsed time.Duration) {
	if s := c.current.Load(); s != nil {
		c.config.Progress(Progress{
			Plies: s.plies, LastPlies: c.config.lastPly(), Expanded: s.expanded.Load(), Positions: s.layer.count,
			InLayer: time.Since(s.began), Placements: c.placements.Load(), Elapsed: elapsed,
		})
	}
}
