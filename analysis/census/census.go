package census

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

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
