package tidy

import (
	"context"
	"errors"
	"fmt"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// Progress is the progress of a proof.
type Progress struct {
	Sum      int   `json:"sum"`     // of the tiles, in the layer that was finished last
	FirstSum int   `json:"of"`      // of the tiles, in the first layer, which has the largest sum
	Boards   int64 `json:"boards"`  // the won boards of the layer; boards equal under a symmetry count once
	Won      int64 `json:"won"`     // the won boards of all layers
	Decided  int64 `json:"decided"` // the examined boards, won or not, without the layers that the state had before
}

// Result says whether the empty board is won.
type Result struct {
	Proven bool `json:"proven"` // whether the empty board is won
	Score  int  `json:"score"`  // the largest score of the board, which the defender forces if Proven
	Progress
}

// Prove finds the tidy boards that are won: boards where the defender forces the largest score. It goes through
// the sums of tiles, from the largest down to the empty board. progress may be nil; it is called after each
// layer. If there is a layer without won boards, nothing is proven. Prove returns proof.ErrStopped
// if ctx ends first, a *proof.StateError for a state that is damaged, belongs to something else or is in use,
// and an error for settings that make no sense and for too little memory.
func Prove(ctx context.Context, c Config, progress func(Progress)) (r Result, err error) {
	p, err := Open(c)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return p.Run(ctx, progress)
}

// A Proof has the won tidy boards of a size, as far as they are found. It is not safe for concurrent use.
type Proof struct {
	*game
	state  *proof.LayerState     // or nil
	places map[int][2]int64      // by sum: the offsets of its layer's begin and end in the state
	next   int                   // the sum of the next layer
	won    *certificate.BoardSet // the layer that was found last; nil before the first
	result Result

	// open has the layers that isWon has read from the state, by their sums.
	open map[int]*certificate.BoardSet
}

// Open reads the state, if there is one. The caller closes the Proof.
func Open(c Config) (*Proof, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	p := &Proof{game: newGame(c), places: map[int][2]int64{}, next: c.top(), open: map[int]*certificate.BoardSet{}}
	p.result = Result{Score: c.Score(), Progress: Progress{FirstSum: c.top()}}
	if c.State == "" {
		return p, nil
	}
	begin := int64(len(c.firstLine()))
	var last []rules.Board
	state, err := proof.OpenLayers(c.State, c.Size, c.firstLine(), func(l certificate.Layer, end int64) error {
		p.places[l.Sum], begin = [2]int64{begin, end}, end
		p.count(l)
		last = l.Boards
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.state = state
	if len(p.places) > 0 {
		p.won = certificate.NewBoardSet(last)
	}
	return p, nil
}

// Close closes the state.
func (p *Proof) Close() error {
	if p.state == nil {
		return nil
	}
	return p.state.Close()
}

// Run finds the layers that the state does not have yet, as Prove does.
func (p *Proof) Run(ctx context.Context, progress func(Progress)) (Result, error) {
	for p.next > 0 && (p.won == nil || p.won.Len() > 0) {
		if err := p.step(ctx); err != nil {
			return p.result, err
		}
		if progress != nil {
			progress(p.result.Progress)
		}
	}
	if p.next == 0 {
		p.result.Proven = p.wins(0, p.won)
	}
	return p.result, nil
}

// step finds the next layer.
func (p *Proof) step(ctx context.Context) error {
	l := certificate.Layer{Sum: p.next}
	if p.won == nil {
		l.Boards = p.chains()
	} else {
		var err error
		if l.Boards, err = p.decide(ctx); err != nil {
			return err
		}
	}
	p.won = certificate.NewBoardSet(l.Boards)
	if p.state != nil && len(l.Boards) > 0 {
		end, err := p.state.Add(l)
		if err != nil {
			return err
		}
		p.places[l.Sum] = [2]int64{p.places[l.Sum+2][1], end}
		if l.Sum == p.config.top() {
			p.places[l.Sum] = [2]int64{int64(len(p.config.firstLine())), end}
		}
	}
	p.count(l)
	return nil
}

// decide finds the boards of the next layer that may be won, and returns the won ones among them.
func (p *Proof) decide(ctx context.Context) ([]rules.Board, error) {
	candidates, err := proof.Collect(ctx, p.config.Threads, proof.ChunksOf(p.won, p.before))
	if err != nil {
		return nil, proof.ErrStopped
	}
	if need := p.won.Bytes() + int64(8*len(candidates)); p.config.Memory > 0 && need > p.config.Memory {
		return nil, fmt.Errorf("the boards of sum %d take %d bytes, more than the %d that are allowed", p.next, need, p.config.Memory)
	}
	won, err := proof.Collect(ctx, p.config.Threads, proof.Chunks(candidates, p.winning))
	if err != nil {
		return nil, proof.ErrStopped
	}
	p.result.Decided += int64(len(candidates))
	return won, nil
}

// count adds a layer to the result.
func (p *Proof) count(l certificate.Layer) {
	p.next = l.Sum - 2
	p.result.Sum, p.result.Boards = l.Sum, int64(len(l.Boards))
	p.result.Won += int64(len(l.Boards))
}

// before appends the tidy boards where a 2 on the first empty cell and a slide may lead to one of boards.
func (p *Proof) before(found, boards []rules.Board) []rules.Board {
	add := func(b rules.Board) {
		if p.tidy(b) {
			found = append(found, b)
		}
	}
	for _, b := range boards {
		p.origins.Each(b, func(after rules.Board) { p.twos.Before(after, add) })
	}
	return found
}

// winning appends the won boards among some boards: the boards where every 2 has an answer that leads to p.won.
func (p *Proof) winning(found, boards []rules.Board) []rules.Board {
	for _, b := range boards {
		if p.wins(b, p.won) {
			found = append(found, b)
		}
	}
	return found
}
