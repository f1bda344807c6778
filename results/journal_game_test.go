package results

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"versus2048/tournament"
)

func TestResume(t *testing.T) {
	s := openNew(t)
	id := newDuel(t, s, 1).event
	var want tournament.Game
	for range 3 {
		j := s.Journal(id)
		g := open(t, j, duelGame(1, 1))
		if want.ID != 0 && !reflect.DeepEqual(g, want) {
			t.Errorf("resumed %+v, want %+v", g, want)
		}
		playOn(&g, j, 5)
		flush(t, j)
		want = g
		playOn(&g, j, 2) // not written
	}
	done, err := s.Journal(id).Finished(t.Context())
	if err != nil || len(done) != 0 {
		t.Errorf("finished games %+v, error %v: want none", done, err)
	}
}

func TestFinishedOnce(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := finish(t, j, 1, 1)
	again := g
	again.Record.Detail = "another one"
	if err := j.Finish(t.Context(), again); !errors.Is(err, ErrRecorded) {
		t.Errorf("finished again: error %v, want ErrRecorded", err)
	}
	if _, err := j.Open(t.Context(), duelGame(1, 1)); !errors.Is(err, ErrRecorded) {
		t.Errorf("opened again: error %v, want ErrRecorded", err)
	}
	wantStored(t, s, g)
	g.Record.Searches = nil
	if done, err := j.Finished(t.Context()); err != nil || !reflect.DeepEqual(done, []tournament.Game{g}) {
		t.Errorf("finished games %+v, error %v: want %+v", done, err, g)
	}
}

func TestFinishRefuses(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	playOn(&g, j, 6)
	for name, spoil := range map[string]func(g *tournament.Game){
		"not ended":    func(*tournament.Game) {},
		"no mate":      func(g *tournament.Game) { g.Record.Ending = "mate" },
		"lags missing": func(g *tournament.Game) { g.Record.Ending, g.Record.Lags = "time", nil },
		"illegal move": func(g *tournament.Game) { g.Record.Ending, g.Record.Moves = "time", g.Record.Moves[1:] },
		"unknown":      func(g *tournament.Game) { g.Record.Ending, g.ID = "time", 99 },
	} {
		spoilt := g
		spoil(&spoilt)
		if err := j.Finish(t.Context(), spoilt); err == nil || errors.Is(err, ErrRecorded) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	flush(t, j)
	wantStored(t, s, g)
}

func TestOpenRefusesAnotherGame(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	open(t, j, duelGame(1, 1))
	start := duelGame(1, 1)
	start.Record.Start = start.Record.Start.Next(start.Record.Start.AppendMoves(nil)[0])
	seed := duelGame(1, 1)
	seed.Record.AttackerSeed++
	for name, g := range map[string]tournament.Game{"players": renamed(1), "seed": seed, "start": start} {
		if _, err := j.Open(t.Context(), g); err == nil || !strings.Contains(err.Error(), "on record") {
			t.Errorf("another %s: error %v", name, err)
		}
	}
}

func TestDamagedJournal(t *testing.T) {
	for name, damage := range map[string]string{
		"a gap":          `UPDATE journal SET ply = ply + 1 WHERE ply > 0`,
		"missing":        `DELETE FROM journal WHERE ply = 0`,
		"an overlap":     `UPDATE journal SET moves = CAST(moves || x'20' AS BLOB), times = CAST(times || x'0000' AS BLOB) WHERE ply = 0`,
		"illegal moves":  `UPDATE journal SET moves = x'2020202020' WHERE ply = 0`,
		"no moves":       `UPDATE journal SET moves = x'FFFFFFFFFF' WHERE ply = 0`,
		"a time missing": `UPDATE journal SET times = x'0000'`,
		"half a time":    `UPDATE journal SET times = CAST(times || x'80' AS BLOB)`,
		"half a report":  `UPDATE journal SET searches = CAST('[{' AS BLOB)`,
		"a report more":  `UPDATE journal SET searches = CAST('[null, null, null, null, null, null]' AS BLOB)`,
	} {
		s := openNew(t)
		j := newDuel(t, s, 1)
		g := open(t, j, duelGame(1, 1))
		for range 2 {
			playOn(&g, j, 5)
			flush(t, j)
		}
		if _, err := s.write.Exec(damage); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Open(t.Context(), duelGame(1, 1)); err == nil || !strings.Contains(err.Error(), "its journal: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
