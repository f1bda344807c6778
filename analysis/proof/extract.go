package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"versus2048/rules"
)

// Claim is what a proof is about: from the empty board the defender gets at least the
// score, or the attacker holds it below the score.
type Claim struct {
	Score    int
	Claimant rules.Side // the Defender for "at least", the Attacker for "below"
}

// Validate returns an error for a score that no claim may have.
func (c Claim) Validate() error {
	if c.Score < 1 || c.Score > MostScore {
		return fmt.Errorf("score %d: want 1 to %d", c.Score, MostScore)
	}
	return nil
}

// String writes the claim as "at least 8" or "below 12".
func (c Claim) String() string {
	if c.Claimant == rules.Defender {
		return fmt.Sprintf("at least %d", c.Score)
	}
	return fmt.Sprintf("below %d", c.Score)
}

// Covered is a position of a proof, with the attacker to move. The defender gains at
// least Gain from it, or the attacker holds what the defender gains below Gain.
type Covered struct {
	Board rules.Board // the smallest of the boards that are equal under a symmetry
	Gain  int         // at least 1
	Move  rules.Move  // the placement of an attacker who claims; of no meaning otherwise
}

// Extract calls emit for the positions that prove a claim, by their sums of tiles and
// then by their boards. From each of them, after every placement (or after Move), some
// slide (or every slide) fulfils the claim or leads to a position that is in the proof,
// too, with a gain that suffices. Where several moves keep the claim, those are preferred
// that need few positions. What the table has lost is searched again. It returns
// ErrRefuted for a claim that is wrong, ErrStopped if ctx ends first, and emit's error.
func (p *Prover) Extract(ctx context.Context, claim Claim, emit func(Covered) error) error {
	atLeast, err := p.AtLeast(ctx, claim.Score, nil)
	if err != nil {
		return err
	}
	if atLeast != (claim.Claimant == rules.Defender) {
		return ErrRefuted
	}
	p.stop.Store(false)
	defer context.AfterFunc(ctx, func() { p.stop.Store(true) })()
	e := &extraction{searcher: p.searchers[0], needs: needs{claimant: claim.Claimant, sums: map[int]map[rules.Board][]demand{}}}
	e.needs.add(target{0, (claim.Score + unit - 1) / unit}, 1)
	defer e.report(0)
	return e.run(emit)
}

// ErrRefuted is the error for the extraction of a proof of a claim that is wrong.
var ErrRefuted = errors.New("the claim is wrong")

// An extraction goes through a proof by sums of tiles. A placement adds 2 or 4, so what
// a position needs is known when its sum is reached, and few sums are kept at a time.
type extraction struct {
	*searcher
	needs   needs
	options []option // of the last duty, to use their memory again
}

// A layer has the positions of one sum that a proof needs. Each has one or more duties,
// for which one of several options is chosen: one of the attacker's placements, or one
// of the slides after each placement.
type layer struct {
	boards []rules.Board
	gains  []int        // in units
	chosen []rules.Move // for each duty of each board
}

// An option is a move that keeps the claim if it holds in the positions that it leads to.
type option struct {
	move    rules.Move
	targets [4]target
	n       int    // how many there are
	slack   int    // by how much the bounds of the targets exceed what is asked, in units
	work    uint64 // how many nodes these bounds took
}

// A target is a position that is to be in the proof, with the gain, in units.
type target struct {
	board rules.Board
	gain  int
}

func (o *option) add(t target) { o.targets[o.n] = t; o.n++ }

func (o *option) all() []target { return o.targets[:o.n] }

