package results

import (
	"database/sql"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func scanCount(row *sql.Rows) (n int, err error) {
	err = row.Scan(&n)
	return n, err
}

func TestGameRoundTrip(t *testing.T) {
	start, err := rules.ParsePosition(rules.GPCC2016, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]func(g *tournament.Game, j *Journal){
		"mate":      func(g *tournament.Game, j *Journal) { playOn(g, j, -1) },
		"no plies":  func(g *tournament.Game, _ *Journal) { g.Record.Moves = []rules.Move{}; fail(g, record.Disconnect) },
		"half turn": func(g *tournament.Game, j *Journal) { playOn(g, j, 3); fail(g, record.Time) },
		"attacker":  func(g *tournament.Game, j *Journal) { playOn(g, j, 4); fail(g, record.IllegalMove) },
		"resigned":  func(g *tournament.Game, j *Journal) { playOn(g, j, 3); fail(g, record.Resigned) },
	}
	for _, start := range []rules.Position{
		rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 3}),
		rules.NewPosition(rules.GPCC2015, rules.Full),
		start,
	} {
		s := openNew(t)
		e := duel(len(games))
		e.Settings.Adjudication.Resign = true
		e.Rules, e.Size = start.Rules(), start.Size()
		e.Settings.Openings = tournament.NewOpenings("a test", []rules.Position{start})
		id, err := s.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		j, match := s.Journal(id), 0
		for name, play := range games {
			match++
			g := duelGame(match, 1)
			g.Record.Start = start
			g = open(t, j, g)
			play(&g, j)
			if err := j.Finish(t.Context(), g); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			stored, err := s.Game(t.Context(), g.ID)
			if err != nil || !reflect.DeepEqual(stored.Game, g) {
				t.Errorf("%s from %v: %+v (error %v), want %+v", name, start, stored.Game, err, g)
			}
		}
		if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != len(games) {
			t.Errorf("verification %+v, error %v: want %d games", v, err, len(games))
		}
	}
}

// fail ends a game with the given ending.
func fail(g *tournament.Game, ending record.Ending) {
	g.Record.Ending, g.Record.Detail = ending, "it happens"
	g.Finished = g.Started
}

func TestFilter(t *testing.T) {
	s := openNew(t)
	first, second := newDuel(t, s, 2), newDuel(t, s, 1)
	finish(t, first, 1, 1) // game 1
	g := open(t, first, duelGame(1, 2))
	fail(&g, record.Time)
	if err := first.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	finish(t, second, 1, 1)             // game 3
	open(t, second, duelGame(1, 2))     // game 4
	other := open(t, first, renamed(2)) // game 5
	if other.Record.Attacker != "cyd" {
		t.Fatal(other)
	}
	flush(t, first)
	flush(t, second)
	for _, test := range []struct {
		filter Filter
		want   []int64
	}{
		{Filter{}, []int64{1, 2, 3, 4, 5}},
		{Filter{Event: 2}, []int64{3, 4}},
		{Filter{Game: 2}, []int64{2}},
		{Filter{Bot: "cyd"}, []int64{5}},
		{Filter{Bot: "ann"}, []int64{1, 2, 3, 4, 5}},
		{Filter{Bot: "eve"}, nil},
		{Filter{Ending: record.Time}, []int64{2}},
		{Filter{Ending: record.Unfinished}, []int64{4, 5}},
		{Filter{Finished: true}, []int64{1, 2, 3}},
		{Filter{Last: 2}, []int64{4, 5}},
		{Filter{Event: 1, Finished: true, Last: 1}, []int64{2}},
	} {
		var got []int64
		err := s.Games(t.Context(), test.filter, func(g Stored) error {
			got = append(got, g.ID)
			return nil
		})
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: games %v (error %v), want %v", test.filter, got, err, test.want)
		}
	}
}

