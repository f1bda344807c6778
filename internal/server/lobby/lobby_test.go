package lobby_test

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// evening is an arena with a lobby.
type evening struct {
	*testkit.Arena
	*lobby.Lobby
	t      *testing.T
	db     string
	server *server.Server
	stop   func()
}

var plan = lobby.Plan{
	Event:    tournament.Event{Name: "club evening", Seed: 7, Rules: rules.GPCC2015, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 2},
	Expected: 3, Names: []string{"ann", "dora"},
}

// open opens the lobby of a plan on a new database.
func open(t *testing.T, p lobby.Plan) *evening {
	t.Helper()
	e := &evening{Arena: testkit.NewArena(t), t: t, db: filepath.Join(t.TempDir(), "arena.db")}
	e.serve(p)
	return e
}

// serve serves the arena with the lobby of a plan until stop is called.
func (e *evening) serve(p lobby.Plan) {
	e.t.Helper()
	store, err := results.Open(e.t.Context(), e.db)
	if err != nil {
		e.t.Fatal(err)
	}
	e.server = server.New(server.Config{
		Store: store, Agenda: store, Tokens: store.Tokens(), Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.New(slog.DiscardHandler),
	})
	if e.Lobby, err = lobby.New(e.t.Context(), e.server, store, p); err != nil {
		e.t.Fatal(err)
	}
	ctx, end := context.WithCancel(e.t.Context())
	over := make(chan struct{})
	e.Serve(e.t, func(ctx context.Context, l net.Listener) error { return e.server.Serve(ctx, l) })
	go func() {
		defer close(over)
		e.Lobby.Run(ctx)
	}()
	e.stop = sync.OnceFunc(func() {
		end()
		<-over
		e.Arena.Stop()
		if err := store.Close(); err != nil {
			e.t.Error(err)
		}
	})
	e.t.Cleanup(func() { e.stop() })
}

// bot lets a bot play until leave is called.
func (e *evening) bot(name string, choose testChooser) (leave func()) {
	e.t.Helper()
	ctx, leave := context.WithCancel(e.t.Context())
	bot := protocol.Client{
		URL:   e.BotURL(),
		Hello: protocol.Hello{Name: name},
		New:   func(protocol.Start) (players.Player, error) { return choose, nil },
	}
	go func() { _ = bot.Run(ctx) }()
	return leave
}

// testChooser is a bot as a function.
type testChooser func(context.Context, rules.Position) (rules.Move, error)

func (c testChooser) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	return c(ctx, p)
}

