package tidy

import (
	"context"
	"fmt"
	"maps"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// Extract calls emit for the positions that prove a claim of at most the proof's score, as proof.Extract does. It reads
// the layers from the file Config.State. Extract returns proof.ErrRefuted if the claim is not proven. It returns another
// error for a claim of the attacker: the defender may still get the score on a board that is not known to be won.
func (p *Proof) Extract(ctx context.Context, claim proof.Claim, emit func(certificate.Covered) error) error {
	if claim.Claimant != rules.Defender {
		return fmt.Errorf("claim %v: tidy boards prove only what the defender gets", claim)
	}
	return proof.Extract(ctx, rules.GPCC2015, p.config.Size, p, claim, emit)
}

// Known implements proof.Oracle: on won boards the defender gains at least the rest of the score.
func (p *Proof) Known(b rules.Board) (low, high int, err error) {
	won, err := p.isWon(b)
	if won {
		low = p.result.Score - b.Potential()
	}
	return low, proof.Unbounded, err
}

// Decide implements proof.Oracle. A board that is not tidy counts as not won.
func (p *Proof) Decide(b rules.Board, goal int) (bool, error) {
	low, _, err := p.Known(b)
	return low >= goal, err
}

// isWon reports whether a board is among the won ones. It reads the layer of a sum when it is first needed, and then
// drops the layers of sums that are smaller by more than 4.
func (p *Proof) isWon(b rules.Board) (bool, error) {
	sum := b.Sum()
	if sum == 0 {
		return p.result.Proven, nil
	}
	set := p.open[sum]
	if place, known := p.places[sum]; set == nil && known {
		l, err := p.state.Read(place[0], place[1])
		if err != nil {
			return false, err
		}
		maps.DeleteFunc(p.open, func(old int, _ *certificate.BoardSet) bool { return old < sum-4 })
		set = certificate.NewBoardSet(l.Boards)
		p.open[sum] = set
	}
	return set != nil && set.Has(b), nil
}
