package tournament_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// gameKey names a game within its event.
type gameKey struct{ match, leg int }

func keyOf(g *tournament.Game) gameKey { return gameKey{g.Match, g.Leg} }

// memory is a Journal in memory.
type memory struct {
	mu          sync.Mutex
	open        map[gameKey]tournament.Game
	finished    []tournament.Game
	memberships []tournament.Membership
	broken      error // returned by Finish
}

func newMemory() *memory { return &memory{open: map[gameKey]tournament.Game{}} }

func (m *memory) Open(_ context.Context, g tournament.Game) (tournament.Game, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.open[keyOf(&g)]; ok {
		return old, nil
	}
	g.ID = int64(100*g.Match + g.Leg)
	m.open[keyOf(&g)] = g
	return g, nil
}

func (m *memory) Append(id int64, ply tournament.Ply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := gameKey{int(id / 100), int(id % 100)}
	g := m.open[key]
	g.Record.Moves = append(slices.Clone(g.Record.Moves), ply.Move)
	g.Record.Times = append(slices.Clone(g.Record.Times), ply.Time)
	g.Record.Lags = append(slices.Clone(g.Record.Lags), ply.Lag)
	g.Record.Searches = slices.Clone(g.Record.Searches)
	g.Record.AddSearch(ply.Search)
	m.open[key] = g
}

func (m *memory) Finish(_ context.Context, g tournament.Game) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return m.broken
	}
	delete(m.open, keyOf(&g))
	m.finished = append(m.finished, g)
	return nil
}

func (m *memory) Finished(_ context.Context, each func(tournament.Result) error) error {
	for _, g := range m.games() {
		if err := each(tournament.ResultOf(&g)); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Begun(_ context.Context, each func(tournament.Pairing) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.open {
		if len(g.Record.Moves) > 0 {
			if err := each(g.Pairing); err != nil {
				return err
			}
		}
	}
	return nil
}

// games returns the finished games.
func (m *memory) games() []tournament.Game {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.finished)
}

// play runs the event to its end, and returns all games that its journal has then.
func play(ctx context.Context, r *tournament.Runner) ([]tournament.Game, error) {
	err := r.Run(ctx)
	return r.Journal.(*memory).games(), err
}

func (m *memory) SetMemberships(_ context.Context, e tournament.Entry, all []tournament.Membership) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.memberships = slices.DeleteFunc(m.memberships, func(s tournament.Membership) bool { return s.Name == e.Name })
	m.memberships = append(m.memberships, all...)
	return nil
}

func (m *memory) Identify(context.Context, tournament.Identity) error { return nil }

func (m *memory) TakesPart(int64, tournament.Origin) {}

// drawing plays random moves that depend on its seed and the ply.
type drawing struct{ seed uint64 }

func (d drawing) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	moves := p.AppendMoves(nil)
	return moves[rand.New(rand.NewPCG(d.seed, uint64(p.Ply()))).IntN(len(moves))], nil
}

// counting is a bot that counts how many of its games are played at once.
type counting struct {
	tournament.LocalBot
	mu        sync.Mutex
	now, most int
}

type countingSeat struct {
	tournament.Seat
	bot *counting
}

func (b *counting) Sit(s tournament.Assignment) tournament.Seat {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now++
	b.most = max(b.most, b.now)
	return countingSeat{b.LocalBot.Sit(s), b}
}

func (s countingSeat) Over(v tournament.GameResult) {
	s.bot.mu.Lock()
	defer s.bot.mu.Unlock()
	s.bot.now--
}

func newCounting(name string, slots int) *counting {
	return &counting{LocalBot: tournament.LocalBot{
		ID:    tournament.Identity{Name: name},
		Games: slots,
		New:   func(g players.Game) players.Player { return drawing{g.Seed} },
	}}
}

func smallEvent(n, matches, concurrency int) tournament.Event {
	e := tournament.Event{Name: "test", Size: rules.Size{Width: 3, Height: 2}, Seed: 42, Matches: matches, Concurrency: concurrency}
	for i := range n {
		e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprint("bot", i), Spec: "random"})
	}
	return e
}

func newRunner(e tournament.Event, j tournament.Journal, slots int) *tournament.Runner {
	r := &tournament.Runner{Event: e, Format: format.New, Journal: j}
	for _, entry := range e.Entries {
		r.Bots = append(r.Bots, newCounting(entry.Name, slots))
	}
	return r
}

// moves returns the packed moves of each game, by match and leg.
func moves(games []tournament.Game) map[gameKey]string {
	all := map[gameKey]string{}
	for _, g := range games {
		all[keyOf(&g)] = string(record.PackTurns(g.Record.Moves))
	}
	return all
}

