package results

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// Plan records a new event together with its item of the agenda, and the others, which are of events on
// record, all of them or none. It returns the item with the event's number and its place, which is the last
// one. The first event of a series gives the series its number.
func (s *Store) Plan(ctx context.Context, e tournament.Event, item agenda.Item, others ...agenda.Item) (agenda.Item, error) {
	err := s.update(ctx, func(tx *sql.Tx) (err error) {
		if item.Event, err = writeEvent(ctx, tx, &e); err != nil {
			return err
		}
		if item.Nth > 0 && item.Series == 0 {
			item.Series = item.Event
		}
		if item.Place, err = lastPlace(ctx, tx); err != nil {
			return err
		}
		for _, i := range append(others, item) {
			err = cmp.Or(err, writeItem(ctx, tx, i))
		}
		return err
	})
	if err != nil {
		return item, fmt.Errorf("recording event %q: %w", e.Name, err)
	}
	return item, nil
}

// Note records an item of an event on record, in place of an earlier one. An item without a place gets the
// last one. It returns the item.
func (s *Store) Note(ctx context.Context, item agenda.Item) (agenda.Item, error) {
	err := s.update(ctx, func(tx *sql.Tx) (err error) {
		if item.Place == 0 {
			item.Place, err = lastPlace(ctx, tx)
		}
		return cmp.Or(err, writeItem(ctx, tx, item))
	})
	if err != nil {
		return item, fmt.Errorf("recording what is wanted of event %d: %w", item.Event, err)
	}
	return item, nil
}

// Drop takes an event off the agenda: it is over, or no arena is to play it by itself. It does nothing if the
// event is not there.
func (s *Store) Drop(ctx context.Context, event int64) error {
	err := s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM agenda WHERE event = ?`, event)
		return err
	})
	if err != nil {
		return fmt.Errorf("taking event %d off the agenda: %w", event, err)
	}
	return nil
}

// Agenda returns the items of the agenda, by their places.
func (s *Store) Agenda(ctx context.Context) ([]agenda.Item, error) {
	items, err := query(ctx, s.read, readItem,
		`SELECT event, place, wanted, not_before, wait, every, times, nth, series, reason FROM agenda ORDER BY place, event`)
	if err != nil {
		return nil, fmt.Errorf("reading the agenda: %w", err)
	}
	return items, nil
}

// lastPlace returns a place after all others.
func lastPlace(ctx context.Context, tx *sql.Tx) (place int64, err error) {
	return place, tx.QueryRowContext(ctx, `SELECT coalesce(max(place), 0) + 1 FROM agenda`).Scan(&place)
}

func writeItem(ctx context.Context, tx *sql.Tx, i agenda.Item) error {
	if err := checkTime(i.Begin); err != nil {
		return fmt.Errorf("when it begins: %w", err)
	}
	begin := sql.NullString{String: formatTime(i.Begin), Valid: !i.Begin.IsZero()}
	series := sql.NullInt64{Int64: i.Series, Valid: i.Series != 0}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO agenda (event, place, wanted, not_before, wait, every, times, nth, series, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, i.Event, i.Place, string(i.Wanted), begin, int64(i.Wait), i.Every.String(), i.Times, i.Nth, series, i.Reason)
	return err
}

func readItem(row *sql.Rows) (i agenda.Item, err error) {
	var wanted, every string
	var begin sql.NullString
	var wait int64
	var series sql.NullInt64
	if err := row.Scan(&i.Event, &i.Place, &wanted, &begin, &wait, &every, &i.Times, &i.Nth, &series, &i.Reason); err != nil {
		return i, err
	}
	i.Wanted, i.Wait, i.Series = agenda.Wanted(wanted), time.Duration(wait), series.Int64
	if begin.Valid {
		if i.Begin, err = parseTime(begin.String); err != nil {
			return i, err
		}
	}
	i.Every, err = agenda.ParseEvery(every)
	return i, err
}
