package proof

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/rules"
)

// Config sets the game to be searched, and the resources.
type Config struct {
	Rules   rules.Ruleset // not solo, which has no attacker
	Size    rules.Size
	Memory  int64  // bytes for the table, LeastMemory to 64 TiB
	Threads int    // number of goroutines that search, at least 1; one alone searches the same way every time
	State   string // a file that keeps the table, or "" for none; it is made if it does not exist
}

// LeastMemory is the smallest memory for a table, in bytes.
const LeastMemory = 1 << 16

// mostMemory is the largest memory for a table. With more, a process could run out of addresses.
const mostMemory = 1 << 46

// MostScore is the largest score that a claim may have. This package cannot merge two tiles of 32768, and no 4x4 game
// with a lower score has two of them.
const MostScore = 1 << 19

// ErrStopped is the error for a search that ended with its context, before the claim was decided.
var ErrStopped = errors.New("the search was stopped before the claim was decided")

// A Prover decides claims about the game from the empty board. It is not safe for concurrent use.
type Prover struct {
	searchers []*searcher
	table     *table
	found     bounds // of the empty board; the table may lose these bounds
	close     func() error
	shared    sharedCounts
}

// Progress is the state of a running search.
type Progress struct {
	Nodes   uint64 `json:"nodes"`   // positions with the attacker to move that were searched, by this prover
	Proven  uint64 `json:"proven"`  // positions where the defender reaches the goal
	Refuted uint64 `json:"refuted"` // positions where the attacker prevents it
	Open    uint64 `json:"open"`    // undecided positions from the root to the present one of some searcher
	Low     int    `json:"low"`     // the defender gets at least this score from the empty board
	High    int    `json:"high"`    // and at most this one; -1 if nothing is known
}

// Validate returns an error for settings that make no sense.
func (c Config) Validate() error {
	switch {
	case c.Rules.Chance():
		return fmt.Errorf("%v has no attacker: nothing can be proven, want gpcc2015 or gpcc2016", c.Rules)
	case c.Memory < LeastMemory:
		return fmt.Errorf("memory of %d bytes: want at least %d KiB", c.Memory, LeastMemory>>10)
	case c.Memory > mostMemory:
		return fmt.Errorf("memory of %d bytes: want at most %d TiB", c.Memory, mostMemory>>40)
	case c.Threads < 1:
		return fmt.Errorf("%d threads: want at least 1", c.Threads)
	}
	return nil
}

// noise is the difference in searcher.noise from one searcher to the next, in units: the estimates of searcher i get
// random errors of up to i*noise, so that searchers seldom search the same position at the same time.
const noise = 2

// Open returns a prover with a table of its own, or with the one in the state's file. It returns an error for
// settings that make no sense, and a *StateError for a file that does not fit the settings.
func Open(c Config) (*Prover, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	words, free, err := memory(c)
	if err != nil {
		return nil, err
	}
	p := &Prover{table: newTable(words), found: bounds{high: unknown}, close: free}
	for i := range c.Threads {
		p.searchers = append(p.searchers, &searcher{
			rules: c.Rules, size: c.Size, table: p.table, estimate: newEstimate(c.Size),
			noise: noise * float32(i), random: uint64(i), stop: new(atomic.Bool), shared: &p.shared,
		})
	}
	return p, nil
}

// Close releases the table. The prover must not be used afterwards.
func (p *Prover) Close() error { return p.close() }

// Bounds returns the bounds that this prover and its table have found of the score from the empty board: the defender
// gets at least low and at most high. high is -1 if no upper bound is known.
func (p *Prover) Bounds() (low, high int) {
	p.learn(p.table.get(0))
	if p.found.high == unknown {
		return unit * p.found.low, -1
	}
	return unit * p.found.low, unit * p.found.high
}

// learn adds bounds of the empty board to the known ones.
func (p *Prover) learn(b bounds) {
	p.found.low, p.found.high = max(p.found.low, b.low), min(p.found.high, b.high)
}

// AtLeast decides whether the defender can get at least the score, 1 to MostScore, from the empty board. progress may be
// nil; it is called every second. AtLeast returns an error for any other score, and ErrStopped if ctx ends first. The
// table then keeps the bounds found so far.
func (p *Prover) AtLeast(ctx context.Context, score int, progress func(Progress)) (bool, error) {
	if err := (Claim{Score: score}).Validate(); err != nil {
		return false, err
	}
	goal := (score + unit - 1) / unit
	found, err := p.run(ctx, progress, func(s *searcher) int { return s.attacker(0, goal, 0) })
	switch {
	case err != nil:
		return false, err
	case found < goal:
		p.learn(bounds{high: found})
		return false, nil
	}
	p.learn(bounds{low: found, high: unknown})
	return true, nil
}

// Exact returns the score under perfect play from the empty board. It claims higher scores, by growing steps, until a
// claim is refuted, and then halves the distance between the bounds. Each claim narrows the bounds, however small the
// table is, so Exact ends. progress may be nil; it is called every second. Exact returns ErrStopped if ctx ends first.
func (p *Prover) Exact(ctx context.Context, progress func(Progress)) (int, error) {
	for {
		low, high := p.Bounds()
		next := low + max(unit, low/8)
		switch {
		case low == high:
			return low, nil
		case high >= 0:
			next = min(next, (low+high+unit)/2)
		}
		if _, err := p.AtLeast(ctx, next, progress); err != nil {
			return 0, err
		}
	}
}

// stopWith gives all searchers a new stop, which is set when ctx ends. An earlier one may still be set by the end of an
// earlier context, so it is not used again. The caller calls release after the search.
func (p *Prover) stopWith(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	for _, s := range p.searchers {
		s.stop = stop
	}
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}

// run lets all searchers search until one of them is done, and returns its result.
func (p *Prover) run(ctx context.Context, progress func(Progress), search func(*searcher) int) (int, error) {
	stop, release := p.stopWith(ctx)
	defer release()
	found := make(chan int, len(p.searchers))
	var all sync.WaitGroup
	for _, s := range p.searchers {
		all.Go(func() {
			if bound := search(s); stop.CompareAndSwap(false, true) {
				found <- bound
			}
			s.report(0)
		})
	}
	finished := make(chan struct{})
	go func() { all.Wait(); close(finished) }()
	p.watch(finished, progress)
	select {
	case bound := <-found:
		return bound, nil
	default:
		return 0, ErrStopped
	}
}

// watch reports the progress every second until the search is finished.
func (p *Prover) watch(finished <-chan struct{}, progress func(Progress)) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return
		case <-ticker.C:
			if progress != nil {
				progress(p.Progress())
			}
		}
	}
}

// Progress returns the counts and the bounds so far.
func (p *Prover) Progress() Progress {
	low, high := p.Bounds()
	c := &p.shared
	return Progress{c.nodes.Load(), c.proven.Load(), c.refuted.Load(), c.open.Load(), low, high}
}
