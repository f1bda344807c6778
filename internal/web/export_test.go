package web

import (
	"context"
	"sync/atomic"

	"versus2048/internal/web/live"
)

// CountLooks counts the looks at events, boards and games for their watchers. Call it before the first request.
func (s *Site) CountLooks() *atomic.Int64 {
	var looks atomic.Int64
	s.events = live.NewStates(eventInterval, func(ctx context.Context, id int64, last *eventNews) (*eventNews, live.Wait, error) {
		looks.Add(1)
		return s.lookAtEvent(ctx, id, last)
	}, func(now *eventNews) any { return now.shown })
	s.boards = live.NewStates(boardsInterval, func(ctx context.Context, id int64, last *boardsState) (*boardsState, live.Wait, error) {
		looks.Add(1)
		return s.boardsOf(ctx, id, last)
	}, func(now *boardsState) any { return now })
	s.games = live.NewGames(func(ctx context.Context, game int64, last *live.Snapshot) (*live.Snapshot, error) {
		looks.Add(1)
		return s.snapshot(ctx, game, last)
	})
	return &looks
}
