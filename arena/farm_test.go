package arena_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"versus2048/arena"
	"versus2048/tournament"
)

// doubtfulFarm plays in this process. After three matches it takes its worker for a liar; later it has another one.
type doubtfulFarm struct{ matches atomic.Int64 }

func (f *doubtfulFarm) Venue() arena.Venue { return doubtfulVenue{f} }

func (f *doubtfulFarm) Workers() []arena.Worker {
	return []arena.Worker{{Name: "honest", Host: "box", Games: 2}, {Name: "liar", Aside: "it plays otherwise"}}
}

type doubtfulVenue struct{ farm *doubtfulFarm }

func (doubtfulVenue) Takes(...tournament.Entry) bool { return true }
func (doubtfulVenue) Room() int                      { return 2 }
func (doubtfulVenue) Changed() <-chan struct{}       { return nil }
func (doubtfulVenue) Close()                         {}

func (v doubtfulVenue) Play(ctx context.Context, s tournament.Sheet, d tournament.Desk) error {
	n := v.farm.matches.Add(1)
	if n == 4 {
		return &tournament.DistrustError{Worker: "liar", Why: "it plays otherwise"}
	}
	hall := tournament.Hall{Bots: map[string]tournament.Bot{}}
	for _, entry := range s.Event.Entries {
		bot, err := tournament.NewLocalBot(s.Event, entry, "test", nil)
		if err != nil {
			return err
		}
		hall.Bots[entry.Name] = bot
	}
	worker := "honest"
	if n < 4 {
		worker = "liar"
	}
	return hall.Play(ctx, s, signed{d, worker})
}

// signed says who has played a game.
type signed struct {
	tournament.Desk
	worker string
}

func (s signed) Ended(g tournament.Game) error {
	g.Origin.Worker = s.worker
	return s.Desk.Ended(g)
}

// The games of a worker that is not to be trusted are taken back, and the event is played on.
func TestDistrustedGamesArePlayedAgain(t *testing.T) {
	store := newStore()
	c := serve(t, store, func(config *arena.Config) { config.Farm = new(doubtfulFarm) })
	setup := local(6)
	setup.InProcess = false // no bot is started as a process: all play on workers
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	last := ended(t, c, event)
	for ; last.State == arena.Interrupted; last = ended(t, c, event) { // followers that are quick enough see why
		if !strings.Contains(last.Message, "played again") || !strings.Contains(last.Message, "liar") {
			t.Errorf("the event is interrupted: %q", last.Message)
		}
	}
	if last.State != arena.Finished {
		t.Fatalf("the event is %s: %q", last.State, last.Message)
	}
	if last.Done != 12 || len(store.games[event]) != 12 {
		t.Errorf("%d games are done, %d on record, want 12", last.Done, len(store.games[event]))
	}
	for _, g := range store.games[event] {
		if g.Origin.Worker != "honest" {
			t.Errorf("game %d is of %q", g.ID, g.Origin.Worker)
		}
	}
}
