package results

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// VoidedMatch is a match that does not count any more, since it is played again. Its games stay in
// the database.
type VoidedMatch struct {
	tournament.Pairing
	Voided time.Time
	Games  []int64 // their numbers
}

// NotVoidableError is the reason why a match cannot be voided.
type NotVoidableError struct {
	Event int64
	Match int
	Why   string
}

func (e *NotVoidableError) Error() string {
	return fmt.Sprintf("match %d of event %d cannot be played again: %s", e.Match, e.Event, e.Why)
}

// Is reports whether target is [tournament.ErrNotVoidable].
func (e *NotVoidableError) Is(target error) bool { return target == tournament.ErrNotVoidable }

// Voidable returns nil if Void would void the match: the match is over, a fault has ended one of its games, no later
// match may depend on it, and its bots had not left the event before it. Otherwise it returns a *NotFoundError or a
// *NotVoidableError. Any other error comes from the database, and says nothing about the match.
func (s *Reader) Voidable(ctx context.Context, event int64, match int) error {
	return s.view(ctx, func(tx *sql.Tx) error {
		_, err := voidable(ctx, tx, event, match)
		return err
	})
}

// Void voids a match with a game that was lost by a fault. After that the event has no match with that number, so the
// match is played again when the event is resumed. Void returns the errors of Voidable. The event must not be in
// progress.
func (s *Store) Void(ctx context.Context, event int64, match int, at time.Time) error {
	err := s.update(ctx, func(tx *sql.Tx) error {
		id, err := voidable(ctx, tx, event, match)
		if err != nil {
			return err
		}
		return wrap(void(ctx, tx, id, event, at), "voiding match %d of event %d", match, event)
	})
	if err != nil {
		return err
	}
	s.ends.takenBack()
	return nil
}

func void(ctx context.Context, tx *sql.Tx, match, event int64, at time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE matches SET event = NULL, voided = ?, voided_of = ? WHERE id = ?`, formatTime(at), event, match)
	return err
}

// voidable returns the match's number in the database, or the error of Voidable.
func voidable(ctx context.Context, tx *sql.Tx, event int64, match int) (id int64, err error) {
	e, err := readEvent(ctx, tx, event)
	if err != nil {
		return 0, err
	}
	id, why, err := obstacle(ctx, tx, &e, match)
	switch {
	case err != nil:
		return 0, fmt.Errorf("reading match %d of event %d: %w", match, event, err)
	case why != "":
		return 0, &NotVoidableError{event, match, why}
	}
	return id, nil
}

// obstacle returns a match's number in the database, and the reason why the match cannot be voided, "" if it can.
func obstacle(ctx context.Context, tx *sql.Tx, e *tournament.Event, match int) (id int64, why string, err error) {
	p := tournament.Pairing{Match: match}
	row := tx.QueryRowContext(ctx, `SELECT id, round, first, second FROM matches WHERE event = ? AND number = ?`, e.ID, match)
	err = row.Scan(&id, &p.Round, &p.First, &p.Second)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "it has not begun", nil
	}
	if err == nil {
		why, err = withoutFault(ctx, tx, id)
	}
	if err == nil && why == "" {
		why, err = dependedOn(ctx, tx, e, p)
	}
	left := e.Withdrawn()
	for _, name := range left.Of(p) {
		why = cmp.Or(why, fmt.Sprintf("%q has left the event after match %d", name, left[name]))
	}
	return id, why, err
}

// withoutFault returns "" if a match is over and a fault has ended one of its games. Otherwise it returns the reason.
func withoutFault(ctx context.Context, tx *sql.Tx, match int64) (why string, err error) {
	finished, faults := 0, 0
	err = queryEach(ctx, tx, func(row *sql.Rows) error {
		var ending record.Ending
		err := row.Scan(&ending)
		finished++
		if ending.Fault() {
			faults++
		}
		return err
	}, `SELECT ending FROM games WHERE match = ? AND ending IS NOT NULL`, match)
	switch {
	case err != nil:
		return "", err
	case finished < 2:
		return "it is not over", nil
	case faults == 0:
		return "neither of its games was lost by a fault", nil
	}
	return "", nil
}

// dependedOn returns the reason why a match that has begun may depend on the result of p: it is of a later round, in a
// format that pairs by results. It returns "" if there is no such match.
func dependedOn(ctx context.Context, tx *sql.Tx, e *tournament.Event, p tournament.Pairing) (why string, err error) {
	if !format.Adapts(e.Settings.Plan) {
		return "", nil
	}
	var later, round int
	row := tx.QueryRowContext(ctx, `SELECT number, round FROM matches WHERE event = ? AND round > ? ORDER BY number LIMIT 1`, e.ID, p.Round)
	switch err := row.Scan(&later, &round); {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("its result has decided the pairing of match %d, of round %d, which has begun", later, round), nil
}

// Voided returns the voided matches of an event, the oldest first.
func (s *Reader) Voided(ctx context.Context, event int64) (all []VoidedMatch, err error) {
	var last int64
	err = queryEach(ctx, s.read, func(row *sql.Rows) error {
		var m VoidedMatch
		var id, game int64
		err := row.Scan(&id, &m.Match, &m.Round, &m.Nth, &m.First, &m.Second, asText{&m.Voided}, &game)
		if err != nil {
			return err
		}
		if id != last {
			all = append(all, m)
		}
		last = id
		of := &all[len(all)-1]
		of.Games = append(of.Games, game)
		return nil
	}, `SELECT matches.id, number, round, nth, first, second, voided, games.id FROM matches JOIN games ON match = matches.id
		WHERE voided_of = ? ORDER BY matches.id, leg`, event)
	return all, wrap(err, "listing the voided matches of event %d", event)
}
