package arena_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// doubtfulFarm plays in this process. Its first matches are those of a liar, who lets the bots change places; it
// finds that out some matches later.
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
	if n == 8 {
		return &tournament.DistrustError{Worker: "liar", Why: "it plays otherwise"}
	}
	worker := "honest"
	if n < 4 {
		worker = "liar"
	}
	hall := tournament.Hall{Bots: map[string]tournament.Bot{}}
	for i, entry := range s.Event.Entries {
		if worker == "liar" {
			entry.Spec = s.Event.Entries[len(s.Event.Entries)-1-i].Spec
		}
		bot, err := tournament.NewLocalBot(s.Event, entry, "test", nil)
		if err != nil {
			return err
		}
		hall.Bots[entry.Name] = bot
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

// The games of a worker that is not to be trusted are taken back, and the event is played on. Where they decided who met
// later, these games are taken back, too.
func TestDistrustedGamesArePlayedAgain(t *testing.T) {
	for name, plan := range map[string]tournament.Plan{
		"round robin": {}, "swiss": {Kind: format.Swiss, Rounds: 3}, "knockout": {Kind: format.Knockout}, "double elimination": {Kind: format.DoubleElimination},
		"ladder": {Kind: format.Ladder, Ahead: 2},
	} {
		t.Run(name, func(t *testing.T) {
			setup := tournament.Event{
				Name: name, Bots: []string{"random:seed=1", "greedy", "random:seed=2", "evminimax:depth=1", "random:seed=3"},
				Size: rules.Size{Width: 2, Height: 2}, Seed: 11, Matches: 2, Concurrency: 1,
			}
			if setup.Settings.Plan = plan; plan.Kind == format.Ladder {
				setup.Matches = 6 // of each bot
			}
			want := playOn(t, setup, nil)
			got := playOn(t, setup, new(doubtfulFarm))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the games are\n%v, want\n%v", got, want)
			}
		})
	}
}

// playOn plays an event on a farm, or in the arena's process, and returns who met in its matches, with the points of
// each game.
func playOn(t *testing.T, setup tournament.Event, farm *doubtfulFarm) map[string]int {
	t.Helper()
	store := newStore()
	c := serve(t, store, func(config *arena.Config) {
		if farm != nil {
			config.Farm = farm
		}
	})
	setup.InProcess = farm == nil // else no bot is started as a process: all play on workers
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
	if last.State != arena.Finished || last.Done != len(store.games[event]) {
		t.Fatalf("the event is %s after %d games, with %d on record: %q", last.State, last.Done, len(store.games[event]), last.Message)
	}
	games := map[string]int{}
	for _, g := range store.games[event] {
		if farm != nil && g.Origin.Worker != "honest" {
			t.Errorf("game %d is of %q", g.ID, g.Origin.Worker)
		}
		games[fmt.Sprintf("match %d: %s attacks %s", g.Match, g.Record.Attacker, g.Record.Defender)] = tournament.Summarize(&g).Score
	}
	return games
}
