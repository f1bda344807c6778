package arena

import (
	"context"
	"errors"
	"fmt"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// extend gives a recorded event more matches of each pairing; it never takes any away. It returns a *RequestError for an
// event that is being played, or whose pairings depend on the results so far.
func (h *host) extend(ctx context.Context, id int64, matches int) error {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return &RequestError{err}
	}
	if err := extendable(e, matches); err != nil {
		return &RequestError{fmt.Errorf("event %d cannot have %d matches: %w", id, matches, err)}
	}
	h.mu.Lock() // it is not resumed meanwhile
	defer h.mu.Unlock()
	if r := h.runs[id]; r != nil && !r.feed.final() {
		return &RequestError{fmt.Errorf("event %d is being played: it can have more matches when it is over or stopped", id)}
	}
	return h.store.Extend(ctx, id, matches)
}

// extendable returns why an event cannot have that number of matches, nil if it can. Where pairings follow from results, or
// where 0 matches mean no end, more matches would be another event.
func extendable(e tournament.Event, matches int) error {
	switch e.Settings.Plan.Kind {
	case "", format.RoundRobin, format.Gauntlet:
	default:
		return errors.New("only a round-robin or a gauntlet can be extended")
	}
	e.Matches = max(e.Matches, matches)
	return format.Validate(e)
}

// forMatches calls do with the event in a request's path and the number of matches in its body.
func forMatches(do func(ctx context.Context, id int64, matches int) error) handler {
	return forBody("the matches", func(ctx context.Context, id int64, body struct{ Matches int }) error {
		return do(ctx, id, body.Matches)
	})
}
