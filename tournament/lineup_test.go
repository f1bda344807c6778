package tournament_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// ladderEvent returns a ladder without an end.
func ladderEvent(n int) tournament.Event {
	e := smallEvent(n, 0, 3)
	e.Settings.Plan.Kind = tournament.Ladder
	return e
}

// gameEnds is a Watcher that sends each game that ends.
type gameEnds struct{ ended chan tournament.Game }

func (c gameEnds) Progress(tournament.Counts)              {}
func (c gameEnds) Begun(tournament.Game)                   {}
func (c gameEnds) Played(*tournament.Game, tournament.Ply) {}
func (c gameEnds) Paused(bool)                             {}
func (c gameEnds) Changed(tournament.Event)                {}
func (c gameEnds) Ended(g tournament.Game, _ tournament.Result, _ *tournament.MatchResult) {
	c.ended <- g
}

// await receives games until one of the named bot.
func (c gameEnds) await(t *testing.T, name string) {
	t.Helper()
	for g := range c.ended {
		if g.First == name || g.Second == name {
			return
		}
	}
	t.Fatalf("the run has ended before a game of %s", name)
}

// drain receives games until done is closed.
func (c gameEnds) drain(t *testing.T, done <-chan struct{}) {
	t.Helper()
	for {
		select {
		case _, more := <-c.ended:
			if !more {
				t.Fatal("the run has ended before the bot was free")
			}
		case <-done:
			return
		}
	}
}

// ask makes a change while games are played.
func (c gameEnds) ask(changes chan<- tournament.LineupChange, change tournament.LineupChange) error {
	reply := make(chan error, 1)
	change.Reply = reply
	for {
		select {
		case changes <- change:
			return <-reply
		case _, more := <-c.ended:
			if !more {
				return errors.New("the run has ended")
			}
		}
	}
}

func TestBotsJoinAndLeave(t *testing.T) {
	journal := newMemory()
	changes := make(chan tournament.LineupChange)
	watch := gameEnds{make(chan tournament.Game)}
	r := newRunner(ladderEvent(2), journal, 2)
	r.Changes, r.Watcher = changes, watch
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- r.Run(ctx)
		close(watch.ended)
	}()

	late := tournament.LineupChange{Entry: tournament.Entry{Name: "late"}, Bot: newCounting("late", 2)}
	if err := watch.ask(changes, late); err != nil {
		t.Fatal(err)
	}
	watch.await(t, "late")
	if watch.ask(changes, late) == nil {
		t.Error("late joined twice")
	}
	for _, name := range []string{"bot0", "bot1"} { // after this nothing is left to play
		free := make(chan struct{})
		if err := watch.ask(changes, tournament.LineupChange{Entry: tournament.Entry{Name: name}, Free: free}); err != nil {
			t.Fatal(err)
		}
		watch.drain(t, free)
	}
	if watch.ask(changes, tournament.LineupChange{Entry: tournament.Entry{Name: "bot0"}}) == nil {
		t.Error("bot0 left twice")
	}
	if err := watch.ask(changes, tournament.LineupChange{Entry: r.Event.Entries[1], Bot: newCounting("bot1", 2)}); err != nil {
		t.Fatal(err)
	}
	watch.await(t, "bot1")
	go cancel()
	for range watch.ended { // until the run is over
	}
	if err := <-ended; !errors.Is(err, tournament.ErrInterrupted) {
		t.Errorf("the run ends with %v", err)
	}
	wantMemberships(t, journal)
}

// A bot that had left before the ladder was interrupted plays its matches to the end, and is free then: at once if it
// has none.
func TestBotsThatHadLeftAreFree(t *testing.T) {
	e := ladderEvent(4)
	e.Memberships = []tournament.Membership{{Name: "bot0", From: 1, To: 4}, {Name: "bot1", From: 1, To: 0}}
	journal := newMemory()
	watch := gameEnds{make(chan tournament.Game)}
	r := newRunner(e, journal, 2)
	played, idle := make(chan struct{}), make(chan struct{})
	r.Watcher, r.Changes, r.Leaving = watch, make(chan tournament.LineupChange), map[string]chan<- struct{}{"bot0": played, "bot1": idle}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- r.Run(ctx)
		close(watch.ended)
	}()
	<-idle
	watch.await(t, "bot0")
	watch.drain(t, played)
	go cancel()
	for range watch.ended { // until the run is over
	}
	if err := <-ended; !errors.Is(err, tournament.ErrInterrupted) {
		t.Errorf("the run ends with %v", err)
	}
}

// An event that is resumed has no Bot for a bot that had left and has no match to finish. The others play on.
func TestBotsThatHadLeftAreNotNeeded(t *testing.T) {
	for _, kind := range tournament.Formats() {
		e := smallEvent(4, 2, 3)
		if kind == tournament.SPRT || kind == tournament.Placement {
			continue // over without one of its bots
		}
		e.Settings.Plan.Kind = kind
		e.Memberships = []tournament.Membership{{Name: "bot1", From: 1, To: 0}}
		r := newRunner(e, newMemory(), 2)
		r.Bots = slices.Delete(r.Bots, 1, 2)
		games, err := play(t.Context(), r)
		if err != nil || len(games) == 0 || slices.ContainsFunc(games, func(g tournament.Game) bool { return isOf(&g, "bot1") }) {
			t.Errorf("%s: %d games, error %v", kind, len(games), err)
		}
	}
}

// wantMemberships checks that bots were given matches only while they took part, and that
// the event can be resumed from its record.
func wantMemberships(t *testing.T, journal *memory) {
	t.Helper()
	e := ladderEvent(2)
	e.Entries = append(e.Entries, tournament.Entry{Name: "late"})
	e.Memberships = journal.memberships
	if len(e.Memberships) != 4 || e.Present("bot0") || !e.Present("bot1") || !e.Present("late") {
		t.Fatalf("memberships %+v", e.Memberships)
	}
	for _, g := range journal.finished {
		for _, name := range []string{g.First, g.Second} {
			if !tournament.TakesPart(e.Memberships, name, g.Match) {
				t.Errorf("match %d is given to %s: memberships %+v", g.Match, name, e.Memberships)
			}
		}
	}
	done := tournament.Matches(journal.finished)
	first := format.New(e)
	for p, ok := first.Next(tournament.Everyone{}); ok; p, ok = first.Next(tournament.Everyone{}) {
		if i := slices.IndexFunc(done, func(m tournament.MatchResult) bool { return m.Match == p.Match }); i >= 0 && done[i].Pairing != p {
			t.Errorf("match %d was %+v, and is %+v", p.Match, done[i].Pairing, p)
		}
	}
	if names := e.Participants(format.After(e, done)); len(names) != 2 {
		t.Errorf("participants %+v", names)
	}
}
