package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/tournament"
)

// doubtfulFarm plays in this process. A liar plays its first matches, and lets the bots change places; the farm finds
// that out some matches later.
type doubtfulFarm struct {
	matches atomic.Int64
	aside   atomic.Bool // the liar is no longer trusted
}

func (f *doubtfulFarm) Executor() server.Executor { return doubtfulExecutor{f} }

func (*doubtfulFarm) Takes(...tournament.Entry) bool { return true }

func (f *doubtfulFarm) Workers() []server.Worker {
	return []server.Worker{{Name: "honest", Host: "box", Games: 2}, {Name: "liar", Aside: "it plays otherwise"}}
}

func (*doubtfulFarm) Present() int { return 1 }

func (*doubtfulFarm) Follow() (<-chan struct{}, func()) { return nil, func() {} }

func (*doubtfulFarm) Validate(r server.Round) error {
	if r.Kind != "echo" {
		return errors.New("nobody knows that")
	}
	return nil
}

// Do returns the settings of each batch as its result, and at the end another result of the first batch. The settings
// "fail" and "wait" end the round with an error, the latter when ctx ends.
func (*doubtfulFarm) Do(ctx context.Context, r server.Round, took func(int, string, json.RawMessage)) error {
	for i, settings := range r.Batches {
		switch string(settings) {
		case `"fail"`:
			return errors.New("all workers fail")
		case `"wait"`:
			<-ctx.Done()
			return ctx.Err()
		}
		took(i, "honest", settings)
	}
	took(0, "honest", json.RawMessage(`"again"`))
	return nil
}

type doubtfulExecutor struct{ farm *doubtfulFarm }

func (doubtfulExecutor) Takes(...tournament.Entry) bool { return true }
func (doubtfulExecutor) Room() int                      { return 2 }
func (doubtfulExecutor) Changed() <-chan struct{}       { return nil }
func (doubtfulExecutor) Close()                         {}
func (doubtfulExecutor) Settle(context.Context) error   { return nil }

// Unchecked implements server.Executor.
func (doubtfulExecutor) Unchecked(_ tournament.Event, e tournament.Entry) string {
	if strings.HasPrefix(e.Spec, "greedy") {
		return "it is greedy"
	}
	return ""
}

// Met implements server.Executor.
func (v doubtfulExecutor) Met(workers ...string) error {
	if v.farm.aside.Load() && slices.Contains(workers, "liar") {
		return &tournament.DistrustError{Workers: map[string]string{"liar": "it plays otherwise"}}
	}
	return nil
}

