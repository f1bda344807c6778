package results

import (
	"context"
	"database/sql"
	"fmt"

	"versus2048/tournament"
)

// Identify notes what a participant of the event says of itself. To say it
// again changes nothing; to say something else adds to it.
func (j *Journal) Identify(ctx context.Context, id tournament.Identity) error {
	err := j.store.update(ctx, func(tx *sql.Tx) error { return identify(ctx, tx, j.event, id) })
	if err != nil {
		return fmt.Errorf("noting bot %q: %w", id.Name, err)
	}
	return nil
}

func identify(ctx context.Context, tx *sql.Tx, event int64, id tournament.Identity) error {
	var bot int64
	row := tx.QueryRowContext(ctx, `INSERT INTO bots (name, version, author, spec) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id`, id.Name, id.Version, id.Author, id.Spec)
	if err := row.Scan(&bot); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO participants (event, bot) VALUES (?, ?) ON CONFLICT DO NOTHING`, event, bot)
	return err
}

// Identities lists what the event's bots said of themselves, by name. A bot
// that said different things in one event is there for each of them.
func (s *Store) Identities(ctx context.Context, event int64) ([]tournament.Identity, error) {
	return identities(ctx, s.read, event)
}

func identities(ctx context.Context, db querier, event int64) ([]tournament.Identity, error) {
	all, err := query(ctx, db, func(row *sql.Rows) (id tournament.Identity, err error) {
		return id, row.Scan(&id.Name, &id.Version, &id.Author, &id.Spec)
	}, `SELECT name, version, author, spec FROM participants JOIN bots ON bots.id = bot WHERE event = ? ORDER BY name, bots.id`, event)
	if err != nil {
		return nil, fmt.Errorf("listing the bots of event %d: %w", event, err)
	}
	return all, nil
}
