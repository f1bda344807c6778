package results

import (
	"context"
	"database/sql"
	"fmt"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// chunk is consecutive plies of one game, packed: a row of the journal.
type chunk struct {
	first int    // index of the first one in the game
	moves []byte // a byte a ply
	times []byte // see appendTimes

	searches []*record.SearchReport // one a ply, or none at all
}

func (c *chunk) append(ply tournament.Ply) {
	c.moves = append(c.moves, byte(ply.Move))
	c.times = appendTimes(c.times, ply.Time, ply.Lag)
	c.searches = append(c.searches, ply.Search)
}

// newChunk is all plies of a game.
func newChunk(r *record.Record) (c chunk, err error) {
	if c.times, err = packTimes(r); err != nil {
		return c, err
	}
	for _, m := range r.Moves {
		c.moves = append(c.moves, byte(m))
	}
	c.searches = r.Searches
	return c, nil
}

// drop takes the plies of head, with which c begins, from c.
func (c *chunk) drop(head chunk) {
	c.first += len(head.moves)
	c.moves = c.moves[len(head.moves):]
	c.times = c.times[len(head.times):]
	c.searches = c.searches[len(head.searches):]
}

// write writes the chunk. It may be there already, from a commit that took
// place although it was reported as failed.
func (c *chunk) write(ctx context.Context, tx *sql.Tx, game int64) error {
	searches, err := formatSearches(c.searches)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO journal (game, ply, moves, times, searches) VALUES (?, ?, ?, ?, ?)`,
		game, c.first, c.moves, c.times, searches)
	return err
}

// readJournal reads the plies that were kept of a game in progress and plays
// them again.
func readJournal(ctx context.Context, tx *sql.Tx, g *tournament.Game) error {
	err := queryEach(ctx, tx, func(row *sql.Rows) error {
		var c chunk
		var searches []byte
		err := row.Scan(&c.first, &c.moves, &c.times, &searches)
		if err == nil {
			c.searches, err = parseSearches(searches)
		}
		if err != nil {
			return err
		}
		return c.appendTo(&g.Record)
	}, `SELECT ply, moves, times, searches FROM journal WHERE game = ? ORDER BY ply`, g.ID)
	if err == nil {
		_, err = g.Record.Replay()
	}
	if err != nil {
		return fmt.Errorf("its journal: %w", err)
	}
	return nil
}

// appendTo appends the chunk's plies to the game that they continue.
func (c *chunk) appendTo(r *record.Record) error {
	times, lags, err := unpackTimes(c.times)
	switch {
	case err != nil:
		return fmt.Errorf("plies from %d on: %w", c.first, err)
	case c.first != len(r.Moves):
		return fmt.Errorf("after %d plies comes ply %d", len(r.Moves), c.first)
	case len(times) != len(c.moves):
		return fmt.Errorf("plies from %d on: %d moves with %d times", c.first, len(c.moves), len(times))
	case c.searches != nil && len(c.searches) != len(c.moves):
		return fmt.Errorf("plies from %d on: %d moves with %d search reports", c.first, len(c.moves), len(c.searches))
	}
	for i, m := range c.moves {
		r.Moves = append(r.Moves, rules.Move(m))
		var search *record.SearchReport
		if c.searches != nil {
			search = c.searches[i]
		}
		r.AddSearch(search)
	}
	r.Times, r.Lags = append(r.Times, times...), append(r.Lags, lags...)
	return nil
}
