package results

import (
	"slices"
	"testing"

	"versus2048/rules/record"
)

// A catalog selects the same games in the same order as a list, page by page.
func TestCatalogEqualsList(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 5)
	for match := 1; match <= 4; match++ {
		finish(t, j, match, 2)
		if match < 4 {
			finish(t, j, match, 1)
		}
	}
	late := open(t, j, duelGame(5, 1))
	playOn(&late, j, 3)
	late.Record.Ending = record.Time
	if err := j.Finish(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	open(t, j, duelGame(4, 1))
	if err := j.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	watched(t, s)
	c, err := s.Catalog(t.Context(), j.event)
	if err != nil {
		t.Fatal(err)
	}
	if c.Games() != 9 {
		t.Errorf("%d games, want 9", c.Games())
	}
	for _, l := range []Listing{
		{},
		{Finished: true},
		{Ending: record.Unfinished},
		{Ending: record.Mate},
		{Faults: true},
		{Bot: "ann"},
		{Bot: "eve"},
		{Offset: 3, Limit: 2},
		{Offset: 9},
	} {
		for _, order := range append(Orders(), "") {
			for _, reverse := range []bool{false, true} {
				l.Event, l.Order, l.Reverse = j.event, order, reverse
				want, all, err := s.List(t.Context(), l)
				if err != nil {
					t.Fatal(err)
				}
				ids, total := c.Select(l)
				games, err := s.Listed(t.Context(), ids)
				if err != nil || total != all || !slices.Equal(games, want) {
					t.Errorf("%+v: %v of %d, want %v of %d (%v)", l, games, total, want, all, err)
				}
			}
		}
	}
	faulty, _, err := s.List(t.Context(), Listing{Event: j.event, Faults: true})
	if err != nil || len(faulty) == 0 {
		t.Fatalf("%d faults (%v)", len(faulty), err)
	}
	for _, bot := range []string{"ann", "bob", "eve"} {
		want := 0
		for _, g := range faulty {
			if g.Fault == bot {
				want++
			}
		}
		if ids, total := c.Select(Listing{FaultOf: bot}); total != want || len(ids) != want {
			t.Errorf("%d faults of %s, want %d", total, bot, want)
		}
	}
}