func TestRunnerPlaysEveryGameOnce(t *testing.T) {
	e := smallEvent(4, 3, 5)
	journal := newMemory()
	r := newRunner(e, journal, 2)
	games, err := play(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != 6*3*2 || len(moves(games)) != len(games) || len(journal.open) != 0 {
		t.Fatalf("%d games, %d different, %d left open", len(games), len(moves(games)), len(journal.open))
	}
	for _, b := range r.Bots {
		if b := b.(*counting); b.most > 2 || b.now != 0 {
			t.Errorf("%s had %d games at once and offered 2; %d are not over", b.ID.Name, b.most, b.now)
		}
	}
}

func TestRunnerSameSeedSameGames(t *testing.T) {
	alone, err := play(t.Context(), newRunner(smallEvent(3, 4, 1), newMemory(), 1))
	if err != nil {
		t.Fatal(err)
	}
	crowded, err := play(t.Context(), newRunner(smallEvent(3, 4, 8), newMemory(), 8))
	if err != nil {
		t.Fatal(err)
	}
	a, b := moves(alone), moves(crowded)
	for key, m := range a {
		if b[key] != m {
			t.Fatalf("match %d game %d differs with other concurrency", key.match, key.leg)
		}
	}
	if a[gameKey{1, 1}] == a[gameKey{1, 2}] || a[gameKey{1, 1}] == a[gameKey{2, 1}] {
		t.Fatal("different games have the same moves")
	}
}

// stopper cancels the run at its n-th ply.
type stopper struct {
	mu   sync.Mutex
	n    int
	stop context.CancelFunc
}

func (s *stopper) Progress(tournament.Counts)                                        {}
func (s *stopper) Begun(tournament.Game)                                             {}
func (s *stopper) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {}
func (s *stopper) Paused(bool)                                                       {}
func (s *stopper) Changed(tournament.Event)                                          {}
func (s *stopper) Played(*tournament.Game, tournament.Ply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n--; s.n == 0 {
		s.stop()
	}
}

func TestRunnerResumeAfterInterruption(t *testing.T) {
	e := smallEvent(3, 2, 3)
	whole, err := play(t.Context(), newRunner(e, newMemory(), 3))
	if err != nil {
		t.Fatal(err)
	}
	for stopAt := 1; stopAt < 300; stopAt += 23 {
		journal := newMemory()
		ctx, cancel := context.WithCancel(t.Context())
		r := newRunner(e, journal, 3)
		r.Watcher = &stopper{n: stopAt, stop: cancel}
		if err := r.Run(ctx); !errors.Is(err, tournament.ErrInterrupted) {
			t.Fatalf("stopped at ply %d: error %v", stopAt, err)
		}
		games, err := play(t.Context(), newRunner(e, journal, 3))
		if err != nil {
			t.Fatal(err)
		}
		got := moves(games)
		for key, m := range moves(whole) {
			if got[key] != m {
				t.Fatalf("stopped at ply %d: match %d game %d has other moves", stopAt, key.match, key.leg)
			}
		}
		if len(games) != len(whole) {
			t.Fatalf("stopped at ply %d: %d games, want %d", stopAt, len(games), len(whole))
		}
	}
}

func TestRunnerSoloSameChanceInBothLegs(t *testing.T) {
	e := smallEvent(2, 1, 2)
	e.Rules = rules.Solo
	games, err := play(t.Context(), newRunner(e, newMemory(), 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		if g.Record.Attacker != tournament.ChanceName || g.Record.Defender != []string{"bot0", "bot1"}[g.Leg-1] {
			t.Errorf("game %d: %s attacks %s", g.Leg, g.Record.Attacker, g.Record.Defender)
		}
	}
	if a, b := games[0].Record, games[1].Record; a.AttackerSeed != b.AttackerSeed || a.Moves[0] != b.Moves[0] {
		t.Errorf("chance's seeds %d and %d, first placements %v and %v", a.AttackerSeed, b.AttackerSeed, a.Moves[0], b.Moves[0])
	}
}

func TestRunnerJournalFailure(t *testing.T) {
	journal := newMemory()
	journal.broken = errors.New("disk full")
	games, err := play(t.Context(), newRunner(smallEvent(2, 3, 1), journal, 1))
	if !errors.Is(err, journal.broken) || len(games) != 0 {
		t.Fatalf("%d games, error %v", len(games), err)
	}
}

func TestEventValidate(t *testing.T) {
	valid := smallEvent(2, 1, 1)
	if err := format.Validate(valid); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*tournament.Event){
		"one bot":          func(e *tournament.Event) { e.Entries = e.Entries[:1] },
		"twins":            func(e *tournament.Event) { e.Entries[1] = e.Entries[0] },
		"nameless":         func(e *tournament.Event) { e.Entries[0].Name = "" },
		"no matches":       func(e *tournament.Event) { e.Matches = 0 },
		"too many matches": func(e *tournament.Event) { e.Matches = tournament.MaxMatches + 1 },
		"too many at once": func(e *tournament.Event) { e.Concurrency = tournament.MaxConcurrency + 1 },
		"too many bots":    func(e *tournament.Event) { e.Entries = smallEvent(tournament.MaxBots+1, 1, 1).Entries },
		"a tie too long":   func(e *tournament.Event) { e.Matches, e.Settings.Plan.Kind = 2_000_000, tournament.Knockout },
		"too many ahead": func(e *tournament.Event) {
			e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Ahead: 2_000_000_000}
		},
		"no concurrency":    func(e *tournament.Event) { e.Concurrency = 0 },
		"large seed":        func(e *tournament.Event) { e.Seed = 1 << 53 },
		"negative time":     func(e *tournament.Event) { e.Clock.PerMove = -1 },
		"lone increment":    func(e *tournament.Event) { e.Clock.Increment = 1 },
		"size":              func(e *tournament.Event) { e.Size.Width = 5 },
		"chance's own name": func(e *tournament.Event) { e.Rules, e.Entries[0].Name = rules.Solo, tournament.ChanceName },
	} {
		e := smallEvent(2, 1, 1)
		spoil(&e)
		if format.Validate(e) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