func legal(_ context.Context, p rules.Position) (rules.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

// illegal answers with a slide that changes nothing, or with an occupied cell.
func illegal(_ context.Context, p rules.Position) (rules.Move, error) {
	if p.SideToMove() == rules.Attacker {
		return rules.North, nil
	}
	return rules.Place(0, false), nil
}

// hanging answers when the test ends.
func (e *evening) hanging(_ context.Context, p rules.Position) (rules.Move, error) {
	<-e.t.Context().Done()
	return p.AppendMoves(nil)[0], nil
}

// until waits until the state is as wanted.
func (e *evening) until(what string, wanted func(lobby.State) bool) lobby.State {
	e.t.Helper()
	deadline := time.After(3 * time.Minute)
	for {
		changed, now := e.Changed(), e.State()
		if wanted(now) {
			return now
		}
		select {
		case <-changed:
		case <-deadline:
			e.t.Fatalf("still not %s: %+v", what, now)
		}
	}
}

// of returns a bot of a state.
func of(s lobby.State, name string) (b lobby.Bot) {
	for _, b := range s.Bots {
		if b.Name == name {
			return b
		}
	}
	return b
}

// checked waits until the check of a bot has a result.
func (e *evening) checked(name string, want lobby.Result) lobby.Bot {
	e.t.Helper()
	return of(e.until(name+" "+string(want), func(s lobby.State) bool { return of(s, name).Check.Result == want }), name)
}

func TestEvening(t *testing.T) {
	e := open(t, plan)
	now := e.State()
	if !now.Open || now.Missing != 3 || of(now, "ann").Place != lobby.Late || len(now.Bots) != 2 {
		t.Errorf("at first the lobby is %+v", now)
	}
	if _, err := e.Start(t.Context(), true); err == nil || !strings.Contains(err.Error(), "too few bots are here: 0, and the event needs 2") {
		t.Errorf("an empty lobby: %v", err)
	}
	e.bot("ann", legal)
	leave := e.bot("bob", illegal)
	e.bot("carl", e.hanging)
	e.checked("ann", lobby.Passed)
	if b := e.checked("bob", lobby.Failed); !strings.HasPrefix(b.Check.Why, "It has made an illegal move: ") {
		t.Errorf("bob: %+v", b)
	}
	if b := e.checked("carl", lobby.Failed); !strings.HasPrefix(b.Check.Why, "It has not answered in time: no answer within 1s") {
		t.Errorf("carl: %+v", b)
	}
	if _, err := e.Start(t.Context(), false); err == nil || !strings.Contains(err.Error(), "too few bots have passed their check: 1, and the event needs 2") {
		t.Errorf("one bot has passed: %v", err)
	}
	leave()
	if now := e.until("without bob", func(s lobby.State) bool { return of(s, "bob").Place == lobby.Away }); now.Missing != 1 {
		t.Errorf("two of three are here, and %d are missing", now.Missing)
	}
	e.bot("bob", legal)
	e.checked("bob", lobby.Passed)
	id, err := e.Start(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if now := e.State(); now.Open || now.Event != id {
		t.Errorf("after the start the lobby is %+v", now)
	}
	if _, err := e.Start(t.Context(), false); err == nil || !strings.Contains(err.Error(), "has begun already: it is event 1") {
		t.Errorf("the second start: %v", err)
	}
	if err := e.Check("ann"); err == nil || !strings.Contains(err.Error(), "the event has begun") {
		t.Errorf("a check after the start: %v", err)
	}
	if err := e.server.Follow(t.Context(), id, time.Millisecond, func(p server.Progress) error { return nil }); err != nil {
		t.Error(err)
	}
	if p, _ := e.server.Progress(id); p.State != server.Finished || len(p.Bots) != 2 || p.Done != 2 {
		t.Errorf("the event is %+v", p)
	}
}

// The arena's own bot needs no check, and one other bot is enough for an event with it.
func TestOwnBotIsNotCounted(t *testing.T) {
	p := plan
	p.Event.Bots = []string{"greedy"}
	e := open(t, p)
	wants := func(withoutCheck bool, want string) {
		t.Helper()
		if _, err := e.Start(t.Context(), withoutCheck); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the start is refused with %v, want %q", err, want)
		}
	}
	wants(true, "too few bots are here: 0, and the event needs 1")
	e.bot("bob", illegal)
	e.checked("bob", lobby.Failed)
	wants(false, "too few bots have passed their check: 0, and the event needs 1")
}

func TestCheckAgain(t *testing.T) {
	e := open(t, plan)
	var mended atomic.Bool
	e.bot("ann", func(ctx context.Context, p rules.Position) (rules.Move, error) {
		if mended.Load() {
			return legal(ctx, p)
		}
		return illegal(ctx, p)
	})
	e.checked("ann", lobby.Failed)
	if err := e.Check("dora"); err == nil || !strings.Contains(err.Error(), `"dora" is not here`) {
		t.Errorf("a bot that has not come: %v", err)
	}
	testkit.Await(t, "ann to be idle", func() bool { return e.server.Bots()[0].Playing == 0 })
	mended.Store(true)
	if err := e.Check("ann"); err != nil {
		t.Fatal(err)
	}
	e.checked("ann", lobby.Passed)
}

// TestRestart starts an event, and opens the arena again with the same plan and with another one.
func TestRestart(t *testing.T) {
	e := open(t, plan)
	e.bot("ann", legal)
	e.bot("bob", e.hanging) // so that the event is not over
	e.checked("bob", lobby.Failed)
	id, err := e.Start(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	e.stop()
	e.serve(plan)
	if now := e.State(); now.Open || now.Event != id {
		t.Errorf("the same plan again: %+v", now)
	}
	e.stop()
	other := plan
	other.Event.Seed++
	e.serve(other)
	if now := e.State(); !now.Open || now.Event != 0 {
		t.Errorf("another plan: %+v", now)
	}
}

// endedArena is an arena with one bot. Its check ends in a state, at once or when its time is over.
type endedArena struct {
	state server.State
	late  bool
}

func (endedArena) Bots() []server.BotInfo {
	return []server.BotInfo{{Name: "ann", Origin: roster.Connected}}
}

func (endedArena) BotsChanged() <-chan struct{}                           { return nil }
func (endedArena) Start(context.Context, tournament.Event) (int64, error) { return -1, nil }
func (endedArena) Stop(context.Context, int64) error                      { return nil }

func (a endedArena) Follow(ctx context.Context, _ int64, _ time.Duration, show func(server.Progress) error) error {
	if a.late {
		<-ctx.Done()
	}
	return show(server.Progress{State: a.state})
}

func (endedArena) EventsNamed(context.Context, string) ([]tournament.Event, error) {
	return nil, nil
}

// A bot has not passed a check that an operator has stopped, and has passed one that ends at the last moment.
func TestHowChecksEnd(t *testing.T) {
	for arena, want := range map[endedArena]lobby.Check{
		{state: server.Interrupted}:          {Result: lobby.Failed, Why: "The check was stopped before its end: start it again."},
		{state: server.Finished, late: true}: {Result: lobby.Passed},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, err := lobby.New(t.Context(), arena, arena, plan)
			if err != nil {
				t.Fatal(err)
			}
			ctx, end := context.WithCancel(t.Context())
			over := make(chan struct{})
			go func() {
				defer close(over)
				l.Run(ctx)
			}()
			<-time.After(time.Minute)
			if got := of(l.State(), "ann").Check; got != want {
				t.Errorf("the check is %+v, want %+v", got, want)
			}
			end()
			<-over
		})
	}
}

