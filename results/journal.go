package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

// flushInterval is how long plies wait for company before they are written.
const flushInterval = 50 * time.Millisecond

// Journal keeps the games of one event while they are played: it is a
// tournament.Journal. Plies are written while Run runs.
type Journal struct {
	store *Store
	event int64

	writing sync.Mutex // held while a transaction writes plies or finishes a game

	mu      sync.Mutex
	pending map[int64]*chunk // plies not written yet, by game
	waiting chan struct{}    // has an element while there are such
}

// chunk is consecutive plies of one game, packed.
type chunk struct {
	first int // index of the first one in the game
	moves []byte
	times []byte
}

// Journal is the journal of an event.
func (s *Store) Journal(event int64) *Journal {
	return &Journal{store: s, event: event, pending: map[int64]*chunk{}, waiting: make(chan struct{}, 1)}
}

// Open begins the game, or finds it again with the plies that were kept.
func (j *Journal) Open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	err := within(ctx, j.store.db, func(tx *sql.Tx) error {
		var match int64
		row := tx.QueryRowContext(ctx, `INSERT INTO matches (event, number, first, second) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET number = number RETURNING id`, j.event, g.Match, g.First, g.Second)
		if err := row.Scan(&match); err != nil {
			return err
		}
		r := &g.Record
		row = tx.QueryRowContext(ctx, `INSERT INTO games (match, leg, attacker, defender, attacker_seed, defender_seed, start, started)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET leg = leg RETURNING id`,
			match, g.Leg, r.Attacker, r.Defender, int64(r.AttackerSeed), int64(r.DefenderSeed), formatStart(r.Start), formatTime(g.Started))
		return row.Scan(&g.ID)
	})
	if err != nil {
		return g, fmt.Errorf("opening game %d of match %d: %w", g.Leg, g.Match, err)
	}
	stored, err := j.store.Game(ctx, g.ID)
	if err != nil {
		return g, err
	}
	if stored.Record.Ending != rules.Unfinished {
		return g, fmt.Errorf("game %d is finished already", g.ID)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pending[g.ID] = &chunk{first: len(stored.Record.Moves)}
	return stored.Game, nil
}

// readJournal reads the plies that were kept of a game in progress.
func (s *Store) readJournal(ctx context.Context, g *tournament.Game) error {
	chunks, err := query(ctx, s.db, func(row *sql.Rows) (c chunk, err error) {
		return c, row.Scan(&c.first, &c.moves, &c.times)
	}, `SELECT ply, moves, times FROM journal WHERE game = ? ORDER BY ply`, g.ID)
	if err != nil {
		return fmt.Errorf("reading the journal of game %d: %w", g.ID, err)
	}
	r := &g.Record
	for _, c := range chunks {
		times, lags, err := unpackTimes(c.times)
		if err != nil || c.first != len(r.Moves) || len(times) != len(c.moves) {
			return fmt.Errorf("the journal of game %d is damaged at ply %d", g.ID, c.first)
		}
		for _, m := range c.moves {
			r.Moves = append(r.Moves, rules.Move(m))
		}
		r.Times, r.Lags = append(r.Times, times...), append(r.Lags, lags...)
	}
	return nil
}

// Append queues a ply of an open game.
func (j *Journal) Append(game int64, ply tournament.Ply) {
	j.mu.Lock()
	c := j.pending[game]
	c.moves = append(c.moves, byte(ply.Move))
	c.times = appendTimes(c.times, ply)
	j.mu.Unlock()
	select {
	case j.waiting <- struct{}{}:
	default:
	}
}

// Run writes queued plies, those of all games in one transaction, until ctx
// ends; then it writes the rest. It returns an error if plies could not be
// written.
func (j *Journal) Run(ctx context.Context) error {
	for {
		select {
		case <-j.waiting:
		case <-ctx.Done():
			return j.Flush(context.WithoutCancel(ctx))
		}
		select {
		case <-time.After(flushInterval):
		case <-ctx.Done():
		}
		if err := j.Flush(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
}

// Flush writes what is queued now.
func (j *Journal) Flush(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	batch := j.take()
	if len(batch) == 0 {
		return nil
	}
	err := within(ctx, j.store.db, func(tx *sql.Tx) error {
		for game, c := range batch {
			if _, err := tx.ExecContext(ctx, `INSERT INTO journal (game, ply, moves, times) VALUES (?, ?, ?, ?)`, game, c.first, c.moves, c.times); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	return nil
}

// take takes all queued plies.
func (j *Journal) take() map[int64]chunk {
	j.mu.Lock()
	defer j.mu.Unlock()
	batch := map[int64]chunk{}
	for game, c := range j.pending {
		if len(c.moves) > 0 {
			batch[game] = *c
			*c = chunk{first: c.first + len(c.moves)}
		}
	}
	return batch
}

// ErrRecorded says that the game has its final record already.
var ErrRecorded = errors.New("the game is recorded already")

// Finish records the finished game and removes its journal. When it returns nil
// the game is on disk.
func (j *Journal) Finish(ctx context.Context, g tournament.Game) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	delete(j.pending, g.ID)
	j.mu.Unlock()
	err := within(ctx, j.store.db, func(tx *sql.Tx) error {
		r, announced := &g.Record, tournament.Summarize(&g)
		done, err := tx.ExecContext(ctx, `UPDATE games SET finished = ?, ending = ?, detail = ?, turns = ?, times = ?, plies = ?, score = ?, largest_tile = ?
			WHERE id = ? AND ending IS NULL`,
			formatTime(g.Finished), string(r.Ending), r.Detail, rules.PackTurns(r.Moves), packTimes(r), len(r.Moves), announced.Score, announced.LargestTile, g.ID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, ErrRecorded)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM journal WHERE game = ?`, g.ID)
		return err
	})
	if err != nil {
		return fmt.Errorf("recording game %d: %w", g.ID, err)
	}
	return nil
}

func packTimes(r *rules.Record) []byte {
	packed := []byte{}
	for i := range r.Times {
		packed = appendTimes(packed, tournament.Ply{Time: r.Times[i], Lag: r.Lags[i]})
	}
	return packed
}

// Finished lists the event's finished games.
func (j *Journal) Finished(ctx context.Context) ([]tournament.Game, error) {
	return j.store.FinishedGames(ctx, j.event)
}

// FinishedGames lists the finished games of an event.
func (s *Store) FinishedGames(ctx context.Context, event int64) ([]tournament.Game, error) {
	var games []tournament.Game
	err := s.Games(ctx, Filter{Event: event, Finished: true}, func(g Stored) error {
		games = append(games, g.Game)
		return nil
	})
	return games, err
}

// Identify notes what a participant of the event says of itself.
func (j *Journal) Identify(ctx context.Context, id tournament.Identity) error {
	err := within(ctx, j.store.db, func(tx *sql.Tx) error {
		var bot int64
		row := tx.QueryRowContext(ctx, `INSERT INTO bots (name, version, author, spec) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET name = name RETURNING id`, id.Name, id.Version, id.Author, id.Spec)
		if err := row.Scan(&bot); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO participants (event, bot) VALUES (?, ?) ON CONFLICT DO NOTHING`, j.event, bot)
		return err
	})
	if err != nil {
		return fmt.Errorf("noting bot %q: %w", id.Name, err)
	}
	return nil
}
