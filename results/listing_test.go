package results

import (
	"testing"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// watched makes a game of each bot one that it only watches, as where chance attacks.
func watched(t *testing.T, s *Store) {
	t.Helper()
	if _, err := s.write.ExecContext(t.Context(), `UPDATE games SET attacker = 'chance' WHERE id < 3`); err != nil {
		t.Fatal(err)
	}
}

// Lists have the games that SQL counts, in the order and on the pages that they ask for.
func TestList(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 3)
	other := newDuel(t, s, 1)
	for match := 1; match <= 3; match++ {
		finish(t, j, match, 2)
		finish(t, j, match, 1)
	}
	lose(t, other, duelGame(1, 1))
	open(t, other, duelGame(1, 2))
	if err := other.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	watched(t, s)
	for name, c := range map[string]struct {
		listing Listing
		where   string
	}{
		"all":        {Listing{}, "1"},
		"event":      {Listing{Event: 1}, "event = 1"},
		"finished":   {Listing{Finished: true}, "ending IS NOT NULL"},
		"unfinished": {Listing{Ending: record.Unfinished}, "ending IS NULL"},
		"mates":      {Listing{Ending: record.Mate}, "ending = 'mate'"},
		"faults":     {Listing{Faults: true}, "ending = 'time'"},
		"bot":        {Listing{Bot: "ann"}, "'ann' IN (attacker, defender)"},
		"stranger":   {Listing{Bot: "eve"}, "0"},
		"before":     {Listing{Before: 3}, "games.id < 3"},
		"voided":     {Listing{Voided: true, Bot: "ann", Event: 2}, "event = 2"},
	} {
		var want int
		if err := s.read.QueryRow(`SELECT count(*) FROM games JOIN matches ON matches.id = match WHERE ` + c.where).Scan(&want); err != nil {
			t.Fatal(err)
		}
		games, total, err := s.List(t.Context(), c.listing)
		if err != nil || total != want || len(games) != want {
			t.Errorf("%s: %d games of %d, want %d (%v)", name, len(games), total, want, err)
		}
	}
	for _, order := range Orders() {
		whole, _, err := s.List(t.Context(), Listing{Order: order, Reverse: true})
		if err != nil || len(whole) != 8 {
			t.Fatalf("by %s: %d games, error %v, want 8", order, len(whole), err)
		}
		for i, want := range whole {
			page, total, err := s.List(t.Context(), Listing{Order: order, Reverse: true, Offset: i, Limit: 1})
			if err != nil || total != 8 || len(page) != 1 || page[0] != want {
				t.Errorf("by %s, page %d: %+v of %d, want %+v (%v)", order, i, page, total, want, err)
			}
		}
	}
	byScore, _, err := s.List(t.Context(), Listing{Order: ByScore, Reverse: true})
	if err != nil || len(byScore) != 8 {
		t.Fatalf("by score: %d games, error %v, want 8", len(byScore), err)
	}
	for i := 1; i < len(byScore); i++ {
		if byScore[i].Score > byScore[i-1].Score {
			t.Errorf("score %d comes after %d", byScore[i].Score, byScore[i-1].Score)
		}
	}
	if finished, all, err := s.Count(t.Context(), other.event); finished != 1 || all != 2 || err != nil {
		t.Errorf("event 2 has %d of %d games finished, want 1 of 2 (%v)", finished, all, err)
	}
}

// The matches of two bots are their matches in the whole event.
func TestEncounters(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	for match := 1; match <= 2; match++ {
		finish(t, j, match, 1)
		finish(t, j, match, 2)
	}
	e, err := s.Event(t.Context(), j.event)
	if err != nil {
		t.Fatal(err)
	}
	var want []tournament.MatchResult
	err = s.EachMatch(t.Context(), e, func(m tournament.MatchResult) { want = append(want, m) })
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Encounters(t.Context(), e, "bob", "ann")
	if err != nil || len(got) != 2 || got[0].MatchResult != want[0] || got[1].MatchResult != want[1] || len(got[0].Games) != 2 {
		t.Errorf("the matches are %v, want %v (%v)", got, want, err)
	}
	if none, err := s.Encounters(t.Context(), e, "bob", "eve"); len(none) > 0 || err != nil {
		t.Errorf("bob and eve have %v (%v)", none, err)
	}
	if ids, err := s.EventsOf(t.Context(), "ann"); len(ids) != 1 || ids[0] != j.event || err != nil {
		t.Errorf("ann's events are %v (%v)", ids, err)
	}
	if ids, err := s.EventsAfter(t.Context(), j.event); len(ids) != 0 || err != nil {
		t.Errorf("after the last event come %v (%v)", ids, err)
	}
}

// The extent of an event and the absence after a fault depend on the dates of its games. A game without moves is no
// return.
func TestExtent(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	if x, err := s.Extent(t.Context(), j.event); err != nil || x != (Extent{}) {
		t.Errorf("without games: %+v, error %v", x, err)
	}
	lost := lose(t, j, duelGame(1, 1))
	listed := &Listed{ID: lost.ID, Event: j.event}
	if away, err := s.Absence(t.Context(), listed, "ann"); err != nil || away != 0 {
		t.Errorf("without a later game the absence is %v, error %v", away, err)
	}
	again := duelGame(1, 2)
	again.Started = lost.Finished.Add(1500 * time.Millisecond)
	again = lose(t, j, again)
	empty := duelGame(2, 1)
	empty.Started = lost.Finished.Add(time.Second)
	empty = open(t, j, empty)
	fail(&empty, record.Disconnect)
	if err := j.Finish(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	x, err := s.Extent(t.Context(), j.event)
	if err != nil || x.Games != 3 || x.Plies != len(lost.Record.Moves)+len(again.Record.Moves) || !x.Ended.Equal(again.Finished.Truncate(time.Millisecond)) {
		t.Errorf("the extent is %+v, error %v", x, err)
	}
	if away, err := s.Absence(t.Context(), listed, "ann"); err != nil || away.Round(time.Millisecond) != 1500*time.Millisecond {
		t.Errorf("the absence is %v, error %v", away, err)
	}
}
