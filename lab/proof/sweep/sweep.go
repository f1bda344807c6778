package sweep

import (
	"context"
	"fmt"
	"sync/atomic"

	"versus2048/internal/parallel"
	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// Config has the settings of a sweep: the game and the resources.
type Config struct {
	Rules   rules.Ruleset // not solo, which has no attacker
	Size    rules.Size    // at most MostCells cells
	Ceiling int           // points, 4 to MostCeiling: scores below it are found exactly
	Threads int           // number of goroutines that compute, at least 1; the result does not depend on it
	State   string        // a directory that keeps all layers, or "" for none; it is made if it does not exist
}

// MostCells is the number of cells of the largest board that can be swept.
const MostCells = 12

// MostCeiling is the largest ceiling, in points. A layer has one byte for each board: its further gain, in units.
const MostCeiling = (most - 1) * unit

// Validate returns an error for settings that make no sense.
func (c Config) Validate() error {
	switch {
	case c.Rules.Chance():
		return fmt.Errorf("%v has no attacker: nothing can be proven, want gpcc2015 or gpcc2016", c.Rules)
	case c.Size.Cells() > MostCells:
		return fmt.Errorf("a sweep of %v would go through more than 10^11 boards: want at most %d cells", c.Size, MostCells)
	case c.Ceiling < unit || c.Ceiling > MostCeiling:
		return fmt.Errorf("ceiling %d: want %d to %d points", c.Ceiling, unit, MostCeiling)
	case c.Threads < 1:
		return fmt.Errorf("%d threads: want at least 1", c.Threads)
	}
	return nil
}

// A Sweep is the exact analysis of a game up to a ceiling. It is not safe for concurrent use.
type Sweep struct {
	config   Config
	geometry *geometry
	store    store
	lefts    []code // the left halves, in the order of computation
	progress Progress
	defender map[int]*layer // by sum: the layers with the defender to move that are still needed
	score    int            // in units; the ceiling or more if the defender reaches the ceiling
}

// Progress is the state of a running sweep.
type Progress struct {
	Sum       int   `json:"sum"`      // the sum of the tiles in the layer that was finished last; the last layer has 0
	Places    int64 `json:"places"`   // boards in the finished layers, every symmetric image counted
	AllPlaces int64 `json:"of"`       // boards in all layers
	Computed  int64 `json:"computed"` // boards with either side to move; a board and its geometry.images count once
}

// Open returns a sweep that has not begun. If the state's directory has layers, the sweep
// continues from them. It returns an error for settings that make no sense, and a
// *proof.StateError for a directory in use. The caller closes the Sweep.
func Open(c Config) (*Sweep, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Sweep{config: c, geometry: newGeometry(c.Rules, c.Size, (c.Ceiling+unit-1)/unit), defender: map[int]*layer{}}
	for _, list := range s.geometry.left.bySum {
		s.lefts = append(s.lefts, list...)
	}
	for sum := s.geometry.top(); sum >= 0; sum -= 2 {
		s.progress.AllPlaces += s.geometry.places(sum)
	}
	var err error
	s.store, err = openStore(c, s.geometry)
	return s, err
}

// Close releases the layers that are mapped into memory, and the directory. The sweep must not be used afterwards.
func (s *Sweep) Close() error { return s.store.close() }

// Progress returns the state of the sweep.
func (s *Sweep) Progress() Progress { return s.progress }

// Memory returns the approximate memory of a sweep in bytes: four layers, one of them with the attacker to move and
// three with the defender to move.
func (s *Sweep) Memory() int64 {
	largest := int64(0)
	for sum := s.geometry.top(); sum >= 0; sum -= 2 {
		largest = max(largest, s.geometry.places(sum))
	}
	return 4 * largest
}

// Run goes through all layers, and computes the layers that the state does not have yet. It calls progress, which may be
// nil, after each layer. Run returns proof.ErrStopped if ctx ends first, and the errors of the state, such as a
// *proof.StateError for a damaged layer. After ErrStopped, Run can be called again: the state's directory has the
// finished layers.
func (s *Sweep) Run(ctx context.Context, progress func(Progress)) error {
	s.progress.Places = 0
	for sum := s.geometry.top(); sum >= 0; sum -= 2 {
		attacker, err := s.store.load(sum)
		if err == nil && attacker == nil {
			attacker, err = s.attackerLayer(ctx, sum)
		}
		if err != nil {
			return err
		}
		if sum == 0 { // the layer of the empty board; other layers may have no boards
			s.score = int(attacker.values[0])
		}
		s.progress.Sum = sum
		s.progress.Places += int64(len(attacker.values))
		if progress != nil {
			progress(s.progress)
		}
	}
	clear(s.defender)
	return nil
}

// attackerLayer computes the values of the boards of a sum with the attacker to move and saves them. Then it computes
// the values with the defender to move.
func (s *Sweep) attackerLayer(ctx context.Context, sum int) (*layer, error) {
	two, err := s.defenderLayer(ctx, sum+2)
	if err != nil {
		return nil, err
	}
	var four *layer
	if s.config.Rules.Fours() {
		if four, err = s.defenderLayer(ctx, sum+4); err != nil {
			return nil, err
		}
	}
	l := s.geometry.newLayer(sum)
	err = s.compute(ctx, l, func(left, right code) byte { return worst(two, four, left, right, l.geometry) })
	if err != nil {
		return nil, err
	}
	if err := s.store.save(l); err != nil {
		return nil, err
	}
	if _, err := s.computeDefender(ctx, l); err != nil {
		return nil, err
	}
	delete(s.defender, sum+4)
	return l, nil
}

// defenderLayer returns the values of the boards of a sum with the defender to move. It returns nil for a sum above all
// layers: the tiles of such boards are worth the ceiling or more.
func (s *Sweep) defenderLayer(ctx context.Context, sum int) (*layer, error) {
	if l := s.defender[sum]; l != nil || sum > s.geometry.top() {
		return l, nil
	}
	attacker, err := s.store.load(sum)
	if err != nil {
		return nil, err
	}
	return s.computeDefender(ctx, attacker)
}

// computeDefender computes the values with the defender to move from the values of the same sum with the attacker
// to move, and keeps them in memory.
func (s *Sweep) computeDefender(ctx context.Context, attacker *layer) (*layer, error) {
	l := s.geometry.newLayer(attacker.sum)
	if err := s.compute(ctx, l, attacker.best); err != nil {
		return nil, err
	}
	s.defender[attacker.sum] = l
	return l, nil
}

// compute computes the values of a layer, with all threads.
func (s *Sweep) compute(ctx context.Context, l *layer, value func(left, right code) byte) error {
	var computed atomic.Int64
	parallel.Each(ctx, s.config.Threads, len(s.lefts), func(_, i int) {
		computed.Add(int64(l.fill(s.lefts[i], value)))
	})
	s.progress.Computed += computed.Load()
	if ctx.Err() != nil {
		return proof.ErrStopped
	}
	return nil
}

// worst returns the gain that is left to the defender after the attacker's best placement.
func worst(two, four *layer, left, right code, g *geometry) byte {
	least := byte(most)
	height := int(g.size.Height)
	for cell := range height * g.left.columns {
		if cellOf(left, cell) == 0 {
			tile := code(1) << (bitsOfCell * cell)
			least = min(least, two.at(left|tile, right), four.at(left|tile<<1, right))
		}
	}
	for cell := range height * g.right.columns {
		if cellOf(right, cell) == 0 {
			tile := code(1) << (bitsOfCell * cell)
			least = min(least, two.at(left, right|tile), four.at(left, right|tile<<1))
		}
	}
	return least
}

// best returns the defender's gain from a board with the defender to move. l has the values of the same sum with the
// attacker to move.
func (l *layer) best(left, right code) byte {
	gain := 0
	l.slides(left, right, func(a answer) {
		if a.gain < reached {
			a.gain += int(l.at(a.left, a.right))
		}
		gain = max(gain, a.gain)
	})
	return byte(min(gain, most)) // #nosec G115 -- 255 at most
}

// Score returns the score under perfect play from the empty board, in points, and true. If the defender gets the ceiling
// or more, Score returns the ceiling and false. Run must have ended without an error.
func (s *Sweep) Score() (score int, exact bool) {
	return min(s.score, s.geometry.ceiling) * unit, s.score < s.geometry.ceiling
}

// Known returns bounds of the gain still to come from b with the attacker to move, in points. The upper bound may
// be proof.Unbounded. The sweep must have a State and be finished. Known returns an error if the layer of b is
// missing.
//
// The sweep ends where the tiles are worth the ceiling. A defender that gets there from b has then gained at least
// the ceiling minus the worth of the tiles of b. So the lower bound is never above this difference.
func (s *Sweep) Known(b rules.Board) (low, high int, err error) {
	worth := s.geometry.worthOf(b)
	if worth >= s.geometry.ceiling {
		return 0, proof.Unbounded, nil
	}
	l, err := s.store.load(b.Sum())
	if err != nil {
		return 0, 0, err
	}
	if l == nil {
		return 0, 0, fmt.Errorf("the sweep has no layer of sum %d", b.Sum())
	}
	left, right := s.geometry.split(b, s.config.Size)
	v := int(l.at(left, right))
	low, high = min(v, s.geometry.ceiling-worth)*unit, v*unit
	if v == most {
		high = proof.Unbounded
	}
	return low, high, nil
}

// Decide reports whether the gain from a board is at least goal, in points. It returns the error of Known, and an error
// if the goal is between the bounds that Known returns.
func (s *Sweep) Decide(b rules.Board, goal int) (bool, error) {
	low, high, err := s.Known(b)
	switch {
	case err != nil || low >= goal:
		return true, err
	case high < goal:
		return false, nil
	}
	return false, fmt.Errorf("a sweep up to %d points does not decide a gain of %d: sweep with a larger ceiling", s.geometry.ceiling*unit, goal)
}

// Extract calls emit for the positions that prove a claim, as proof.Extract does.
func (s *Sweep) Extract(ctx context.Context, claim proof.Claim, emit func(certificate.Covered) error) error {
	return proof.Extract(ctx, s.config.Rules, s.config.Size, s, claim, emit)
}
