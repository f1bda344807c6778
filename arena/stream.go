package arena

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// followInterval is how often followers of an event hear of it at the most.
const followInterval = 100 * time.Millisecond

// stream answers with what follow has to say of an event, a line each, as soon as
// it says it.
func (s *Server) stream(follow func(ctx context.Context, f *feed, say func(any) error) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err != nil {
			return err
		}
		p, err := s.host.played(id)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		lines := json.NewEncoder(w)
		_ = follow(r.Context(), p.feed, func(line any) error {
			if err := lines.Encode(line); err != nil {
				return err
			}
			return http.NewResponseController(w).Flush()
		}) // the follower may leave at any time
		return nil
	}
}

// followProgress says the event's Progress each time it changes, until its state
// is final.
func followProgress(ctx context.Context, f *feed, say func(any) error) error {
	return f.follow(ctx, followInterval, func(now Progress) error { return say(f.detailed(now)) })
}

// followNews says the event's News until it has ended.
func followNews(ctx context.Context, f *feed, say func(any) error) error {
	reader := newsReader{feed: f, tell: func(n News) error { return say(n) }}
	return reader.read(ctx)
}
