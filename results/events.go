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
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// NotFoundError means that the database has no event or game with that number.
type NotFoundError struct {
	What string // "event" or "game"
	ID   int64
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %s %d in the database; list the %ss with: %s", e.What, e.ID, e.What, e.List())
}

// List returns the command that lists events or games.
func (e *NotFoundError) List() string {
	if e.What == "game" {
		return "arena games"
	}
	return "arena event list"
}

// Is reports whether target is [tournament.ErrUnknownEvent] and the database lacks an event, not a game.
func (e *NotFoundError) Is(target error) bool {
	return e.What == "event" && target == tournament.ErrUnknownEvent
}

// eventColumns are the columns of an event, in the order of writeEvent and readEvent.
const eventColumns = `name, created, rules, size, seed, matches, per_move, base, increment, grace, concurrency, in_process, search, settings`

// CreateEvent records a new event with its entries and returns its number.
func (s *Store) CreateEvent(ctx context.Context, e tournament.Event) (id int64, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		id, err = writeEvent(ctx, tx, &e)
		return err
	})
	return id, wrap(err, "recording event %q", e.Name)
}

// writeEvent inserts an event with its entries and memberships.
func writeEvent(ctx context.Context, tx *sql.Tx, e *tournament.Event) (id int64, err error) {
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
	for seat, entry := range e.Entries {
		if _, err := tx.ExecContext(ctx, `INSERT INTO entries (event, seat, name, spec) VALUES (?, ?, ?, ?)`, id, seat, entry.Name, entry.Spec); err != nil {
			return 0, err
		}
	}
	for _, m := range e.Memberships {
		if err := writeMembership(ctx, tx, id, m); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// readEvent reads an event with its entries and memberships. It returns a *NotFoundError if there is
// no event with that number.
func readEvent(ctx context.Context, db querier, id int64) (e tournament.Event, err error) {
	var settings []byte
	row := db.QueryRowContext(ctx, `SELECT id, `+eventColumns+` FROM events WHERE id = ?`, id)
	err = row.Scan(&e.ID, &e.Name, asText{&e.Created}, asText{&e.Rules}, asText{&e.Size}, &e.Seed, &e.Matches, &e.Clock.PerMove, &e.Clock.Base,
		&e.Clock.Increment, &e.Grace, &e.Concurrency, &e.InProcess, &e.Search, &settings)
	if errors.Is(err, sql.ErrNoRows) {
		return e, &NotFoundError{"event", id}
	}
	if err == nil {
		err = json.Unmarshal(settings, &e.Settings)
	}
	if err == nil {
		err = format.Known(e.Settings.Plan)
	}
	if err == nil {
		e.Entries, err = readEntries(ctx, db, id)
	}
	if err == nil {
		e.Memberships, err = readMemberships(ctx, db, id)
	}
	return e, wrap(err, "reading event %d", id)
}

func readEntries(ctx context.Context, db querier, event int64) ([]tournament.Entry, error) {
	return query(ctx, db, func(row *sql.Rows) (e tournament.Entry, err error) {
		err = row.Scan(&e.Name, &e.Spec)
		return e, err
	}, `SELECT name, spec FROM entries WHERE event = ? ORDER BY seat`, event)
}

// Event returns the event with that number. It returns a *NotFoundError if there is none.
func (s *Reader) Event(ctx context.Context, id int64) (e tournament.Event, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		e, err = readEvent(ctx, tx, id)
		return err
	})
	return e, err
}

// LastEvent returns the newest event with a finished game. If no event has one, it returns the newest event. Thus an
// event that could not start does not hide an earlier one. LastEvent returns a *NotFoundError if there is no event.
func (s *Reader) LastEvent(ctx context.Context) (tournament.Event, error) {
	var id int64
	if err := s.read.QueryRowContext(ctx, `SELECT coalesce((SELECT id FROM events
		WHERE EXISTS (SELECT 1 FROM matches JOIN games ON match = matches.id WHERE event = events.id AND ending IS NOT NULL)
		ORDER BY id DESC LIMIT 1), max(id), 0) FROM events`).Scan(&id); err != nil {
		return tournament.Event{}, fmt.Errorf("looking for the last event: %w", err)
	}
	return s.Event(ctx, id)
}

