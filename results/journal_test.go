package results

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/tournament"
)

var _ tournament.Journal = (*Journal)(nil)

// flush writes what is queued.
func flush(t *testing.T, j *Journal) {
	t.Helper()
	if err := j.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// wantStored fails unless the game is stored as far as it was played.
func wantStored(t *testing.T, s *Store, want tournament.Game) {
	t.Helper()
	got, err := s.Game(t.Context(), want.ID)
	if err != nil || !reflect.DeepEqual(got.Game, want) {
		t.Errorf("game %+v (error %v), want %+v", got.Game, err, want)
	}
}

// wantRows fails unless the journal has so many rows.
func wantRows(t *testing.T, s *Store, want int) {
	t.Helper()
	if got, err := query(t.Context(), s.read, scanCount, `SELECT count(*) FROM journal`); err != nil || got[0] != want {
		t.Errorf("%v rows in the journal (error %v), want %d", got, err, want)
	}
}

func TestFlushWritesARowAGame(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	games := []tournament.Game{open(t, j, duelGame(1, 1)), open(t, j, duelGame(1, 2)), open(t, j, duelGame(2, 1))}
	flush(t, j)
	wantRows(t, s, 0)
	for i, rows := range []int{3, 6} {
		for g := range games {
			playOn(&games[g], j, 3+i)
		}
		flush(t, j)
		flush(t, j) // nothing new
		wantRows(t, s, rows)
	}
	for _, g := range games {
		wantStored(t, s, g)
	}
	playOn(&games[0], j, -1)
	if err := j.Finish(t.Context(), games[0]); err != nil {
		t.Fatal(err)
	}
	flush(t, j)
	wantRows(t, s, 4)
	wantStored(t, s, games[0])
}

func TestRunWritesInTime(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- j.Run(ctx) }()
	g := open(t, j, duelGame(1, 1))
	for range 2 {
		playOn(&g, j, 4)
		for { // until another connection sees it
			stored, err := s.Game(t.Context(), g.ID)
			if err != nil {
				t.Fatal(err)
			}
			if len(stored.Record.Moves) == len(g.Record.Moves) {
				break
			}
			<-time.After(time.Millisecond)
		}
	}
	playOn(&g, j, 4)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	wantStored(t, s, g)
}

func TestRunWritesTheRest(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for range 10 {
		playOn(&g, j, 1)
		if err := j.Run(ctx); err != nil {
			t.Fatal(err)
		}
		wantStored(t, s, g)
	}
}

// A commit may take place and yet be reported as failed.
func TestFlushedTwice(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	playOn(&g, j, 3)
	before := *j.queues[g.ID]
	flush(t, j)
	*j.queues[g.ID] = before
	playOn(&g, j, 3)
	flush(t, j)
	wantStored(t, s, g)
}

// A write that fails is told, and nothing is lost when writing works again.
func TestFailingDisk(t *testing.T) {
	for name, disk := range map[string]struct {
		fail, mend string
		code       int
	}{
		"full":      {"PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", sqlite3.SQLITE_FULL},
		"read-only": {"PRAGMA query_only = 1", "PRAGMA query_only = 0", sqlite3.SQLITE_READONLY},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			j := newDuel(t, s, 30)
			var games []tournament.Game
			for match := range 30 {
				games = append(games, open(t, j, duelGame(match+1, 1)))
				playOn(&games[match], j, -1)
			}
			last := &games[29]
			if _, err := s.write.Exec(disk.fail); err != nil {
				t.Fatal(err)
			}
			wantCode(t, "Run", j.Run(t.Context()), disk.code)
			wantCode(t, "Flush", j.Flush(t.Context()), disk.code)
			if name == "read-only" { // one row may fit on a full disk
				wantCode(t, "Finish", j.Finish(t.Context(), *last), disk.code)
			}
			if _, err := s.write.Exec(disk.mend); err != nil {
				t.Fatal(err)
			}
			playOn(last, j, 1) // changes nothing: the game is over
			flush(t, j)
			wantRows(t, s, 30)
			for _, g := range games {
				if err := j.Finish(t.Context(), g); err != nil {
					t.Fatal(err)
				}
				wantStored(t, s, g)
			}
			wantRows(t, s, 0)
		})
	}
}

func wantCode(t *testing.T, what string, err error, code int) {
	t.Helper()
	if !hasCode(err, code) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error %v, want one line with SQLite's code %d", what, err, code)
	}
}

// Plies that come while others are written are kept for the next time.
func TestAppendDuringFlush(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 20)
	var games []tournament.Game
	for match := range 20 {
		games = append(games, open(t, j, duelGame(match+1, 1)))
	}
	ctx, stop := context.WithCancel(t.Context())
	flushed := make(chan error, 1)
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			err = j.Flush(t.Context())
		}
		flushed <- err
	}()
	for range 200 { // more than any of them has
		for i := range games {
			playOn(&games[i], j, 1)
		}
	}
	stop()
	if err := <-flushed; err != nil {
		t.Fatal(err)
	}
	flush(t, j)
	for _, g := range games {
		stored, err := s.Game(t.Context(), g.ID)
		if err != nil || !reflect.DeepEqual(stored.Record.Moves, g.Record.Moves) || !reflect.DeepEqual(stored.Record.Times, g.Record.Times) {
			t.Errorf("moves %v (error %v), want %v", stored.Record.Moves, err, g.Record.Moves)
		}
	}
}
