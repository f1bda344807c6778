package results

import (
	"context"
	"fmt"

	"versus2048/tournament"
)

// Verification is what playing stored games again came to.
type Verification struct {
	Games int   `json:"games"` // finished games played again
	Plies int64 `json:"plies"`
	Bad   int   `json:"bad"` // games that differ from their record
}

// Verify plays every finished game that the filter lets through again, and
// compares it with what the referee announced. It calls bad with each game that
// differs, and why.
func (s *Store) Verify(ctx context.Context, f Filter, bad func(g Stored, why error)) (Verification, error) {
	var v Verification
	f.Finished = true
	err := s.Games(ctx, f, func(g Stored) error {
		v.Games++
		v.Plies += int64(len(g.Record.Moves))
		if why := verify(&g); why != nil {
			v.Bad++
			bad(g, why)
		}
		return ctx.Err()
	})
	return v, err
}

// verify plays one game again.
func verify(g *Stored) error {
	last, err := g.Record.Replay()
	if err != nil {
		return err
	}
	replayed := Announced{Plies: len(g.Record.Moves), Score: last.Score(), LargestTile: last.LargestTile()}
	if replayed != g.Announced {
		return fmt.Errorf("announced %+v, a replay gives %+v", g.Announced, replayed)
	}
	if n := len(g.Record.Times); n != replayed.Plies {
		return fmt.Errorf("%d plies have %d times", replayed.Plies, n)
	}
	attacker, defender := g.Roles(g.Leg)
	if g.Record.Start.Rules().Chance() {
		attacker = tournament.ChanceName
	}
	if g.Record.Attacker != attacker || g.Record.Defender != defender {
		return fmt.Errorf("%s attacks %s, but by its match %s attacks %s", g.Record.Attacker, g.Record.Defender, attacker, defender)
	}
	return nil
}