// EventsNamed returns the events with that name, the oldest first.
func (s *Reader) EventsNamed(ctx context.Context, name string) ([]tournament.Event, error) {
	ids, err := s.eventIDs(ctx, "WHERE name = ?", name)
	if err != nil {
		return nil, err
	}
	events := make([]tournament.Event, len(ids))
	for i, id := range ids {
		if events[i], err = s.Event(ctx, id); err != nil {
			return nil, err
		}
	}
	return events, nil
}

func (s *Reader) eventIDs(ctx context.Context, where string, args ...any) ([]int64, error) {
	ids, err := query(ctx, s.read, scanOne[int64], `SELECT id FROM events `+where+` ORDER BY id`, args...)
	return ids, wrap(err, "listing events")
}

// EventProgress is an event with its progress.
type EventProgress struct {
	tournament.Event
	Finished int // games
	Total    tournament.Total
	Over     bool // no match is left, and no bot that joins could bring more
}

// Events returns all events, the oldest first.
func (s *Reader) Events(ctx context.Context) ([]EventProgress, error) {
	ids, err := s.eventIDs(ctx, "")
	if err != nil {
		return nil, err
	}
	events := make([]EventProgress, len(ids))
	for i, id := range ids {
		if events[i], err = s.Progress(ctx, id); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// Progress returns an event and its progress. It returns a *NotFoundError if there is no such event.
func (s *Reader) Progress(ctx context.Context, id int64) (EventProgress, error) {
	e, err := s.Event(ctx, id)
	if err != nil {
		return EventProgress{}, err
	}
	p := EventProgress{Event: e}
	if err := s.read.QueryRowContext(ctx, `SELECT count(*)`+finishedOf, id).Scan(&p.Finished); err != nil {
		return p, fmt.Errorf("counting the games of event %d: %w", id, err)
	}
	f := format.New(e)
	if p.Total = f.Total(); p.Total.Bound == tournament.Exactly {
		p.Over = p.Finished == 2*p.Total.Matches
		return p, nil
	}
	err = s.EachMatch(ctx, e, f.Add)
	f.SetLineup(e) // required once all recorded matches have been added
	p.Total = f.Total()
	_, left := f.Next(tournament.Everyone{})
	p.Over = !left && !p.Total.Open()
	return p, err
}

// The limits of the earlier games that a forecast reads.
const (
	forecastLooks  = 200 // latest events on the same board under the same rules; the others are ignored
	forecastEvents = 20  // latest of these that have a game for the forecast
	forecastGames  = 50  // last games of each
)

// Forecast returns the expected duration of an event. It follows from earlier games of the event's bots on the same
// board under the same rules, with the same clock, budget and adjudication. The event must be valid.
func (s *Reader) Forecast(ctx context.Context, e tournament.Event) (report.Forecast, error) {
	f := report.NewForecaster(e)
	ids, err := query(ctx, s.read, scanOne[int64], `SELECT id FROM events WHERE rules = ? AND size = ? AND id != ?
		ORDER BY id DESC LIMIT ?`, e.Rules.String(), e.Size.String(), e.ID, forecastLooks)
	if err != nil {
		return report.Forecast{}, fmt.Errorf("looking for earlier games: %w", err)
	}
	for read := 0; len(ids) > 0 && read < forecastEvents; ids = ids[1:] {
		earlier, err := s.Event(ctx, ids[0])
		if err != nil {
			return report.Forecast{}, err
		}
		if !f.Like(earlier) {
			continue
		}
		counts := false
		if err := s.Games(ctx, Filter{Event: earlier.ID, Finished: true, Last: forecastGames}, func(g Stored) error {
			counts = f.Add(earlier, &g.Record) || counts
			return nil
		}); err != nil {
			return report.Forecast{}, err
		}
		if counts {
			read++
		}
	}
	return f.Forecast(), nil
}

// Extend raises the number of matches of each pairing, and never lowers that number. The games on record are the same
// in the longer event, because matches are numbered round by round and a game's seeds follow from its match's number.
// Extend returns a *NotFoundError if there is no such event.
func (s *Store) Extend(ctx context.Context, event int64, matches int) error {
	if _, err := s.Event(ctx, event); err != nil {
		return err
	}
	err := s.execute(ctx, `UPDATE events SET matches = ? WHERE id = ? AND matches < ?`, matches, event, matches)
	return wrap(err, "extending event %d to %d matches", event, matches)
}

// writeIdentity records an identity of one of the event's bots, unless it is already recorded, and
// returns its number.
func writeIdentity(ctx context.Context, tx *sql.Tx, event int64, id tournament.Identity) (bot int64, err error) {
	row := tx.QueryRowContext(ctx, `INSERT INTO bots (name, version, author, spec) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id`, id.Name, id.Version, id.Author, id.Spec)
	if err := row.Scan(&bot); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO participants (event, bot) VALUES (?, ?) ON CONFLICT DO NOTHING`, event, bot)
	return bot, err
}

// writeMembership records a membership, or the last match of one that is already recorded.
func writeMembership(ctx context.Context, tx *sql.Tx, event int64, m tournament.Membership) error {
	last := sql.NullInt64{Int64: int64(m.To), Valid: m.To != tournament.NotLeft}
	_, err := tx.ExecContext(ctx, `INSERT INTO stays (event, name, first_match, last_match) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET last_match = excluded.last_match`, event, m.Name, m.From, last)
	return err
}

// readMemberships returns the memberships of the event's bots, each bot's in order.
func readMemberships(ctx context.Context, db querier, event int64) ([]tournament.Membership, error) {
	return query(ctx, db, func(row *sql.Rows) (m tournament.Membership, err error) {
		err = row.Scan(&m.Name, &m.From, &m.To)
		return m, err
	}, `SELECT name, first_match, coalesce(last_match, ?) FROM stays WHERE event = ? ORDER BY name, first_match`, tournament.NotLeft, event)
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// checkTime returns an error for a time that parseTime cannot read again, because its year in UTC
// does not have four digits.
func checkTime(t time.Time) error {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return fmt.Errorf("the time %v: want a year from 0 to 9999 in UTC", t)
	}
	return nil
}

func parseTime(text string) (time.Time, error) { return time.Parse(time.RFC3339Nano, text) }

// Plan records a new event together with its item of the agenda, and other items, which belong to recorded events. It
// records all of them or none. It returns the item with the event's number and the last place. The first event of a
// series gives the series its number.
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
	return item, wrap(err, "recording event %q", e.Name)
}

// Note records an item of a recorded event, and replaces an earlier one. An item without a place
// gets the last place. Note returns the item.
func (s *Store) Note(ctx context.Context, item agenda.Item) (agenda.Item, error) {
	err := s.update(ctx, func(tx *sql.Tx) (err error) {
		if item.Place == 0 {
			item.Place, err = lastPlace(ctx, tx)
		}
		return cmp.Or(err, writeItem(ctx, tx, item))
	})
	return item, wrap(err, "recording the wanted state of event %d", item.Event)
}

// Drop removes an event from the agenda, because the event is over, or because no arena is to play
// it by itself. Drop does nothing if the event is not on the agenda.
func (s *Store) Drop(ctx context.Context, event int64) error {
	err := s.execute(ctx, `DELETE FROM agenda WHERE event = ?`, event)
	return wrap(err, "taking event %d off the agenda", event)
}

// Agenda returns the items of the agenda, by their places.
func (s *Reader) Agenda(ctx context.Context) ([]agenda.Item, error) {
	items, err := query(ctx, s.read, readItem,
		`SELECT event, place, wanted, not_before, wait, every, times, nth, coalesce(series, 0), reason FROM agenda ORDER BY place, event`)
	return items, wrap(err, "reading the agenda")
}

// lastPlace returns a place after all others.
func lastPlace(ctx context.Context, tx *sql.Tx) (place int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(place), 0) + 1 FROM agenda`).Scan(&place)
	return place, err
}

func writeItem(ctx context.Context, tx *sql.Tx, i agenda.Item) error {
	if err := checkTime(i.Begin); err != nil {
		return fmt.Errorf("its beginning: %w", err)
	}
	begin := sql.NullString{String: formatTime(i.Begin), Valid: !i.Begin.IsZero()}
	series := sql.NullInt64{Int64: i.Series, Valid: i.Series != 0}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO agenda (event, place, wanted, not_before, wait, every, times, nth, series, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, i.Event, i.Place, string(i.Wanted), begin, int64(i.Wait), i.Every.String(), i.Times, i.Nth, series, i.Reason)
	return err
}

func readItem(row *sql.Rows) (i agenda.Item, err error) {
	err = row.Scan(&i.Event, &i.Place, &i.Wanted, asText{&i.Begin}, &i.Wait, asText{&i.Every}, &i.Times, &i.Nth, &i.Series, &i.Reason)
	return i, err
}
