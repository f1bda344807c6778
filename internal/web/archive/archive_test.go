package archive_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/internal/web/archive"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// patience is how long figures may take on a busy machine.
const patience = 3 * time.Minute

// host is an arena that plays events, without pages.
type host struct {
	testkit.Arena
	t      *testing.T
	store  *results.Store
	server *server.Server
}

func newHost(t *testing.T) *host {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	h := &host{t: t, store: store, server: server.New(server.Config{
		Store: store, Tokens: store.Tokens(), Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.New(slog.DiscardHandler),
		Operator: gate.OperatorFile{Secret: gate.NewSecret()}, Allowance: roster.Allowance{Memory: 8 << 30, Threads: 4}, Version: "test",
	})}
	h.Serve(t, func(ctx context.Context, l net.Listener) error { return h.server.Serve(ctx, l) })
	return h
}

// play plays an event of four bots to its end.
func (h *host) play(kind string, matches int) (event int64) {
	h.t.Helper()
	e := tournament.Event{
		Name: kind, Rules: rules.GPCC2015, Size: rules.Size{Width: 2, Height: 2}, Seed: 7, Matches: matches,
		Bots: []string{"ann=greedy", "bob=random", "cyd=greedy", "dan=random"}, Concurrency: 2, InProcess: true,
	}
	e.Settings.Plan.Kind = kind
	if kind == "sprt" {
		e.Bots, e.Settings.Plan.SPRT = e.Bots[:2], rating.SPRT{Elo0: 0, Elo1: 100}
	}
	event, err := h.server.Start(h.t.Context(), e)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.server.Follow(h.t.Context(), event, 0, func(server.Progress) error { return nil }); err != nil {
		h.t.Fatal(err)
	}
	return event
}

// event returns an event with its statistics.
func (h *host) event(a *archive.Archive, event int64) archive.Event {
	h.t.Helper()
	x, err := a.Event(h.t.Context(), event, patience)
	if err != nil || x.Statistics == nil {
		h.t.Fatalf("event %d has the statistics %v (%v)", event, x.Statistics, err)
	}
	return x
}

