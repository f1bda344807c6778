package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// A worker's games are taken back: finished ones by their origins, those in progress by their numbers. The others stay.
func TestReopen(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 3)
	liar := tournament.Origin{Worker: "liar", Task: "t1", Attempt: 2}
	origins := map[int]tournament.Origin{1: liar, 2: {Worker: "honest", Task: "t2", Attempt: 1}, 3: {}}
	games := map[int]tournament.Game{}
	for match := 1; match <= 3; match++ {
		g := open(t, j, duelGame(match, 1))
		playOn(&g, j, -1)
		g.Origin = origins[match]
		if err := j.Finish(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Origin(t.Context(), g.ID); err != nil || got != origins[match] {
			t.Errorf("match %d: origin %+v, error %v, want %+v", match, got, err, origins[match])
		}
		games[match] = g
	}
	current := open(t, j, duelGame(1, 2))
	playOn(&current, j, 4)
	flush(t, j)
	finished := func() Finished {
		t.Helper()
		f, err := s.Finished(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if workers, err := s.Workers(t.Context(), j.event); err != nil || !slices.Equal(workers, []string{"honest", "liar"}) {
		t.Errorf("its workers are %q, error %v", workers, err)
	}
	before := finished()
	if n, err := s.Reopen(t.Context(), j.event, "liar", []int64{current.ID}, false); err != nil || n != 2 {
		t.Fatalf("%d games are taken back, error %v, want 2", n, err)
	}
	if f := finished(); f.Games != before.Games-1 {
		t.Errorf("%d games are finished, %d were, and one was taken back", f.Games, before.Games)
	}
	for match, want := range map[int]bool{1: false, 2: true, 3: true} {
		g, err := s.Game(t.Context(), games[match].ID)
		if finished := g.Record.Ending != record.Unfinished; err != nil || finished != want || !finished && len(g.Record.Moves) > 0 {
			t.Errorf("match %d: %d moves, ending %q, error %v", match, len(g.Record.Moves), g.Record.Ending, err)
		}
	}
	if g, err := s.Game(t.Context(), current.ID); err != nil || len(g.Record.Moves) > 0 {
		t.Errorf("the game in progress has %d moves, error %v", len(g.Record.Moves), err)
	}
	again := s.Journal(j.event)
	g := open(t, again, duelGame(1, 1))
	playOn(&g, again, -1)
	if err := again.Finish(t.Context(), g); err != nil {
		t.Error(err)
	}
	if f := finished(); f.Games != before.Games || f == before {
		t.Errorf("played again: %+v, like before: %+v", f, before)
	}
	if got, err := s.Origin(t.Context(), g.ID); err != nil || got != (tournament.Origin{}) {
		t.Errorf("played again by the arena, its origin is %+v, error %v", got, err)
	}
}

// If results decide the pairings, the games of later matches are removed.
func TestReopenRemovesLaterMatches(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 4)
	other := newDuel(t, s, 4)
	for match := 1; match <= 4; match++ {
		for _, journal := range []*Journal{j, other} {
			g := open(t, journal, duelGame(match, 1))
			playOn(&g, journal, -1)
			if match%2 == 0 && journal == j {
				g.Origin.Worker = "liar"
			}
			if err := journal.Finish(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := s.Reopen(t.Context(), j.event, "liar", nil, true); err != nil || n != 3 {
		t.Fatalf("%d games are taken back, error %v, want 3", n, err)
	}
	left := func(j *Journal) (matches []int) {
		err := j.Finished(t.Context(), func(r tournament.Result) error {
			matches = append(matches, r.Match)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return matches
	}
	if got := left(j); !slices.Equal(got, []int{1}) {
		t.Errorf("matches %v are left, want 1", got)
	}
	if got := left(other); len(got) != 4 {
		t.Errorf("matches %v are left of another event, want all", got)
	}
	again := duelGame(3, 1)
	again.First, again.Second = again.Second, again.First
	again.Record.Attacker, again.Record.Defender = again.Record.Defender, again.Record.Attacker
	if g := open(t, j, again); g.Record.Attacker != again.Record.Attacker {
		t.Errorf("match 3 is attacked by %q, want %q", g.Record.Attacker, again.Record.Attacker)
	}
}

// If second games end once they have passed the score of the first game, a second game is played again together with
// its first game. Other second games stay, and so do first games.
func TestReopenTakesSecondGames(t *testing.T) {
	for early, want := range map[bool]string{true: "1.1", false: "1.1 2.2 3.2+4"} {
		s := openNew(t)
		e := duel(3)
		e.Settings.Adjudication.EarlyDecision = early
		id, err := s.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		j := s.Journal(id)
		for _, by := range []struct {
			match, leg int
			worker     string
		}{{1, 1, "honest"}, {1, 2, "liar"}, {2, 1, "liar"}, {2, 2, "honest"}, {3, 1, "liar"}} {
			g := open(t, j, duelGame(by.match, by.leg))
			playOn(&g, j, -1)
			g.Origin.Worker = by.worker
			if err := j.Finish(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
		current := open(t, j, duelGame(3, 2))
		playOn(&current, j, 4)
		flush(t, j)
		if _, err := s.Reopen(t.Context(), j.event, "liar", nil, false); err != nil {
			t.Fatal(err)
		}
		if got := begunGames(t, s); got != want {
			t.Errorf("with early decision %v the games %s are left, want %s", early, got, want)
		}
	}
}

// begunGames lists the games on record that have plies, with their number for games in progress.
func begunGames(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	err := s.Games(t.Context(), Filter{}, func(g Stored) error {
		switch {
		case g.Record.Ending != record.Unfinished:
			all = append(all, fmt.Sprintf("%d.%d", g.Match, g.Leg))
		case len(g.Record.Moves) > 0:
			all = append(all, fmt.Sprintf("%d.%d+%d", g.Match, g.Leg, len(g.Record.Moves)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// A worker's part of a game is recorded with its plies, even if another worker continues the game,
// and even after the event is resumed.
func TestPartsAreOnRecord(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	liar, honest := tournament.Origin{Worker: "liar", Task: "t1", Attempt: 1}, tournament.Origin{Worker: "honest", Task: "t2", Attempt: 3}
	part, again := open(t, j, duelGame(1, 1)), open(t, j, duelGame(1, 2))
	j.TakesPart(part.ID, liar)
	playOn(&part, j, 4)
	flush(t, j)
	if o, err := s.Origin(t.Context(), part.ID); err != nil || o != (tournament.Origin{}) {
		t.Errorf("a game in progress is from %+v, error %v", o, err)
	}
	j.TakesPart(again.ID, liar) // and the next one, before anything is written
	playOn(&again, j, 4)
	j.TakesPart(again.ID, honest)
	playOn(&again, j, -1)
	again.Origin = honest
	resumed := s.Journal(j.event)
	part = open(t, resumed, duelGame(1, 1))
	resumed.TakesPart(part.ID, honest)
	playOn(&part, resumed, -1)
	part.Origin = honest
	own := open(t, resumed, duelGame(2, 1))
	resumed.TakesPart(own.ID, honest)
	playOn(&own, resumed, -1)
	own.Origin = honest
	for g, j := range map[*tournament.Game]*Journal{&part: resumed, &again: j, &own: resumed} {
		if err := j.Finish(t.Context(), *g); err != nil {
			t.Fatal(err)
		}
		if o, err := s.Origin(t.Context(), g.ID); err != nil || o != honest {
			t.Errorf("game %d is from %+v, error %v, want %+v", g.ID, o, err, honest)
		}
	}
	if workers, err := s.Workers(t.Context(), j.event); err != nil || !slices.Equal(workers, []string{"honest", "liar"}) {
		t.Errorf("its workers are %q, error %v", workers, err)
	}
	if n, err := s.Reopen(t.Context(), j.event, "liar", nil, false); err != nil || n != 2 {
		t.Errorf("%d games are taken back, error %v, want 2", n, err)
	}
	if got := begunGames(t, s); got != "2.1" {
		t.Errorf("the games %s are left, want 2.1", got)
	}
}