func (v doubtfulExecutor) Play(ctx context.Context, s tournament.MatchWork, d tournament.Recorder) error {
	n := v.farm.matches.Add(1)
	if n == 8 {
		return &tournament.DistrustError{Workers: map[string]string{"liar": "it plays otherwise"}}
	}
	worker := "honest"
	if n < 4 {
		worker = "liar"
	}
	hall := tournament.LocalExecutor{Bots: map[string]tournament.Bot{}}
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

// signed adds the worker that has played a game.
type signed struct {
	tournament.Recorder
	worker string
}

func (s signed) Ended(g tournament.Game) error {
	g.Origin.Worker = s.worker
	return s.Recorder.Ended(g)
}

// The games of a worker that is no longer trusted are taken back, and the event is played on. If they decided the
// pairings of later games, these games are taken back, too.
func TestDistrustedGamesArePlayedAgain(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]tournament.Plan{
		"round robin": {}, "swiss": {Kind: tournament.Swiss, Rounds: 3}, "knockout": {Kind: tournament.Knockout}, "double elimination": {Kind: tournament.DoubleElimination},
		"ladder": {Kind: tournament.Ladder, Ahead: 2},
	} {
		t.Run(name, func(t *testing.T) {
			setup := tournament.Event{
				Name: name, Bots: []string{"random:seed=1", "greedy", "random:seed=2", "evminimax:depth=1", "random:seed=3"},
				Size: rules.Size{Width: 2, Height: 2}, Seed: 11, Matches: 2, Concurrency: 1,
			}
			if setup.Settings.Plan = plan; plan.Kind == tournament.Ladder {
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

// The games of a worker that was found out while the event was not being played are taken back when it is resumed.
func TestLiarIsFoundOutLater(t *testing.T) {
	store, farm := newStore(), new(doubtfulFarm)
	farm.matches.Store(1)
	c := serve(t, store, func(config *server.Config) { config.Farm = farm })
	setup := tournament.Event{Name: "later", Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 2, Height: 2}, Seed: 3, Matches: 5, Concurrency: 1}
	store.hold = true // after two matches
	id, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, id, func(p server.Progress) bool { return p.Done == 4 })
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	store.hold = false
	farm.matches.Store(20) // from now on the workers are honest
	farm.aside.Store(true)
	if err := c.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	last := ended(t, c, id)
	for ; last.State == server.Interrupted; last = ended(t, c, id) {
	}
	if last.State != server.Finished || last.Done != 10 {
		t.Errorf("the event is %s after %d games: %s", last.State, last.Done, last.Message)
	}
	for _, g := range store.games[id] {
		if g.Origin.Worker != "honest" {
			t.Errorf("game %d is of %q", g.ID, g.Origin.Worker)
		}
	}
}

// playOn plays an event on a farm, or in the arena's process, and returns the bots of its matches, with the points of
// each game.
func playOn(t *testing.T, setup tournament.Event, farm *doubtfulFarm) map[string]int {
	t.Helper()
	store := newStore()
	c := serve(t, store, func(config *server.Config) {
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
	for ; last.State == server.Interrupted; last = ended(t, c, event) { // followers that are quick enough see why
		if !strings.Contains(last.Message, "played again") || !strings.Contains(last.Message, "liar") {
			t.Errorf("the event is interrupted: %q", last.Message)
		}
	}
	if last.State != server.Finished || last.Done != len(store.games[event]) {
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

// Bots that play on workers wait for nobody in the queue, not even for a connected bot of the same name.
func TestQueuedEventPlaysOnWorkers(t *testing.T) {
	t.Parallel()
	farm := new(doubtfulFarm)
	farm.matches.Store(8) // all that it distrusts is over
	c := serveAgenda(t, newDatabase(t), func(config *server.Config) { config.Farm = farm })
	connectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
	event := book(t, c, server.Booking{Event: tournament.Event{
		Name: "on workers", Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}},
	}})
	if last := ended(t, c, event); last.State != server.Finished {
		t.Errorf("the event is %+v", last)
	}
}

// A round's results come one by one. The client gets its errors, and learns when it ends.
func TestRounds(t *testing.T) {
	c := serve(t, newStore(), func(config *server.Config) { config.Farm = new(doubtfulFarm) })
	round := server.Round{Kind: "echo", Bot: "greedy", Batches: []json.RawMessage{[]byte(`1`), []byte(`{"a":2}`)}}
	var told []string
	var last server.RoundNews
	err := c.Do(t.Context(), round, func(n server.RoundNews) {
		last = n
		if n.Result != nil {
			told = append(told, fmt.Sprintf("%d %d %s %s", n.Done, n.Batch, n.Worker, n.Result))
		}
	})
	if want := []string{`1 0 honest 1`, `2 1 honest {"a":2}`, `2 0 honest "again"`}; err != nil || !slices.Equal(told, want) {
		t.Errorf("told %q, error %v, want %q", told, err, want)
	}
	if !last.Over || last.Done != 2 || last.Total != 2 || last.Workers != 1 {
		t.Errorf("the last line is %+v", last)
	}
	for why, wrong := range map[string]server.Round{
		"nobody knows":     {Kind: "x", Bot: "greedy", Batches: round.Batches},
		"want 1 to":        {Kind: "echo", Bot: "greedy"},
		"opens no files":   {Kind: "echo", Bot: "perfect:table=/etc/passwd", Batches: round.Batches},
		"all workers fail": {Kind: "echo", Bot: "greedy", Batches: []json.RawMessage{[]byte(`"fail"`)}},
	} {
		refused(t, c.Do(t.Context(), wrong, func(server.RoundNews) {}), why)
	}
	refused(t, serve(t, newStore(), nil).Do(t.Context(), round, func(server.RoundNews) {}), "has no workers")
}

// A client that leaves ends its round; an arena that ends leaves the client without the last line.
func TestRoundsEnd(t *testing.T) {
	round := server.Round{Kind: "echo", Bot: "greedy", Batches: []json.RawMessage{[]byte(`1`), []byte(`"wait"`)}}
	for _, who := range []string{"client", "arena"} {
		a := open(t, newStore(), func(config *server.Config) { config.Farm = new(doubtfulFarm) })
		ctx, leave := context.WithCancel(t.Context())
		err := a.client.Do(ctx, round, func(n server.RoundNews) {
			if n.Result != nil && who == "client" {
				leave()
			} else if n.Result != nil {
				go a.Stop() // it waits for this client
			}
		})
		if want := map[string]error{"client": context.Canceled, "arena": server.ErrLost}[who]; !errors.Is(err, want) {
			t.Errorf("when the %s leaves: %v, want %v", who, err, want)
		}
		leave()
		a.Stop()
	}
}

// An event says from its beginning which of its bots nobody checks, and why.
func TestUncheckedBotsAreTold(t *testing.T) {
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Farm = new(doubtfulFarm) })
	setup := tournament.Event{Name: "told", Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 2, Height: 2}, Seed: 3, Matches: 2, Concurrency: 1}
	id, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	want := []server.UncheckedBot{{Bot: "greedy", Why: "it is greedy"}}
	until(t, c, id, func(p server.Progress) bool { return reflect.DeepEqual(p.Unchecked, want) })
}