// renamed returns a game of ann and cyd.
func renamed(match int) tournament.Game {
	g := duelGame(match, 1)
	g.Second = "cyd"
	g.Record.Attacker, g.Record.Defender = g.Roles(1)
	return g
}

func TestGamesStopsAtAnError(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	enough := errors.New("enough")
	calls := 0
	err := s.Games(t.Context(), Filter{}, func(Stored) error {
		calls++
		return enough
	})
	if err != enough || calls != 1 {
		t.Errorf("error %v after %d games, want %v after 1", err, calls, enough)
	}
}

// Search reports are read only on request.
func TestFilterSearches(t *testing.T) {
	s := openNew(t)
	want := finish(t, newDuel(t, s, 1), 1, 1)
	for _, wanted := range []bool{true, false} {
		got := want
		if !wanted {
			got.Record.Searches = nil
		}
		games := 0
		err := s.Games(t.Context(), Filter{Searches: wanted}, func(g Stored) error {
			if games++; !reflect.DeepEqual(g.Game, got) {
				t.Errorf("searches %v: %+v, want %+v", wanted, g.Game, got)
			}
			return nil
		})
		if err != nil || games != 1 {
			t.Errorf("searches %v: %d games, error %v", wanted, games, err)
		}
	}
}

// A game without search reports stores nothing for them.
func TestNoSearches(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	whole := duelGame(1, 1)
	playOn(&whole, nil, -1)
	for i, m := range whole.Record.Moves {
		ply := tournament.Ply{Move: m, Time: whole.Record.Times[i]}
		g.Record.Moves, g.Record.Times, g.Record.Lags = append(g.Record.Moves, m), append(g.Record.Times, ply.Time), append(g.Record.Lags, 0)
		j.Append(g.ID, ply)
	}
	flush(t, j)
	wantStored(t, s, g)
	g.Record.Ending, g.Finished = record.Mate, g.Started
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	wantStored(t, s, g)
	if n, err := query(t.Context(), s.read, scanCount, `SELECT count(*) FROM games WHERE searches IS NOT NULL`); err != nil || n[0] != 0 {
		t.Errorf("%v games have search reports (error %v)", n, err)
	}
}

// More queries may run while games are read.
func TestQueriesWithinGames(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	want, games := finish(t, j, 1, 1), 0
	err := s.Games(t.Context(), Filter{}, func(g Stored) error {
		again, err := s.Game(t.Context(), g.ID)
		if games++; !reflect.DeepEqual(again.Game, want) {
			t.Errorf("game %+v, want %+v", again.Game, want)
		}
		_, createErr := s.CreateEvent(t.Context(), duel(1))
		return errors.Join(err, createErr)
	})
	if err != nil || games != 1 {
		t.Errorf("%d games, error %v", games, err)
	}
}

func TestTimes(t *testing.T) {
	r := record.Record{
		Moves: make([]rules.Move, 4),
		Times: []time.Duration{0, time.Microsecond, 1999 * time.Nanosecond, 100 * time.Hour},
		Lags:  []time.Duration{0, 0, -time.Second, time.Millisecond},
	}
	packed, err := packTimes(&r)
	if err != nil {
		t.Fatal(err)
	}
	times, lags, err := unpackTimes(packed)
	wantTimes := []time.Duration{0, time.Microsecond, time.Microsecond, 100 * time.Hour}
	wantLags := []time.Duration{0, 0, 0, time.Millisecond}
	if err != nil || !slices.Equal(times, wantTimes) || !slices.Equal(lags, wantLags) {
		t.Errorf("times %v and lags %v (error %v), want %v and %v", times, lags, err, wantTimes, wantLags)
	}
	for _, cut := range [][]byte{packed[:len(packed)-1], {1}, {0x80}, {1, 0x80}} {
		if times, lags, err := unpackTimes(cut); err != errTimes {
			t.Errorf("%v unpacks to %v and %v, error %v: want %v", cut, times, lags, err, errTimes)
		}
	}
}