// The arena's own bots take part in the event: two seeds of a gauntlet alone have no opponent.
func TestOwnBotsTakePart(t *testing.T) {
	p := lobby.Plan{Event: plan.Event, Expected: 2}
	p.Event.Settings.Plan = tournament.Plan{Kind: tournament.Gauntlet, Seeds: 2}
	if p.Validate() == nil {
		t.Error("two seeds play without an opponent")
	}
	p.Event.Bots = []string{"random"}
	if err := p.Validate(); err != nil {
		t.Errorf("with an own bot of the arena: %v", err)
	}
}

func TestBadPlans(t *testing.T) {
	for want, change := range map[string]func(*lobby.Plan){
		"has no name":                    func(p *lobby.Plan) { p.Event.Name = "" },
		"has entries":                    func(p *lobby.Plan) { p.Event.Entries = []tournament.Entry{{Name: "ann"}} },
		"-1 bots are expected":           func(p *lobby.Plan) { p.Expected = -1 },
		"is not the code":                func(p *lobby.Plan) { p.Code = "ABC" },
		"is expected twice":              func(p *lobby.Plan) { p.Names = []string{"ann", "ann"} },
		"expected bot 1":                 func(p *lobby.Plan) { p.Names = []string{"mcts:playouts=5"} },
		"0 matches a pairing":            func(p *lobby.Plan) { p.Event.Matches = 0 },
		`is not an address of the pages`: func(p *lobby.Plan) { p.Address = "192.168.1.5" },
	} {
		p := plan
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
