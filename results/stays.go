package results

import (
	"context"
	"database/sql"
	"fmt"

	"versus2048/tournament"
)

// Attend records that an entry takes part in the event, or did, for these stays;
// the entry itself is added unless it is there.
func (j *Journal) Attend(ctx context.Context, e tournament.Entry, stays []tournament.Stay) error {
	err := j.store.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO entries (event, seat, name, spec)
			SELECT ?1, count(*), ?2, ?3 FROM entries WHERE event = ?1 ON CONFLICT (event, name) DO NOTHING`, j.event, e.Name, e.Spec)
		for i := 0; err == nil && i < len(stays); i++ {
			err = recordStay(ctx, tx, j.event, stays[i])
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("recording that %q takes part: %w", e.Name, err)
	}
	return nil
}

// recordStay records a stay; one that is there gets its last match.
func recordStay(ctx context.Context, tx *sql.Tx, event int64, s tournament.Stay) error {
	last := sql.NullInt64{Int64: int64(s.To), Valid: s.To != tournament.Staying}
	_, err := tx.ExecContext(ctx, `INSERT INTO stays (event, name, first_match, last_match) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET last_match = excluded.last_match`, event, s.Name, s.From, last)
	return err
}

// stays are those of an event's bots, each bot's in order.
func stays(ctx context.Context, db querier, event int64) ([]tournament.Stay, error) {
	return query(ctx, db, func(row *sql.Rows) (stay tournament.Stay, err error) {
		return stay, row.Scan(&stay.Name, &stay.From, &stay.To)
	}, `SELECT name, first_match, coalesce(last_match, ?) FROM stays WHERE event = ? ORDER BY name, first_match`, tournament.Staying, event)
}
