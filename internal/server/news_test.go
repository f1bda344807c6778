package server_test

import (
	"errors"
	"testing"

	"versus2048/internal/server"
)

// The news of an event have each of its games and matches, in order, and end with the event's end.
func TestNews(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	setup := local(5)
	setup.Concurrency = 3
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	ended(t, c, event)
	for range 2 { // a late reader gets the same news
		counts := map[server.NewsType]int{}
		open := map[int64]bool{}
		var all []server.News
		if err := c.FollowNews(t.Context(), event, func(n server.News) error {
			counts[n.Type]++
			all = append(all, n)
			switch n.Type {
			case server.GameStarted:
				open[n.Game.Game] = true
			case server.GameFinished:
				if !open[n.Game.Game] || n.Game.Ending != "mate" || n.Game.Plies == 0 || n.Game.Turns == 0 || n.Game.Score == 0 {
					t.Errorf("bad end of game %+v", n.Game)
				}
				delete(open, n.Game.Game)
			}
			if n.Version != server.NewsVersion || n.Event != event || n.Time.IsZero() {
				t.Errorf("news %+v", n)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if counts[server.GameStarted] != 10 || counts[server.GameFinished] != 10 || counts[server.MatchFinished] != 5 || len(open) > 0 || counts[server.FaultCommitted] != 0 {
			t.Errorf("news by type %v, games without an end %v", counts, open)
		}
		last, standings := all[len(all)-1], all[len(all)-2]
		if all[0].Type != server.EventStarted || last.Type != server.EventFinished || last.Progress.State != server.Finished || last.Progress.Done != 10 {
			t.Errorf("first %+v, last %+v", all[0], last)
		}
		if standings.Type != server.StandingsChanged || standings.Standings.Places[0].Played != 5 {
			t.Errorf("before the end: %+v", standings)
		}
	}
	enough := errors.New("enough")
	if err := c.FollowNews(t.Context(), event, func(server.News) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	if err := c.FollowNews(t.Context(), 7, func(server.News) error { return nil }); err == nil {
		t.Error("news of an event that does not exist")
	}
}
