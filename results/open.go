package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"versus2048/tournament"
)

// openMatch is a match of which the journal has opened games.
type openMatch struct {
	matchRow
	recorded bool    // whether it was on record before the journal opened a game of it
	opened   [2]bool // by leg
	finished int     // games
}

// openGame is a game between its Open and its Finish.
type openGame struct {
	match  *openMatch
	row    gameRow
	stored atomic.Bool         // whether the row is in the database
	queue  chunk               // plies not yet written
	parts  []tournament.Origin // who has begun to play it on, not yet written
}

// Open begins the game, or finds it again with the plies that were stored. It returns ErrRecorded
// for a finished game, and an error if the game on record has other players, seeds or another start.
func (j *Journal) Open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	j.opening.Lock()
	defer j.opening.Unlock()
	found, err := j.open(ctx, g)
	if err != nil {
		return g, fmt.Errorf("opening game %d of match %d: %w", g.Leg, g.Match, err)
	}
	j.wake()
	return found, nil
}

func (j *Journal) open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	m, err := j.match(ctx, g.Match)
	if err != nil {
		return g, err
	}
	opened := &openGame{match: m}
	found := false
	if m.opened[g.Leg-1] {
		err = j.Flush(ctx) // what was opened here before may not be on record yet
	}
	if err == nil && (m.recorded || m.opened[g.Leg-1]) {
		found, err = j.find(ctx, m.id, &g)
	}
	if err != nil {
		return g, err
	}
	if !found {
		g.ID = j.store.rows.lastGame.Add(1)
		g.Started = g.Started.UTC()
		g.Record.Game, g.Record.Date = strconv.FormatInt(g.ID, 10), g.Started.Format(time.DateOnly)
	}
	opened.row, opened.queue.first = newGameRow(j.event, &g), len(g.Record.Moves)
	opened.stored.Store(found)
	m.opened[g.Leg-1] = true
	j.mu.Lock()
	defer j.mu.Unlock()
	j.games[g.ID] = opened
	return g, nil
}

// match returns the match with this number, which may be new.
func (j *Journal) match(ctx context.Context, number int) (*openMatch, error) {
	if j.highest < 0 {
		row := j.store.read.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM matches WHERE event = ?`, j.event)
		if err := row.Scan(&j.highest); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	m := j.matches[number]
	j.mu.Unlock()
	if m != nil {
		return m, nil
	}
	m, err := j.newMatch(ctx, number)
	if err != nil {
		return nil, err
	}
	j.highest = max(j.highest, number)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.matches[number] = m
	return m, nil
}

// newMatch finds the match on record, or gives it a number of its own. Numbers above the highest are
// not on record.
func (j *Journal) newMatch(ctx context.Context, number int) (*openMatch, error) {
	m := &openMatch{}
	if number <= j.highest {
		row := j.store.read.QueryRowContext(ctx, `SELECT id FROM matches WHERE event = ? AND number = ?`, j.event, number)
		switch err := row.Scan(&m.id); {
		case err == nil:
			m.stored.Store(true)
			m.recorded = true
			return m, nil
		case !errors.Is(err, sql.ErrNoRows):
			return nil, err
		}
	}
	m.id = j.store.rows.lastMatch.Add(1)
	return m, nil
}

// find replaces g by the game that is on record in its place, and reports whether there is one.
func (j *Journal) find(ctx context.Context, match int64, g *tournament.Game) (found bool, err error) {
	err = j.store.view(ctx, func(tx *sql.Tx) error {
		var id int64
		row := tx.QueryRowContext(ctx, `SELECT id FROM games WHERE match = ? AND leg = ?`, match, g.Leg)
		if err := row.Scan(&id); err != nil {
			return err
		}
		stored, err := findGame(ctx, tx, id)
		if err == nil {
			err = sameGame(&stored.Game, g)
		}
		*g = stored.Game
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// forget drops a game that is recorded, and its match after both games. The caller holds mu.
func (j *Journal) forget(g *openGame) {
	delete(j.games, g.row.id)
	if g.match.finished++; g.match.finished == 2 {
		delete(j.matches, g.row.pairing.Match)
	}
}
