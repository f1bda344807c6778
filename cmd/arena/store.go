package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/results"
)

func dbFlag() cli.Flag {
	return &cli.StringFlag{Name: "db", Value: "arena.db", Usage: "the database"}
}

// arenaStore is a results.Store as an arena wants it.
type arenaStore struct{ *results.Store }

func (s arenaStore) Journal(event int64) arena.Journal { return s.Store.Journal(event) }

func (s arenaStore) HasToken(ctx context.Context, role arena.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s arenaStore) ValidToken(ctx context.Context, role arena.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

// reading calls use with the command's database opened for reading.
func reading(c *cli.Context, use func(*results.Store) error) error {
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	return use(store)
}
