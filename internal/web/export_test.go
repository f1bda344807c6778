package web

import (
	"context"
	"sync/atomic"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/results"
)

// Looks are the streams of events, of boards and of games, each by its number, with the number of looks for them.
type Looks struct {
	atomic.Int64
	Event, Boards, Game func(ctx context.Context, to *live.Stream, id int64) error
}

// NewLooks returns the streams of an arena.
func NewLooks(arena *server.Server, store *results.Store) *Looks {
	l, find, all := &Looks{}, &finder{arena: arena, store: store}, archive.New(store, arena)
	e, b := &events{arena: arena, store: store, archive: all}, &boards{arena: arena, store: store, archive: all, find: find}
	states := live.NewStates(eventInterval, func(ctx context.Context, id int64, last *eventNews) (*eventNews, live.Wait, error) {
		l.Add(1)
		return e.lookAtEvent(ctx, id, last)
	}, func(now *eventNews) any { return now.shown })
	tiles := live.NewStates(boardsInterval, func(ctx context.Context, id int64, last *boardsState) (*boardsState, live.Wait, error) {
		l.Add(1)
		return b.boardsOf(ctx, id, last)
	}, func(now *boardsState) any { return now })
	games := live.NewGames(func(ctx context.Context, game int64, last *live.Snapshot) (*live.Snapshot, error) {
		l.Add(1)
		return find.snapshot(ctx, game, last)
	})
	l.Event = func(ctx context.Context, to *live.Stream, id int64) error { return states.Follow(ctx, to, id, "") }
	l.Boards = func(ctx context.Context, to *live.Stream, id int64) error { return tiles.Follow(ctx, to, id, "") }
	l.Game = func(ctx context.Context, to *live.Stream, id int64) error {
		return games.Follow(ctx, to, id, 0, (*live.Snapshot).Over)
	}
	return l
}
