package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// NotFoundError says that the database has no event or game of that number.
type NotFoundError struct {
	What string // "event" or "game"
	ID   int64
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %s %d in the database; list those that there are with: arena games", e.What, e.ID)
}

const eventColumns = `name, created, rules, size, seed, matches, per_move, base, increment, grace, concurrency, in_process, search, settings`

// CreateEvent records a new event with its entries and returns its number.
func (s *Store) CreateEvent(ctx context.Context, e tournament.Event) (id int64, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		id, err = createEvent(ctx, tx, &e)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("recording event %q: %w", e.Name, err)
	}
	return id, nil
}

func createEvent(ctx context.Context, tx *sql.Tx, e *tournament.Event) (id int64, err error) {
	settings, err := json.Marshal(e.Settings)
	if err != nil {
		return 0, fmt.Errorf("its settings: %w", err)
	}
	row := tx.QueryRowContext(ctx, `INSERT INTO events (`+eventColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		e.Name, formatTime(e.Created), e.Rules.String(), e.Size.String(), int64(e.Seed), e.Matches, int64(e.Clock.PerMove),
		int64(e.Clock.Base), int64(e.Clock.Increment), int64(e.Grace), e.Concurrency, e.InProcess, e.Search, string(settings))
	if err := row.Scan(&id); err != nil {
		return 0, err
	}
	return id, recordEntries(ctx, tx, id, e)
}

func recordEntries(ctx context.Context, tx *sql.Tx, id int64, e *tournament.Event) error {
	for seat, entry := range e.Entries {
		if _, err := tx.ExecContext(ctx, `INSERT INTO entries (event, seat, name, spec) VALUES (?, ?, ?, ?)`, id, seat, entry.Name, entry.Spec); err != nil {
			return err
		}
	}
	for _, stay := range e.Stays {
		if err := recordStay(ctx, tx, id, stay); err != nil {
			return err
		}
	}
	return nil
}

// Event finds an event. It returns a *NotFoundError if there is none of that
// number.
func (s *Store) Event(ctx context.Context, id int64) (tournament.Event, error) {
	return findEvent(ctx, s.read, id)
}

func findEvent(ctx context.Context, db querier, id int64) (tournament.Event, error) {
	e, err := scanEvent(db.QueryRowContext(ctx, `SELECT id, `+eventColumns+` FROM events WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return e, &NotFoundError{"event", id}
	}
	if err == nil {
		e.Entries, err = entries(ctx, db, id)
	}
	if err == nil {
		e.Stays, err = stays(ctx, db, id)
	}
	if err != nil {
		return e, fmt.Errorf("reading event %d: %w", id, err)
	}
	return e, nil
}

// LastEvent finds the event that was recorded last. It returns a *NotFoundError
// if there is none.
func (s *Store) LastEvent(ctx context.Context) (tournament.Event, error) {
	var id int64
	if err := s.read.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM events`).Scan(&id); err != nil {
		return tournament.Event{}, fmt.Errorf("looking for the last event: %w", err)
	}
	return s.Event(ctx, id)
}

func scanEvent(row *sql.Row) (e tournament.Event, err error) {
	var created, rules, size string
	var settings []byte
	err = row.Scan(&e.ID, &e.Name, &created, &rules, &size, &e.Seed, &e.Matches, &e.Clock.PerMove, &e.Clock.Base,
		&e.Clock.Increment, &e.Grace, &e.Concurrency, &e.InProcess, &e.Search, &settings)
	if err != nil {
		return e, err
	}
	e.Created, err = parseTime(created)
	return e, cmp.Or(err, e.Rules.UnmarshalText([]byte(rules)), e.Size.UnmarshalText([]byte(size)), json.Unmarshal(settings, &e.Settings))
}

func entries(ctx context.Context, db querier, event int64) ([]tournament.Entry, error) {
	return query(ctx, db, func(row *sql.Rows) (e tournament.Entry, err error) {
		return e, row.Scan(&e.Name, &e.Spec)
	}, `SELECT name, spec FROM entries WHERE event = ? ORDER BY seat`, event)
}

// EventsNamed lists the events of that name, the oldest first.
func (s *Store) EventsNamed(ctx context.Context, name string) ([]tournament.Event, error) {
	ids, err := s.eventIDs(ctx, "WHERE name = ?", name)
	if err != nil {
		return nil, fmt.Errorf("listing the events named %q: %w", name, err)
	}
	events := make([]tournament.Event, len(ids))
	for i, id := range ids {
		if events[i], err = s.Event(ctx, id); err != nil {
			return nil, err
		}
	}
	return events, nil
}

func (s *Store) eventIDs(ctx context.Context, where string, args ...any) ([]int64, error) {
	return query(ctx, s.read, func(row *sql.Rows) (id int64, err error) {
		return id, row.Scan(&id)
	}, `SELECT id FROM events `+where+` ORDER BY id`, args...)
}

// EventProgress is an event and how far it has come.
type EventProgress struct {
	tournament.Event
	Finished int // games
	Total    tournament.Total
	Over     bool // nothing is left to play
}

// Events lists all events, the oldest first.
func (s *Store) Events(ctx context.Context) ([]EventProgress, error) {
	ids, err := s.eventIDs(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("listing events: %w", err)
	}
	events := make([]EventProgress, len(ids))
	for i, id := range ids {
		if events[i], err = s.progress(ctx, id); err != nil {
			return nil, err
		}
	}
	return events, nil
}

func (s *Store) progress(ctx context.Context, id int64) (EventProgress, error) {
	e, err := s.Event(ctx, id)
	if err != nil {
		return EventProgress{}, err
	}
	p := EventProgress{Event: e}
	row := s.read.QueryRowContext(ctx, `SELECT count(*) FROM games JOIN matches ON matches.id = match WHERE event = ? AND ending IS NOT NULL`, id)
	if err := row.Scan(&p.Finished); err != nil {
		return p, fmt.Errorf("counting the games of event %d: %w", id, err)
	}
	if p.Total = format.New(e).Total(nil); p.Total.Bound == tournament.Exactly {
		p.Over = p.Finished == 2*p.Total.Matches
		return p, nil
	}
	done, err := s.Matches(ctx, e)
	p.Total, p.Over = format.New(e).Total(done), len(format.New(e).Next(done)) == 0
	return p, err
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func parseTime(text string) (time.Time, error) { return time.Parse(time.RFC3339Nano, text) }
