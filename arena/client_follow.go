package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// ErrLost says that the arena was lost while an event was followed.
var ErrLost = errors.New("the arena is gone")

// Follow calls show at each change until the event's state is final, and
// returns the final progress. It returns ErrLost if the arena goes away.
func (c *Client) Follow(ctx context.Context, event int64, show func(Progress)) (last Progress, err error) {
	return last, lines(ctx, c, fmt.Sprintf("/api/events/%d/progress", event), func(now Progress) (bool, error) {
		last = now
		show(now)
		return now.State.Final(), nil
	})
}

// FollowNews calls tell with all that happens in an event, from its start or
// resume on this arena until it has ended, and returns tell's error if there is
// one. It returns ErrLost if the arena goes away.
func (c *Client) FollowNews(ctx context.Context, event int64, tell func(News) error) error {
	return lines(ctx, c, fmt.Sprintf("/api/events/%d/news", event), func(n News) (bool, error) {
		return n.Type == EventFinished, tell(n)
	})
}

// lines asks for a stream of lines and calls each with them until it has the last
// one.
func lines[T any](ctx context.Context, c *Client, path string, each func(T) (last bool, err error)) error {
	body, err := c.open(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer body.Close()
	for stream := json.NewDecoder(body); ; {
		var line T
		if err := stream.Decode(&line); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		if last, err := each(line); err != nil || last {
			return err
		}
	}
}
