package tournament_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/rating"
)

// leaver is a bot that loses its connection in its first game, which it loses.
type leaver struct {
	*counting
	mu   sync.Mutex
	sat  bool
	goes tournament.Presence // from then on
	is   tournament.Presence
}

func (b *leaver) Presence() tournament.Presence {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.is
}

func (b *leaver) set(p tournament.Presence) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.is = p
}

func (b *leaver) Sit(a tournament.Assignment) tournament.Seat {
	b.mu.Lock()
	defer b.mu.Unlock()
	seat := b.counting.Sit(a)
	if !b.sat || b.is != tournament.Here {
		b.sat = true
		return emptySeat{seat, b}
	}
	return seat
}

// emptySeat is the seat of a leaver that is away.
type emptySeat struct {
	tournament.Seat
	bot *leaver
}

func (s emptySeat) Ask(context.Context, rules.Position, *clock.Turn) players.Reply {
	s.bot.set(s.bot.goes)
	return players.Reply{Err: players.ErrGone}
}

// freeSlots are Slots that are always free.
type freeSlots chan struct{}

func (freeSlots) Free(...string) bool        { return true }
func (freeSlots) Take(...string) bool        { return true }
func (freeSlots) Give(...string)             {}
func (freeSlots) Wait(...string)             {}
func (s freeSlots) Freed() <-chan struct{}   { return s }
func (s freeSlots) again()                   { s <- struct{}{} }
func isOf(g *tournament.Game, n string) bool { return g.First == n || g.Second == n }

// eventWithLeaver returns the runner of an event of a format, its bot1, which leaves in its first game, and its slots.
func eventWithLeaver(kind string, goes tournament.Presence) (*tournament.Runner, *leaver, freeSlots) {
	e := smallEvent(4, 3, 2)
	e.Settings.Plan.Kind = kind
	switch kind {
	case tournament.SPRT:
		e.Entries, e.Matches = e.Entries[:2], 6
		e.Settings.Plan.SPRT = rating.SPRT{Elo1: 1}
	case tournament.Placement:
		e.Matches, e.Settings.Plan.Within = 6, 1
	case tournament.Swiss:
		e.Settings.Plan.Rounds = 3
	}
	r, slots := newRunner(e, newMemory(), 1), make(freeSlots, 1)
	bot := &leaver{counting: newCounting("bot1", 1), goes: goes}
	r.Bots[1], r.Slots = bot, slots
	return r, bot, slots
}

// An event of any format puts off the games of an absent bot. If the bot comes back, all its games
// are played except the one that it has lost. They are the same games as if it had not been away.
func TestGamesOfAbsentBotArePutOff(t *testing.T) {
	for _, kind := range tournament.Formats() {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, _, _ := eventWithLeaver(kind, tournament.Here)
				want, err := play(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				r, bot, slots := eventWithLeaver(kind, tournament.Away)
				ended := make(chan error, 1)
				go func() { ended <- r.Run(t.Context()) }()
				synctest.Wait() // until nothing else can be played
				wantPutOff(t, r, bot)
				bot.set(tournament.Here)
				slots.again()
				if err := <-ended; err != nil {
					t.Fatal(err)
				}
				games := r.Journal.(*memory).games()
				if n := count(games, record.Disconnect); n != 1 {
					t.Errorf("%d games are lost, want 1", n)
				}
				if !maps.Equal(moves(games), moves(want)) || !maps.Equal(endings(games), endings(want)) {
					t.Errorf("other games were played: %d, want %d", len(games), len(want))
				}
			})
		})
	}
}

// wantPutOff checks that a bot that is away has lost one game and plays none, while the others have no games left that do
// not depend on it.
func wantPutOff(t *testing.T, r *tournament.Runner, bot *leaver) {
	t.Helper()
	journal := r.Journal.(*memory)
	lost, others := 0, 0
	for _, g := range journal.games() {
		switch {
		case !isOf(&g, "bot1"):
			others++
		case g.Record.Ending == record.Disconnect:
			lost++
		}
	}
	if len(journal.open) > 0 || bot.Presence() != tournament.Away || lost != 1 {
		t.Errorf("%d games in progress, %d lost: want 0 and 1", len(journal.open), lost)
	}
	if r.Event.Settings.Plan.Kind == tournament.RoundRobin && others != 3*3*2 {
		t.Errorf("the others have played %d games, want all of theirs", others)
	}
}

// order is a Watcher that counts the games of bot1, except its first one, that begin while other games are in progress.
type order struct {
	gameEnds
	mu      sync.Mutex
	begun   int // games of bot1
	playing int
	beside  int // games of bot1 that began while others were in progress
}