// run settles and emits one sum after the other.
func (e *extraction) run(emit func(Covered) error) error {
	for sum := 0; len(e.needs.sums) > 0; sum += 2 {
		l := e.needs.layer(sum)
		if !e.settle(l) {
			return ErrStopped
		}
		delete(e.needs.sums, sum)
		for i, b := range l.boards {
			c := Covered{Board: b, Gain: l.gains[i] * unit}
			if e.needs.claimant == rules.Attacker {
				c.Move = l.chosen[i]
			}
			if err := emit(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// passes is how often the choices of a layer are reconsidered at most.
const passes = 8

// settle chooses an option for each duty of a layer, and needs what they lead to. Then it
// reconsiders each choice in view of all others, until nothing changes. It returns false
// if the search was stopped.
func (e *extraction) settle(l *layer) bool {
	for pass := range passes {
		changed, next := false, 0
		for i, b := range l.boards {
			ok := e.duties(b, l.gains[i], func(options []option) bool {
				if pass == 0 {
					l.chosen = append(l.chosen, 0)
				}
				old := l.chosen[next]
				move, ok := e.choose(options, old, pass > 0)
				l.chosen[next] = move
				next++
				changed = changed || move != old
				return ok
			})
			if !ok {
				return false
			}
		}
		if pass > 0 && !changed {
			break
		}
	}
	return true
}

// duties calls do for each duty of a position with its options, the most promising
// first, until it returns false.
func (e *extraction) duties(b rules.Board, gain int, do func([]option) bool) bool {
	e.options = e.options[:0]
	var all [32]placement
	placements := all[:0]
	for _, move := range e.placements(b) {
		p := placement{move: move}
		e.answer(b, &p)
		placements = append(placements, p)
	}
	if e.needs.claimant == rules.Attacker {
		slices.SortStableFunc(placements, func(p, q placement) int { return cmp.Compare(p.guess, q.guess) })
		for i := range placements {
			e.placement(&placements[i], gain)
		}
		return do(e.options)
	}
	for i := range placements {
		e.options = e.options[:0]
		e.slides(&placements[i], gain)
		if !do(e.options) {
			return false
		}
	}
	return true
}

// placement adds the option of a placement, unless a slide gains too much at once.
func (e *extraction) placement(p *placement, gain int) {
	o := option{move: p.move}
	for _, a := range p.answers[:p.n] {
		if a.gain >= gain {
			return
		}
		o.add(target{a.board, gain - a.gain})
	}
	e.options = append(e.options, o)
}

// slides adds the options after a placement. One that gains enough at once leads to nothing.
func (e *extraction) slides(p *placement, gain int) {
	for _, a := range p.answers[:p.n] {
		o := option{move: a.slide}
		if a.gain < gain {
			o.add(target{a.board, gain - a.gain})
		}
		e.options = append(e.options, o)
	}
}

// choose takes one of the options that keep the claim, the one that is preferred. If none
// is known, or is found to keep it by a short trial, it searches. again says that old was
// chosen before: then there are no trials.
func (e *extraction) choose(options []option, old rules.Move, again bool) (rules.Move, bool) {
	var best *option
	if again {
		best = &options[slices.IndexFunc(options, func(o option) bool { return o.move == old })]
		e.needs.change(best, -1)
		e.known(best)
	}
	for i := range options {
		if o := &options[i]; (e.known(o) || !again && e.tries(o)) && (best == nil || e.needs.prefers(o, best)) {
			best = o
		}
	}
	for i := 0; best == nil && i < len(options); i++ {
		if e.proves(&options[i]) {
			best = &options[i]
		}
	}
	if best == nil || e.stop.Load() {
		return 0, false
	}
	e.needs.change(best, 1)
	return best.move, true
}

// known reports whether the table says that an option keeps the claim, and notes how
// safely and by how much work.
func (e *extraction) known(o *option) bool {
	o.slack, o.work = 0, 0
	for _, t := range o.all() {
		known := e.table.get(t.board)
		slack := known.low - t.gain
		if e.needs.claimant == rules.Attacker {
			slack = t.gain - 1 - known.high
		}
		if slack < 0 {
			return false
		}
		o.slack += slack
		o.work += e.table.work(t.board)
	}
	return true
}

// trialNodes is at how many positions a trial gives up. Longer trials find options
// that need more positions than they save: docs/analysis.md has figures.
const trialNodes = 2

// tries reports whether a short search proves that an option keeps the claim.
func (e *extraction) tries(o *option) bool {
	e.trial = e.counts.nodes + trialNodes
	proven := e.proves(o)
	e.trial = 0
	return proven && e.known(o)
}

// proves searches whether an option keeps the claim.
func (e *extraction) proves(o *option) bool {
	for _, t := range o.all() {
		if (e.attacker(t.board, t.gain, 0) >= t.gain) != (e.needs.claimant == rules.Defender) || e.halted() {
			return false
		}
	}
	return true
}
