package proof

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
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

// An Oracle says what the defender gains from a canonical board with the attacker to
// move, in points.
type Oracle interface {
	// Known returns the bounds that it has, without a search: 0 and Unbounded if there are none.
	Known(b rules.Board) (low, high int, err error)
	// Decide reports whether the gain is at least goal. It returns ErrStopped if that was
	// not found out.
	Decide(b rules.Board, goal int) (bool, error)
}

// Unbounded is the upper bound of a gain of which nothing is known, in points.
const Unbounded = unit * unknown

// ErrRefuted is the error for the extraction of a proof of a claim that is wrong.
var ErrRefuted = errors.New("the claim is wrong")

// Extract calls emit for the positions that prove a claim, by their sums of tiles and
// then by their boards. From each of them, after every placement (or after Move), some
// slide (or every slide) fulfils the claim or leads to a position that is in the proof,
// too, with a gain that suffices. Where several moves keep the claim, one that needs no
// new position goes first. What the table has lost is searched again. It returns
// ErrRefuted for a claim that is wrong, ErrStopped if ctx ends first, and emit's error.
func (p *Prover) Extract(ctx context.Context, claim Claim, emit func(Covered) error) error {
	p.stop.Store(false)
	defer context.AfterFunc(ctx, func() { p.stop.Store(true) })()
	s := p.searchers[0]
	return Extract(ctx, s.rules, s.size, s, claim, emit)
}

// Extract extracts the proof of a claim, as Prover.Extract does, from what an oracle says.
func Extract(ctx context.Context, r rules.Ruleset, s rules.Size, o Oracle, claim Claim, emit func(Covered) error) error {
	goal := (claim.Score + unit - 1) / unit * unit
	if atLeast, err := o.Decide(0, goal); err != nil {
		return err
	} else if atLeast != (claim.Claimant == rules.Defender) {
		return ErrRefuted
	}
	e := &extraction{rules: r, size: s, oracle: o, claimant: claim.Claimant, needs: map[int]map[rules.Board]int{}}
	e.need(option{gain: 0}, goal)
	return e.run(ctx, emit)
}

// An extraction goes through a proof by sums of tiles. A placement adds 2 or 4, so what
// a position needs is known when its sum is reached, and few sums are kept at a time.
type extraction struct {
	rules    rules.Ruleset
	size     rules.Size
	oracle   Oracle
	claimant rules.Side
	needs    map[int]map[rules.Board]int // by sum: the gain that each board must be proven for
}

// An option is a slide: the canonical board after it and what it gains.
type option struct {
	board rules.Board
	gain  int
}

func (e *extraction) run(ctx context.Context, emit func(Covered) error) error {
	for sum := 0; len(e.needs) > 0; sum += 2 {
		if ctx.Err() != nil {
			return ErrStopped
		}
		boards := e.needs[sum]
		for _, b := range slices.Sorted(maps.Keys(boards)) {
			move, err := e.cover(b, boards[b])
			if err != nil {
				return err
			}
			if err := emit(Covered{b, boards[b], move}); err != nil {
				return err
			}
		}
		delete(e.needs, sum)
	}
	return nil
}

// need adds the position after a slide to the proof, unless the slide itself fulfils the
// claim. Of two gains the one that is harder to prove counts.
func (e *extraction) need(o option, gain int) {
	gain -= o.gain
	if gain <= 0 {
		return
	}
	boards := e.needs[o.board.Sum()]
	if boards == nil {
		boards = map[rules.Board]int{}
		e.needs[o.board.Sum()] = boards
	}
	old, ok := boards[o.board]
	if !ok || e.claimant == rules.Defender && gain > old || e.claimant == rules.Attacker && gain < old {
		boards[o.board] = gain
	}
}

// covers reports whether a slide needs no new position for a gain.
func (e *extraction) covers(o option, gain int) bool {
	gain -= o.gain
	if gain <= 0 {
		return e.claimant == rules.Defender
	}
	have, ok := e.needs[o.board.Sum()][o.board]
	return ok && (e.claimant == rules.Defender && have >= gain || e.claimant == rules.Attacker && have <= gain)
}