func (o *order) Begun(g tournament.Game) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if isOf(&g, "bot1") {
		if o.begun++; o.begun > 1 && o.playing > 0 {
			o.beside++
		}
	}
	o.playing++
}

func (o *order) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.playing--
}

// A bot that is gone for good loses its games after the games of the others, one by one.
func TestGoneBotLosesItsGamesLast(t *testing.T) {
	for _, kind := range tournament.Formats() {
		t.Run(kind, func(t *testing.T) {
			r, _, _ := eventWithLeaver(kind, tournament.Gone)
			watch := &order{}
			r.Watcher = watch
			games, err := play(t.Context(), r)
			if err != nil || watch.beside > 0 {
				t.Fatalf("%d games of the bot are begun beside others, error %v", watch.beside, err)
			}
			own := slices.DeleteFunc(slices.Clone(games), func(g tournament.Game) bool { return !isOf(&g, "bot1") })
			if n := count(games, record.Disconnect); n != len(own) || n < 2 {
				t.Errorf("%d games are lost, of %d of the bot", n, len(own))
			}
			if f := format.After(r.Event, tournament.Matches(games)); f.Total().Bound != tournament.AtMost {
				if _, left := f.Next(tournament.Everyone{}); left {
					t.Error("a match is left")
				}
			}
			last := slices.IndexFunc(games[len(games)-len(own)+1:], func(g tournament.Game) bool { return !isOf(&g, "bot1") })
			if kind == tournament.RoundRobin && last >= 0 {
				t.Error("the bot has lost games before those of the others were played")
			}
		})
	}
}

// If an event limits how long a bot may be absent, a bot that is gone loses its games while the
// others play.
func TestAbsentForTooLong(t *testing.T) {
	r, _, _ := eventWithLeaver(tournament.RoundRobin, tournament.Gone)
	r.Event.Settings.Absent = tournament.Millis(time.Minute)
	games, err := play(t.Context(), r)
	if err != nil || count(games, record.Disconnect) != 3*3*2 {
		t.Fatalf("%d games are lost, error %v", count(games, record.Disconnect), err)
	}
	var own, others []int // the order of their ends
	for i := range games {
		if isOf(&games[i], "bot1") {
			own = append(own, i)
		} else {
			others = append(others, i)
		}
	}
	if own[1] > others[len(others)-1] { // the bot leaves in its first game
		t.Errorf("the bot's games are lost last: %v, the others %v", own, others)
	}
}

// A bot that is away can be sent away from an event of any format: it loses the match that it has begun, at once, and its
// opponents win the others without a game. An event that is resumed then is over.
func TestAbsentBotLeaves(t *testing.T) {
	for _, kind := range tournament.Formats() {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, _, _ := eventWithLeaver(kind, tournament.Away)
				changes, reply, free := make(chan tournament.LineupChange), make(chan error, 1), make(chan struct{})
				r.Changes = changes
				ended := make(chan error, 1)
				go func() { ended <- r.Run(t.Context()) }()
				synctest.Wait() // until nothing else can be played
				changes <- tournament.LineupChange{Entry: r.Event.Entries[1], Reply: reply, Free: free}
				if err := errors.Join(<-reply, <-ended); err != nil {
					t.Fatal(err)
				}
				<-free
				journal := r.Journal.(*memory)
				games := journal.games()
				r.Event.Memberships = journal.memberships
				wantLeft(t, &r.Event, games)
				if again, err := play(t.Context(), r); err != nil || len(again) != len(games) {
					t.Errorf("resumed it has %d games, not %d: error %v", len(again), len(games), err)
				}
			})
		})
	}
}

// wantLeft checks the games of an event that bot1 has left while it was in its first match.
func wantLeft(t *testing.T, e *tournament.Event, games []tournament.Game) {
	t.Helper()
	f := format.After(*e, tournament.Matches(games))
	if f.Total().Matches*2 != len(games) || f.Due("bot1") {
		t.Errorf("%d games of %d matches: are some left?", len(games), f.Total().Matches)
	}
	lost := count(games, record.Disconnect)
	if e.Settings.Plan.Kind == tournament.Ladder {
		return // there it loses the matches that it was given
	}
	if lost != 2 || len(f.SetAside()) != 1 {
		t.Errorf("%d games are lost, set aside are %v", lost, f.SetAside())
	}
	for _, g := range games {
		if isOf(&g, "bot1") && g.Match > f.SetAside()["bot1"] {
			t.Errorf("bot1 has played match %d, and left before", g.Match)
		}
	}
}
