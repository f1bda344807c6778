package results

import (
	"context"
	"database/sql"
	"fmt"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// Announced is what the referee announced of a finished game.
type Announced struct {
	Plies       int
	Score       int
	LargestTile int
}

// Stored is a game as it is stored. Its times are whole microseconds.
type Stored struct {
	tournament.Game
	Event     int64
	Announced Announced // zero while the game is in progress
}

// Games calls each with every game that the filter lets through, in order, with
// its moves so far. Games in progress have their search reports whether they are
// wanted or not. All are read from the database as it is at one moment. An
// error of each ends it and is returned.
func (s *Store) Games(ctx context.Context, f Filter, each func(Stored) error) error {
	return s.view(ctx, func(tx *sql.Tx) error {
		return eachGame(ctx, tx, f, each)
	})
}

// Game finds a game, finished or in progress, with its search reports. It returns a *NotFoundError if
// there is none of that number.
func (s *Store) Game(ctx context.Context, id int64) (g Stored, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		g, err = findGame(ctx, tx, id)
		return err
	})
	return g, err
}

// FinishedGames lists the finished games of an event, without search reports.
func (s *Store) FinishedGames(ctx context.Context, event int64) ([]tournament.Game, error) {
	var games []tournament.Game
	err := s.Games(ctx, Filter{Event: event, Finished: true}, func(g Stored) error {
		games = append(games, g.Game)
		return nil
	})
	return games, err
}

func findGame(ctx context.Context, tx *sql.Tx, id int64) (found Stored, err error) {
	err = eachGame(ctx, tx, Filter{Game: id, Searches: true}, func(g Stored) error {
		found = g
		return nil
	})
	if err == nil && found.ID == 0 {
		err = &NotFoundError{"game", id}
	}
	return found, err
}

func eachGame(ctx context.Context, tx *sql.Tx, f Filter, each func(Stored) error) error {
	return eachGameRow(ctx, tx, f, func(row *gameRow) error {
		g, err := row.game()
		if err == nil && g.Record.Ending == record.Unfinished {
			err = readJournal(ctx, tx, &g.Game)
		}
		if err != nil {
			return fmt.Errorf("reading game %d: %w", row.id, err)
		}
		return each(g)
	})
}
