package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"versus2048/tournament"
)

// Verification is what playing stored games again came to.
type Verification struct {
	Games int   `json:"games"` // finished games played again
	Plies int64 `json:"plies"`
	Bad   int   `json:"bad"` // games that differ from their record
}

// ErrDamaged says that the database itself is damaged, not only what a game
// says of itself.
var ErrDamaged = errors.New("the database is damaged; keep a copy, then try sqlite3's .recover")

// Verify plays every finished game that the filter lets through again, and
// compares it with what the referee announced; search reports must fit it, and it
// must begin and end as its event has it. The filter must let through all games
// of a match or none where the event decides matches early. Verify calls bad with
// each game that differs, and why. It returns ErrDamaged if the database's own structure is
// broken, such as two games with one number or one leg.
func (s *Store) Verify(ctx context.Context, f Filter, bad func(g Stored, why error)) (Verification, error) {
	var v Verification
	f.Finished, f.Searches = true, true
	verifier := s.newVerifier()
	err := s.view(ctx, func(tx *sql.Tx) error {
		if err := checkStructure(ctx, tx); err != nil {
			return err
		}
		return eachGameRow(ctx, tx, f, func(row *gameRow) error {
			g, why := row.game()
			if why == nil {
				why = verify(&g)
			}
			if why == nil {
				why = verifier.check(ctx, &g)
			}
			v.Games++
			v.Plies += int64(len(g.Record.Moves))
			if why != nil {
				v.Bad++
				bad(g, why)
			}
			return nil
		})
	})
	return v, err
}

// checkStructure lets SQLite compare its tables with their indexes and rules.
func checkStructure(ctx context.Context, tx *sql.Tx) error {
	var said string
	if err := tx.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, said)
	}
	var orphans int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&orphans); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if orphans > 0 {
		return fmt.Errorf("%w: %d rows refer to others that are gone", ErrDamaged, orphans)
	}
	return nil
}

// verify plays one game again.
func verify(g *Stored) error {
	last, err := g.Record.Replay()
	if err != nil {
		return err
	}
	plies := len(g.Record.Moves)
	for _, fact := range []struct {
		name             string
		announced, found int
	}{
		{"plies", g.Announced.Plies, plies},
		{"score", g.Announced.Score, last.Score()},
		{"largest tile", g.Announced.LargestTile, last.LargestTile()},
		{"times", plies, len(g.Record.Times)},
	} {
		if fact.announced != fact.found {
			return fmt.Errorf("%s: want %d, the record gives %d", fact.name, fact.announced, fact.found)
		}
	}
	if err := g.Record.CheckSearches(); err != nil {
		return err
	}
	return verifyRoles(g)
}

func verifyRoles(g *Stored) error {
	attacker, defender := g.Roles(g.Leg)
	if g.Record.Start.Rules().Chance() {
		attacker = tournament.ChanceName
	}
	if g.Record.Attacker != attacker || g.Record.Defender != defender {
		return fmt.Errorf("%s attacks %s, but by its match %s attacks %s", g.Record.Attacker, g.Record.Defender, attacker, defender)
	}
	return nil
}
