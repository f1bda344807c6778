package proof

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"versus2048/players/certificate"
	"versus2048/rules"
)

// Claim is the claim of a proof: from the empty board the defender gets at least the score, or the attacker holds the
// defender below the score.
type Claim struct {
	Score    int
	Claimant rules.Side // the Defender for "at least", the Attacker for "below"
}

// Validate returns an error for a score that is not from 1 to MostScore.
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

// An Oracle knows bounds of the gain from a canonical board with the attacker to move, in points.
type Oracle interface {
	// Known returns the bounds that the oracle has without a search: 0 and Unbounded if it has none.
	Known(b rules.Board) (low, high int, err error)
	// Decide reports whether the gain is at least goal. It returns ErrStopped if its search was stopped before the
	// answer.
	Decide(b rules.Board, goal int) (bool, error)
}

// An explorer is an Oracle that can also find more bounds by very short searches, and knows the effort that its
// bounds took.
type explorer interface {
	// Explore tries to find out whether the gain is at least goal, by a very short search.
	Explore(b rules.Board, goal int)
	// Effort returns the approximate number of positions that were searched for the bounds of a board.
	Effort(b rules.Board) uint64
}

// Unbounded is the upper bound of a gain, in points, if nothing is known about it.
const Unbounded = unit * unknown

// ErrRefuted is the error of Extract for a wrong claim.
var ErrRefuted = errors.New("the claim is wrong")

// Extract calls emit for the positions that prove a claim, by their sums of tiles and then by their boards. If the
// defender claims, then after every placement on a position some slide fulfils the claim, or leads to another position
// of the proof with a gain that suffices. If the attacker claims, every slide after the position's Move leads to another
// position of the proof with a gain that suffices. If several moves keep the claim, Extract prefers moves that need few
// positions. It searches positions again if the table has lost them. It returns ErrRefuted for a claim that is wrong,
// ErrStopped if ctx ends first, and emit's error.
func (p *Prover) Extract(ctx context.Context, claim Claim, emit func(certificate.Covered) error) error {
	_, release := p.stopWith(ctx)
	defer release()
	s := p.searchers[0]
	defer s.report(0) // the searches since the last 1024 positions
	return Extract(ctx, s.rules, s.size, s, claim, emit)
}

// Extract extracts the proof of a claim with the answers of an oracle, as Prover.Extract does. It also returns the
// oracle's errors.
func Extract(ctx context.Context, r rules.Ruleset, s rules.Size, o Oracle, claim Claim, emit func(certificate.Covered) error) error {
	goal := (claim.Score + unit - 1) / unit * unit
	if atLeast, err := o.Decide(0, goal); err != nil {
		return err
	} else if atLeast != (claim.Claimant == rules.Defender) {
		return ErrRefuted
	}
	e := &extraction{rules: r, size: s, oracle: o, needs: needs{claimant: claim.Claimant, sums: map[int]map[rules.Board][]demand{}}}
	e.explorer, _ = o.(explorer)
	e.needs.add(target{board: 0, gain: goal}, 1)
	return e.run(ctx, emit)
}

// An extraction goes through a proof by sums of tiles. A placement adds 2 or 4, so all needs of a position are
// known when its sum is reached, and few sums are kept at a time.
type extraction struct {
	rules    rules.Ruleset
	size     rules.Size
	oracle   Oracle
	explorer explorer // the oracle, or nil if the oracle is no explorer
	needs    needs
	options  []option // of the last duty, to use their memory again
}

// A layer has the positions of one sum that a proof needs. In each position the claimant has duties: an attacker
// has one, to choose a placement; a defender has one for each placement, to choose a slide after it.
type layer struct {
	boards []rules.Board
	gains  []int        // in points
	chosen []rules.Move // for each duty of each board
}

// An option is a move that keeps the claim if all its targets do.
type option struct {
	move    rules.Move
	targets [4]target
	n       int    // the number of targets
	slack   int    // the margins of all targets together: see extraction.slack
	effort  uint64 // the effort that the bounds of all targets took
}

// A target is a position that an option adds to the proof, with the gain to be proven, in points.
type target struct {
	board rules.Board
	gain  int
	bound int // the oracle's bound of the gain: the lower one if the defender claims, else the upper one
}

func (o *option) add(t target) { o.targets[o.n] = t; o.n++ }

func (o *option) all() []target { return o.targets[:o.n] }

