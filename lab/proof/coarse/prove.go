package coarse

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// Progress is the progress of a proof.
type Progress struct {
	Sum      int   `json:"sum"`      // the sum of the tiles in the layer that was finished last
	Boards   int64 `json:"boards"`   // the boards decided in this layer; boards that are equal under a symmetry count once
	Lost     int64 `json:"lost"`     // the lost boards among these: the defender may make a tile of 2^Tile
	Computed int64 `json:"computed"` // the boards decided in all layers that were computed so far
	AllLost  int64 `json:"all_lost"` // the lost boards in all layers so far, including the layers of the state
}

// Result says whether the claim is proven, and names the sum of tiles that proves it.
type Result struct {
	Proven bool `json:"proven"`
	From   int  `json:"from"`  // the attacker wins on every board with this sum of tiles, if Proven
	Bound  int  `json:"bound"` // the score is at most this, if Proven
	Progress
}

// Prove goes through the layers by falling sums. It ends at a sum below 2^Tile where the attacker wins on all boards.
// If there is no such sum down to 0, nothing is proven. Prove calls found for each layer with lost boards, also for the
// layers of the state, but not for the sum 0. It calls progress after each computed layer, except for layers of large
// sums without boards to decide. Both functions may be nil. Prove returns proof.ErrStopped if ctx ends first, and a
// *proof.StateError for a state that is damaged, belongs to something else or is in use. It also returns errors for
// settings that make no sense, for too little memory, and from found.
func Prove(ctx context.Context, c Config, found func(certificate.Layer) error, progress func(Progress)) (r Result, err error) {
	if err := c.Validate(); err != nil {
		return r, err
	}
	p := &prover{game: newGame(c), layers: map[int]*certificate.BoardSet{}, found: found, progress: progress, result: Result{Bound: c.Bound()}}
	p.next = p.top()
	if c.State != "" {
		kept, err := proof.OpenLayers(c.State, c.Size, c.firstLine(), func(l certificate.Layer, _ int64) error { return p.add(l) })
		if err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, kept.Close()) }()
		p.state = kept
	}
	err = p.run(ctx)
	return p.result, err
}

// prover goes through the layers.
type prover struct {
	*game
	layers   map[int]*certificate.BoardSet // the lost boards of the last sums; a layer without any may be missing
	next     int                           // the sum of the next layer
	found    func(certificate.Layer) error
	state    *proof.LayerState // or nil
	progress func(Progress)
	result   Result
}

func (p *prover) run(ctx context.Context) error {
	for sum := p.next; sum >= 0; sum -= 2 {
		all, boards, err := p.lost(ctx, &layer{game: p.game, sum: sum, two: p.layer(sum + 2), four: p.layer(sum + 4)})
		if err != nil {
			return err
		}
		if boards == 0 && sum+4 >= 1<<p.config.Tile {
			continue
		}
		if err := p.keep(certificate.Layer{Sum: sum, Boards: all}); err != nil {
			return err
		}
		p.result.Progress = Progress{Sum: sum, Boards: boards, Lost: int64(len(all)), Computed: p.result.Computed + boards, AllLost: p.result.AllLost}
		if p.progress != nil {
			p.progress(p.result.Progress)
		}
		if len(all) == 0 && sum < 1<<p.config.Tile {
			p.result.Proven, p.result.From = true, sum
			return nil
		}
	}
	return nil
}

// keep adds a computed layer to the layers, and stores it if it has lost boards. Of the last layer, sum 0, it only
// counts the lost boards: no layer is computed from it, and in a file a sum of 0 marks the end.
func (p *prover) keep(l certificate.Layer) error {
	if l.Sum == 0 {
		p.result.AllLost += int64(len(l.Boards))
		return nil
	}
	if len(l.Boards) > 0 && p.state != nil {
		if _, err := p.state.Add(l); err != nil {
			return err
		}
	}
	return p.add(l)
}

func (p *prover) layer(sum int) *certificate.BoardSet {
	if l := p.layers[sum]; l != nil {
		return l
	}
	return certificate.NewBoardSet(nil)
}

// add keeps a layer for the computation of the next ones, and calls found if it has lost boards.
func (p *prover) add(l certificate.Layer) error {
	maps.DeleteFunc(p.layers, func(sum int, _ *certificate.BoardSet) bool { return sum > l.Sum+2 })
	p.layers[l.Sum] = certificate.NewBoardSet(l.Boards)
	p.next = l.Sum - 2
	p.result.AllLost += int64(len(l.Boards))
	if len(l.Boards) == 0 || p.found == nil {
		return nil
	}
	return p.found(l)
}

// lost returns the lost boards of a layer, in ascending order, and the number of boards that were decided to find
// them. It returns an error if the boards take too much memory, and proof.ErrStopped if ctx ends first.
func (g *game) lost(ctx context.Context, l *layer) ([]rules.Board, int64, error) {
	candidates, err := proof.Collect(ctx, g.config.Threads, l.tasks())
	if err != nil {
		return nil, 0, proof.ErrStopped
	}
	need := l.two.Bytes() + l.four.Bytes() + int64(8*len(candidates))
	if g.config.Memory > 0 && need > g.config.Memory {
		return nil, 0, fmt.Errorf("the undecided boards of sum %d and the lost boards of the two sums above take %d bytes, more than the %d that are allowed", l.sum, need, g.config.Memory)
	}
	all, err := proof.Collect(ctx, g.config.Threads, proof.Chunks(candidates, l.lost))
	if err != nil {
		return nil, 0, proof.ErrStopped
	}
	return all, int64(len(candidates)), nil
}
