package proof

import (
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
// too, with a gain that suffices. Where several moves keep the claim, one that needs no
// new position goes first. What the table has lost is searched again. It returns
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
	e := &extraction{searcher: p.searchers[0], claimant: claim.Claimant, needs: map[int]map[rules.Board]int{}}
	e.need(0, (claim.Score+unit-1)/unit)
	return e.run(emit)
}

// ErrRefuted is the error for the extraction of a proof of a claim that is wrong.
var ErrRefuted = errors.New("the claim is wrong")

// An extraction goes through a proof by sums of tiles. A placement adds 2 or 4, so what
// a position needs is known when its sum is reached, and few sums are kept at a time.
type extraction struct {
	*searcher
	claimant rules.Side
	needs    map[int]map[rules.Board]int // by sum: the gain that each board must be proven for, in units
}

func (e *extraction) run(emit func(Covered) error) error {
	for sum := 0; len(e.needs) > 0; sum += 2 {
		boards := e.needs[sum]
		for _, b := range sorted(boards) {
			move, ok := e.cover(b, boards[b])
			if !ok {
				return ErrStopped
			}
			if err := emit(Covered{b, boards[b] * unit, move}); err != nil {
				return err
			}
		}
		delete(e.needs, sum)
	}
	return nil
}

func sorted(boards map[rules.Board]int) []rules.Board {
	all := make([]rules.Board, 0, len(boards))
	for b := range boards {
		all = append(all, b)
	}
	slices.Sort(all)
	return all
}

// need adds a position to the proof. Of two gains the one that is harder to prove counts.
func (e *extraction) need(b rules.Board, gain int) {
	boards := e.needs[b.Sum()]
	if boards == nil {
		boards = map[rules.Board]int{}
		e.needs[b.Sum()] = boards
	}
	old, ok := boards[b]
	if !ok || e.claimant == rules.Defender && gain > old || e.claimant == rules.Attacker && gain < old {
		boards[b] = gain
	}
}

// covers reports whether the proof has a position already, for this gain.
func (e *extraction) covers(b rules.Board, gain int) bool {
	have, ok := e.needs[b.Sum()][b]
	return ok && (e.claimant == rules.Defender && have >= gain || e.claimant == rules.Attacker && have <= gain)
}

// cover adds the positions that a position rests on. It returns false if the search was stopped.
func (e *extraction) cover(b rules.Board, gain int) (rules.Move, bool) {
	if e.claimant == rules.Attacker {
		return e.hold(b, gain)
	}
	for _, move := range slices.Clone(e.placements(b)) {
		p := placement{move: move}
		e.answer(b, &p)
		a := e.slide(&p, gain)
		if a == nil {
			return 0, false
		}
		if a.gain < gain {
			e.need(a.board, gain-a.gain)
		}
	}
	return 0, true
}

// slide returns an answer that gains enough: one that needs no new position, else one
// that the table knows, else one that a search finds. It returns nil if that was stopped.
func (e *extraction) slide(p *placement, gain int) *answer {
	answers := p.answers[:p.n]
	tests := []func(a *answer) bool{
		func(a *answer) bool { return a.gain >= gain || e.covers(a.board, gain-a.gain) },
		func(a *answer) bool { return e.table.get(a.board).low >= gain-a.gain },
		func(a *answer) bool { return e.attacker(a.board, gain-a.gain, 0) >= gain-a.gain && !e.stop.Load() },
	}
	for _, test := range tests {
		for i := range answers {
			if test(&answers[i]) {
				return &answers[i]
			}
		}
	}
	return nil
}

// hold adds the positions after a placement that holds the gain below the given one:
// the placement that needs the fewest new positions of those that the table knows to
// do so, or else one that a search finds.
func (e *extraction) hold(b rules.Board, gain int) (rules.Move, bool) {
	var all []placement
	best, fewest := -1, 5
	for _, move := range e.placements(b) {
		p := placement{move: move}
		e.answer(b, &p)
		all = append(all, p)
		if n := e.missing(&p, gain); p.bounds.high < gain && n < fewest {
			best, fewest = len(all)-1, n
		}
	}
	for i := 0; best < 0 && i < len(all); i++ {
		if e.defender(&all[i], gain, 0) < gain {
			best = i
		}
	}
	if best < 0 || e.stop.Load() {
		return 0, false
	}
	for _, a := range all[best].answers[:all[best].n] {
		e.need(a.board, gain-a.gain)
	}
	return all[best].move, true
}

// missing counts the positions after a placement that the proof does not have yet.
func (e *extraction) missing(p *placement, gain int) int {
	n := 0
	for _, a := range p.answers[:p.n] {
		if !e.covers(a.board, gain-a.gain) {
			n++
		}
	}
	return n
}
