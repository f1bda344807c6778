package results

import (
	"context"
	"database/sql"
	"fmt"
)

// Extend gives an event more matches a pair; it never takes any away. Matches
// are numbered cycle by cycle, and a game's seed follows from its match's
// number, so that those on record are the same in the longer event. It returns
// a *NotFoundError if there is no event of that number.
func (s *Store) Extend(ctx context.Context, event int64, matches int) error {
	if _, err := s.Event(ctx, event); err != nil {
		return err
	}
	err := s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE events SET matches = ? WHERE id = ? AND matches < ?`, matches, event, matches)
		return err
	})
	if err != nil {
		return fmt.Errorf("extending event %d to %d matches: %w", event, matches, err)
	}
	return nil
}
