package web

import (
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/live"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Both games of a match may be played at the same time. Watchers of the second game learn the score to beat when the
// first game ends, and the boards of the event have it, too.
func TestRivalOfLaterEnd(t *testing.T) {
	e := recorded(t)
	f := &finder{arena: server.New(server.Config{Log: e.log}), store: e.store}
	journal := e.store.Journal(1)
	games := make([]tournament.Game, 2)
	for i := range games {
		g := tournament.Game{Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "ann", Second: "bob"}, Leg: i + 1, Started: time.Now()}
		g.Record = record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full)}
		g.Record.Attacker, g.Record.Defender = g.Roles(g.Leg)
		var err error
		if games[i], err = journal.Open(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	look := func(last *live.Snapshot) *live.Snapshot {
		t.Helper()
		now, err := f.inProgress(t.Context(), server.LiveGame{Event: 1, Game: games[1], Since: time.Now()}, last)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	before := look(nil)
	if before.Rival != nil || before.Result != "in progress" {
		t.Errorf("before the end of the first game: the rival %v, %s", before.Rival, before.Result)
	}
	games[0].Record.Ending, games[0].Finished = record.MaxTurns, time.Now()
	if err := journal.Finish(t.Context(), games[0]); err != nil {
		t.Fatal(err)
	}
	for name, last := range map[string]*live.Snapshot{
		"a watcher": before, "a board": {Event: before.Event, Position: games[1].Record.Start}, "a page": nil,
	} {
		if now := look(last); now.Rival == nil || *now.Rival != (live.Rival{Name: "ann"}) {
			t.Errorf("%s has the rival %v, want ann with 0 points", name, now.Rival)
		}
	}
}