// The lines of events that the arena has played agree with the database: an archive of an arena that has just started
// has the same lines.
func TestLines(t *testing.T) {
	h := newHost(t)
	h.play("round-robin", 1)
	h.play("swiss", 1)
	idle := server.New(server.Config{Log: slog.New(slog.DiscardHandler)})
	var all [2][]archive.Line
	for i, a := range []*archive.Archive{archive.New(h.store, h.server), archive.New(h.store, idle)} {
		for complete := false; !complete; {
			var err error
			if all[i], complete, err = a.All(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var missing *results.NotFoundError
		if _, err := a.Line(t.Context(), 99); !errors.As(err, &missing) || missing.ID != 99 {
			t.Errorf("event 99: %v", err)
		}
	}
	if !reflect.DeepEqual(all[0], all[1]) || len(all[0]) != 2 {
		t.Errorf("the arena's events are %+v, those on record %+v", all[0], all[1])
	}
	for i, want := range []string{"round-robin", "swiss"} {
		if l := all[0][i]; l.Format != want || l.State != server.Finished || l.Interrupted() || l.Done == 0 || l.Done != l.Total || len(l.Bots) != 4 {
			t.Errorf("the %s is %+v", want, l)
		}
	}
}

// An event that grows is known as it is: its line and its statistics count the same games, and an
// interrupted one says so.
func TestInterruptedEvent(t *testing.T) {
	h := newHost(t)
	a := archive.New(h.store, h.server)
	event := h.play("round-robin", 1)
	if x := h.event(a, event); x.Statistics.Finished != 12 || x.Line.Done != 12 {
		t.Errorf("%d games, and statistics of %d, want 12", x.Line.Done, x.Statistics.Finished)
	}
	id, err := h.store.CreateEvent(t.Context(), tournament.Event{
		Name: "cut", Rules: rules.GPCC2015, Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "random"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if l, err := a.Line(t.Context(), id); err != nil || !l.Interrupted() || l.Done != 0 || l.Total != 2 {
		t.Errorf("an event that nobody plays is %+v (%v)", l, err)
	}
}

// Statistics agree with the games: each is counted once for its defender, and requests that do not wait get the same
// standings.
func TestStatistics(t *testing.T) {
	h := newHost(t)
	a := archive.New(h.store, h.server)
	event := h.play("round-robin", 2)
	x := h.event(a, event)
	want := map[string]map[int]int{}
	err := h.store.Games(t.Context(), results.Filter{Event: event, Finished: true}, func(g results.Stored) error {
		if want[g.Record.Defender] == nil {
			want[g.Record.Defender] = map[int]int{}
		}
		last, err := g.Record.Replay()
		want[g.Record.Defender][last.LargestTile()]++
		return err
	})
	if err != nil || !reflect.DeepEqual(x.Statistics.Tiles, want) {
		t.Errorf("the largest tiles are %v, want %v (%v)", x.Statistics.Tiles, want, err)
	}
	for bot, tiles := range want {
		bars := x.Statistics.TilesOf(bot)
		for i, bar := range bars {
			if bar.Games != tiles[bar.Tile] || i > 0 && bars[i-1].Tile >= bar.Tile {
				t.Errorf("the bars of %s are %v, want %v by tile", bot, bars, tiles)
			}
		}
		if x.Statistics.Rated(bot) == nil {
			t.Errorf("%s has no rating", bot)
		}
	}
	if x.Statistics.Rated("nobody") != nil {
		t.Error("nobody has a rating")
	}
	stats, err := a.Statistics(t.Context(), event)
	if err != nil || !reflect.DeepEqual(stats.Standings, x.Statistics.Standings) {
		t.Errorf("the standings are %+v, want %+v (%v)", stats.Standings, x.Statistics.Standings, err)
	}
	catalog, err := a.Catalogs.Await(t.Context(), event, x.Line.Played())
	if err != nil || catalog.Games() != 24 {
		t.Errorf("the catalog has %d games, want 24 (%v)", catalog.Games(), err)
	}
}

// Tiles and means are of the same games: strikes leave out all games of a bot.
func TestTilesOfScoredGames(t *testing.T) {
	h := newHost(t)
	e := tournament.Event{Name: "void", Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1}
	e.Entries = []tournament.Entry{{Name: "ann"}, {Name: "bob"}, {Name: "eve"}}
	e.Settings.Strikes = tournament.Strikes{Faults: 1, Games: tournament.VoidGames}
	id, err := h.store.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	for match, pair := range [][2]string{{"ann", "bob"}, {"ann", "eve"}, {"bob", "eve"}} {
		for leg := range 2 {
			h.record(id, tournament.Pairing{Match: match + 1, Round: 1, Nth: 1, First: pair[0], Second: pair[1]}, leg+1)
		}
	}
	x := h.event(archive.New(h.store, h.server), id)
	for _, r := range x.Statistics.Roles {
		games := 0
		for _, n := range x.Statistics.Tiles[r.Name] {
			games += n
		}
		if r.Side == "defender" && (games != r.Games || (games > 0) != (r.Name != "eve")) {
			t.Errorf("%s: %d games have a largest tile, %d a score", r.Name, games, r.Games)
		}
	}
}

// record records a game in which eve fails as the attacker, and all others resign as the defender.
func (h *host) record(event int64, p tournament.Pairing, leg int) {
	h.t.Helper()
	g := tournament.Game{Pairing: p, Leg: leg, Started: time.Now(), Finished: time.Now()}
	g.Record.Attacker, g.Record.Defender = p.Roles(leg)
	g.Record.Start = rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	journal := h.store.Journal(event)
	g, err := journal.Open(h.t.Context(), g)
	if g.Record.Ending = "illegal-move"; g.Record.Attacker != "eve" {
		g.Record.Ending = "resigned"
		g.Add(tournament.Ply{Move: g.Record.Start.AppendMoves(nil)[0]})
	}
	if err == nil {
		err = journal.Finish(h.t.Context(), g)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// Each format has its own tables of pairings; a round-robin's are its rounds.
func TestPairings(t *testing.T) {
	h := newHost(t)
	a := archive.New(h.store, h.server)
	for kind, want := range map[string]struct{ matches, tables, entries int }{
		"round-robin": {1, 0, 0}, "swiss": {1, 3, 2}, "ladder": {30, 1, 20}, "knockout": {1, 2, 2},
	} {
		tables := slices.Concat(h.event(a, h.play(kind, want.matches)).Statistics.Pairings()...)
		if len(tables) != want.tables {
			t.Errorf("%s: %d tables, want %d: %+v", kind, len(tables), want.tables, tables)
			continue
		}
		if len(tables) > 0 && len(tables[0].Matches)+len(tables[0].Ties) != want.entries {
			t.Errorf("%s: its first table has %d matches and %d ties, want %d", kind, len(tables[0].Matches), len(tables[0].Ties), want.entries)
		}
		for _, table := range tables {
			for _, m := range table.Matches {
				if m.First == m.Second || m.Points(m.First)+m.Points(m.Second) != 1 {
					t.Errorf("%s: the match %+v", kind, m)
				}
			}
		}
	}
}

// A double elimination has a row for the winners' bracket, and one for the losers' bracket with the finals.
func TestRowsOfBrackets(t *testing.T) {
	h := newHost(t)
	rows := h.event(archive.New(h.store, h.server), h.play("double-elimination", 1)).Statistics.Pairings()
	if len(rows) != 2 || len(rows[0]) == 0 || len(rows[1]) < 2 {
		t.Fatalf("the rows %+v, want two", rows)
	}
	for _, round := range rows[0] {
		if !strings.HasPrefix(round.Title, "winners' ") {
			t.Errorf("%s is in the row of the winners' bracket", round.Title)
		}
	}
	for i, round := range rows[1] {
		if lost := strings.HasPrefix(round.Title, tournament.LosersBracket); i == 0 && !lost || !lost && !strings.Contains(round.Title, "grand final") {
			t.Errorf("%s is round %d in the row of the losers' bracket", round.Title, i+1)
		}
	}
}

// The curve of a test begins at nothing and ends where the test stands.
func TestCurve(t *testing.T) {
	h := newHost(t)
	s := h.event(archive.New(h.store, h.server), h.play("sprt", 20)).Statistics
	last := s.Curve[len(s.Curve)-1]
	if s.Curve[0].Matches != 0 || s.Curve[0].LLR != 0 || len(s.Curve) < 3 || last.LLR != s.Standings.Test.LLR || 2*last.Matches != s.Finished {
		t.Errorf("the curve is %v after %d games, the test stands at %v", s.Curve, s.Finished, s.Standings.Test)
	}
}