// cover adds the positions that a position rests on.
func (e *extraction) cover(b rules.Board, gain int) (rules.Move, error) {
	if e.claimant == rules.Attacker {
		return e.hold(b, gain)
	}
	var slides [4]option
	for move := range placements(b, e.rules, e.size) {
		o, err := e.slide(e.options(b, move, &slides), gain)
		if err != nil {
			return 0, err
		}
		e.need(o, gain)
	}
	return 0, nil
}

// options returns the slides after a placement, in the memory given.
func (e *extraction) options(b rules.Board, move rules.Move, slides *[4]option) []option {
	placed := place(b, move)
	all := slides[:0]
	for slide := rules.North; slide <= rules.East; slide++ {
		if board := placed.Slide(e.size, slide); board != placed {
			all = append(all, option{board.Canonical(e.size), board.Potential() - placed.Potential()})
		}
	}
	return all
}

// slide returns an option that gains enough: one that needs no new position, else one
// that the oracle knows, else one that it finds.
func (e *extraction) slide(options []option, gain int) (option, error) {
	for _, o := range options {
		if e.covers(o, gain) {
			return o, nil
		}
	}
	for _, o := range options {
		if low, _, err := e.oracle.Known(o.board); err != nil || o.gain+low >= gain {
			return o, err
		}
	}
	for _, o := range options {
		if ok, err := e.oracle.Decide(o.board, gain-o.gain); err != nil || ok {
			return o, err
		}
	}
	return option{}, errNoMove
}

// errNoMove is the error for an oracle that contradicts itself.
var errNoMove = errors.New("no move keeps a claim that was proven")

// hold adds the positions after a placement that holds the gain below the given one: of
// those that the oracle knows to do so the one that costs the least, or else one that it
// finds.
func (e *extraction) hold(b rules.Board, gain int) (rules.Move, error) {
	var slides [4]option
	var best rules.Move
	least := math.Inf(1)
	for move := range placements(b, e.rules, e.size) {
		cost, err := e.cost(e.options(b, move, &slides), gain)
		if err != nil {
			return 0, err
		}
		if cost < least {
			best, least = move, cost
		}
	}
	if math.IsInf(least, 1) {
		var err error
		if best, err = e.find(b, gain); err != nil {
			return 0, err
		}
	}
	for _, o := range e.options(b, best, &slides) {
		e.need(o, gain)
	}
	return best, nil
}

// cost guesses how many more positions a proof needs after a placement that has these
// slides; it is infinite if the oracle does not know that they are held. What a position
// costs grows with the gain to come, and less so if more than that may be given away.
// The numbers made the smallest proof on 4x3 of those that were tried.
func (e *extraction) cost(options []option, gain int) (cost float64, err error) {
	for _, o := range options {
		_, high, err := e.oracle.Known(o.board)
		switch {
		case err != nil || o.gain+high >= gain:
			return math.Inf(1), err
		case !e.covers(o, gain):
			cost += math.Exp(min(float64(3*high-2*(gain-o.gain))/30, 500)) // finite for every score
		}
	}
	return cost, nil
}

// find returns a placement of which the oracle finds that it holds the gain.
func (e *extraction) find(b rules.Board, gain int) (rules.Move, error) {
	var slides [4]option
	for move := range placements(b, e.rules, e.size) {
		ok, err := e.all(e.options(b, move, &slides), func(o option) (bool, error) {
			if o.gain >= gain {
				return false, nil
			}
			atLeast, err := e.oracle.Decide(o.board, gain-o.gain)
			return !atLeast, err
		})
		if err != nil || ok {
			return move, err
		}
	}
	return 0, errNoMove
}

// all reports whether something holds of all options.
func (e *extraction) all(options []option, holds func(option) (bool, error)) (bool, error) {
	for _, o := range options {
		if ok, err := holds(o); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
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
