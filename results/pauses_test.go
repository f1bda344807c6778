package results

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// withPauses plays some plies of a game. The clock stands still during the first and the last of
// them.
func withPauses(t *testing.T, g *tournament.Game, j *Journal) {
	t.Helper()
	p, err := g.Record.Replay()
	if err != nil {
		t.Fatal(err)
	}
	for i, ply := range []tournament.Ply{{Stall: 20 * time.Second}, {}, {Stall: time.Millisecond, Away: 7 * time.Second}} {
		ply.Move = p.AppendMoves(nil)[i%2]
		p = p.Next(ply.Move)
		r := &g.Record
		r.AddPause(ply.Stall, ply.Away)
		r.Moves, r.Times, r.Lags = append(r.Moves, ply.Move), append(r.Times, ply.Time), append(r.Lags, ply.Lag)
		j.Append(g.ID, ply)
	}
}

func wantPauses(t *testing.T, s *Store, where string, want []record.Pause) {
	t.Helper()
	g, err := s.Game(t.Context(), 1)
	if err != nil || !reflect.DeepEqual(g.Record.Pauses, want) {
		t.Errorf("%s: pauses %v (error %v), want %v", where, g.Record.Pauses, err, want)
	}
}

// Pauses are kept in the journal, in the record and in an export.
func TestPausesAreKept(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	withPauses(t, &g, j)
	flush(t, j)
	withPauses(t, &g, j)
	flush(t, j)
	want := []record.Pause{{Ply: 0, Stall: 20 * time.Second}, {Ply: 2, Stall: time.Millisecond, Away: 7 * time.Second}, {Ply: 3, Stall: 20 * time.Second}, {Ply: 5, Stall: time.Millisecond, Away: 7 * time.Second}}
	wantPauses(t, s, "in the journal", want)
	wantPauses(t, imported(t, s), "in the export of a game in progress", want)

	g = open(t, s.Journal(j.event), duelGame(1, 1))
	g.Record.Ending, g.Finished = record.Disconnect, g.Started.Add(time.Minute)
	g.Record.AddPause(0, 30*time.Second) // during the move that never came
	want = append(want, record.Pause{Ply: 6, Away: 30 * time.Second})
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	wantPauses(t, s, "in the record", want)
	wantPauses(t, imported(t, s), "in the export", want)
}

// imported returns a new database with the first event of s, which was exported and imported.
func imported(t *testing.T, s *Store) *Store {
	t.Helper()
	var file bytes.Buffer
	if _, err := s.Export(t.Context(), &file, 1); err != nil {
		t.Fatal(err)
	}
	other, err := Open(t.Context(), filepath.Join(t.TempDir(), "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	if _, err := other.Import(t.Context(), &file, 0); err != nil {
		t.Fatal(err)
	}
	return other
}
