package results

import (
	"bytes"
	"database/sql"
	"testing"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// describedBots returns how the bots of each finished game of an event described themselves.
func describedBots(t *testing.T, s *Store, event int64) (all [][2]tournament.Identity) {
	t.Helper()
	var described descriptions
	err := s.view(t.Context(), func(tx *sql.Tx) (err error) {
		described, err = readDescriptions(t.Context(), tx, event)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bots := described.byNumber
	err = s.Games(t.Context(), Filter{Event: event, Finished: true}, func(g Stored) error {
		all = append(all, [2]tournament.Identity{bots[g.Bots[0]], bots[g.Bots[1]]})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The record of a game knows which version of a bot played it, and so do the event's file and a copy that is
// imported from it.
func TestIdentitiesOfGames(t *testing.T) {
	s := openNew(t)
	journal := newDuel(t, s, 2)
	ann := tournament.Identity{Name: "ann", Spec: "random"}
	bob1, bob2 := tournament.Identity{Name: "bob", Version: "1"}, tournament.Identity{Name: "bob", Version: "2"}
	want := [][2]tournament.Identity{{bob1, ann}, {ann, bob1}, {bob2, ann}, {}}
	for _, id := range []tournament.Identity{bob1, ann, bob2, bob1} {
		if err := journal.Identify(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for i, identities := range want {
		g := open(t, journal, duelGame(1+i/2, 1+i%2))
		playOn(&g, journal, 1)
		g.Record.Ending, g.Finished, g.Identities = record.Time, g.Started.Add(time.Second), identities
		if err := journal.Finish(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, s *Store, event int64) {
		got := describedBots(t, s, event)
		if len(got) != len(want) {
			t.Fatalf("%s: %d games, want %d", name, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: game %d was played by %+v, want %+v", name, i+1, got[i], want[i])
			}
		}
		if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != len(want) {
			t.Errorf("%s: verification %+v, error %v", name, v, err)
		}
	}
	check("recorded", s, 1)
	var file bytes.Buffer
	if _, err := s.Export(t.Context(), &file, 1); err != nil {
		t.Fatal(err)
	}
	other := openNew(t)
	another := duel(1)
	another.Name = "another, so that the numbers of events and bots differ"
	id, err := other.CreateEvent(t.Context(), another)
	if err == nil {
		err = other.Journal(id).Identify(t.Context(), tournament.Identity{Name: "zoe"})
	}
	if err != nil {
		t.Fatal(err)
	}
	imported, err := other.Import(t.Context(), bytes.NewReader(file.Bytes()), 0)
	if err != nil {
		t.Fatal(err)
	}
	check("imported", other, imported.Event)
	var again bytes.Buffer
	if _, err := other.Export(t.Context(), &again, imported.Event); err != nil || !bytes.Equal(again.Bytes(), file.Bytes()) {
		t.Errorf("the imported event is exported otherwise (error %v)", err)
	}
}
