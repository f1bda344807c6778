package players

import (
	"context"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// WithMargin gives p a deadline that is earlier by margin, so that its answer
// has time to travel. It never takes more than half of what is left, and
// nothing if there is no deadline. It reports p's searches.
func WithMargin(p Player, margin time.Duration) Searcher { return early{p, margin} }

type early struct {
	player Player
	margin time.Duration
}

func (e early) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if deadline, ok := ctx.Deadline(); ok {
		margin := max(0, min(e.margin, time.Until(deadline)/2))
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-margin))
		defer cancel()
	}
	return e.player.Choose(ctx, p)
}

// LastSearch implements Searcher, with nil for a player that does not.
func (e early) LastSearch() *record.SearchReport {
	if s, ok := e.player.(Searcher); ok {
		return s.LastSearch()
	}
	return nil
}