// run settles and emits one sum after the other.
func (e *extraction) run(ctx context.Context, emit func(certificate.Covered) error) error {
	for sum := 0; len(e.needs.sums) > 0; sum += 2 {
		l := e.needs.layer(sum)
		if err := e.settle(ctx, l); err != nil {
			return err
		}
		delete(e.needs.sums, sum)
		for i, b := range l.boards {
			c := certificate.Covered{Board: b, Gain: l.gains[i]}
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

// mostPasses is the largest number of passes over the choices of a layer.
const mostPasses = 8

// settle chooses an option for each duty of a layer, and adds the targets of these options to the needs. Then it
// reconsiders each choice in view of all others, until few choices change or mostPasses passes are made.
func (e *extraction) settle(ctx context.Context, l *layer) error {
	for pass, changed := 0, 1; pass < mostPasses && changed > len(l.chosen)/100; pass++ {
		next := 0
		changed = 0
		for i, b := range l.boards {
			if ctx.Err() != nil {
				return ErrStopped
			}
			err := e.duties(b, l.gains[i], func(options []option) error {
				if pass == 0 {
					l.chosen = append(l.chosen, 0)
				}
				move, err := e.choose(options, l.chosen[next], pass > 0)
				if move != l.chosen[next] || pass == 0 {
					l.chosen[next] = move
					changed++
				}
				next++
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// duties calls do with the options of each duty of a position, until do returns an error.
func (e *extraction) duties(b rules.Board, gain int, do func([]option) error) error {
	e.options = e.options[:0]
	for move := range placements(b, e.rules, e.size) {
		if e.needs.claimant == rules.Attacker {
			e.addPlacement(b, move, gain)
			continue
		}
		e.options = e.options[:0]
		e.addSlides(b, move, gain)
		if err := do(e.options); err != nil {
			return err
		}
	}
	if e.needs.claimant == rules.Attacker {
		return do(e.options)
	}
	return nil
}

// addSlides adds an option for each slide after a placement. A slide that gains enough at once has no target.
func (e *extraction) addSlides(b rules.Board, move rules.Move, gain int) {
	placed := place(b, move)
	for slide := rules.North; slide <= rules.East; slide++ {
		board := placed.Slide(e.size, slide)
		if board == placed {
			continue
		}
		o := option{move: slide}
		if rest := gain - board.Potential() + placed.Potential(); rest > 0 {
			o.add(target{board: board.Canonical(e.size), gain: rest})
		}
		e.options = append(e.options, o)
	}
}

// addPlacement adds an option for a placement, unless a slide after it gains too much at once.
func (e *extraction) addPlacement(b rules.Board, move rules.Move, gain int) {
	first := len(e.options)
	e.addSlides(b, move, gain)
	o := option{move: move}
	for _, slide := range e.options[first:] {
		if slide.n == 0 {
			e.options = e.options[:first]
			return
		}
		o.add(slide.targets[0])
	}
	e.options = append(e.options[:first], o)
}

// errNoMove is the error for an oracle that contradicts itself.
var errNoMove = errors.New("no move keeps a claim that was proven")

// choose chooses the preferred option among the options that keep the claim, adds its targets to the needs, and
// returns its move. If no option is known to keep the claim, choose lets the oracle decide. again is true if old was
// chosen before.
func (e *extraction) choose(options []option, old rules.Move, again bool) (rules.Move, error) {
	var best *option
	if again {
		best = &options[slices.IndexFunc(options, func(o option) bool { return o.move == old })]
		e.needs.change(best, -1)
		if _, err := e.known(best, false); err != nil {
			return 0, err
		}
	}
	for i := range options {
		o := &options[i]
		known, err := e.known(o, !again)
		if err != nil {
			return 0, err
		}
		if known && o != best && (best == nil || e.needs.prefers(o, best)) {
			best = o
		}
	}
	if best == nil {
		var err error
		if best, err = e.find(options); err != nil {
			return 0, err
		}
	}
	e.needs.change(best, 1)
	return best.move, nil
}

// known reports whether the oracle knows that an option keeps the claim. If explore is true, known also tries very short
// searches. known sets the option's slack and effort.
func (e *extraction) known(o *option, explore bool) (bool, error) {
	o.slack, o.effort = 0, 0
	for i := range o.all() {
		t := &o.targets[i]
		slack, err := e.slack(t)
		if err == nil && slack < 0 && explore && e.explorer != nil {
			e.explorer.Explore(t.board, t.gain)
			slack, err = e.slack(t)
		}
		if err != nil || slack < 0 {
			return false, err
		}
		o.slack += slack
		if e.explorer != nil {
			o.effort += e.explorer.Effort(t.board)
		}
	}
	return true, nil
}

// slack looks a target up and returns the margin between its known bound and its gain. A negative margin means
// that the target is not known to keep the claim.
func (e *extraction) slack(t *target) (slack int, err error) {
	low, high, err := e.oracle.Known(t.board)
	if e.needs.claimant == rules.Attacker {
		t.bound = high
		return t.gain - unit - high, err
	}
	t.bound = low
	return low - t.gain, err
}

// find lets the oracle decide about one option after the other, and returns the first one that keeps the claim. It
// returns errNoMove if none does.
func (e *extraction) find(options []option) (*option, error) {
	for i := range options {
		keeps := true
		for _, t := range options[i].all() {
			atLeast, err := e.oracle.Decide(t.board, t.gain)
			if err != nil {
				return nil, err
			}
			keeps = keeps && atLeast == (e.needs.claimant == rules.Defender)
			if !keeps {
				break
			}
		}
		if keeps {
			return &options[i], nil
		}
	}
	return nil, errNoMove
}

// placements yields the moves of the attacker on a board.
func placements(b rules.Board, r rules.Ruleset, s rules.Size) iter.Seq[rules.Move] {
	return func(yield func(rules.Move) bool) {
		for empty := b.Empty(s); empty != 0; empty &= empty - 1 {
			cell := bits.TrailingZeros64(empty) / 4
			if !yield(rules.Place(cell, false)) || r.Fours() && !yield(rules.Place(cell, true)) {
				return
			}
		}
	}
}

// place returns the board after a placement.
func place(b rules.Board, move rules.Move) rules.Board {
	if move.IsFour() {
		return b.With(move.Cell(), 2)
	}
	return b.With(move.Cell(), 1)
}
