package results

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/tournament"
)

var _ tournament.Journal = (*Journal)(nil)

// flush writes the queued plies.
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

// wantRows fails unless the journal has the wanted number of rows.
func wantRows(t *testing.T, s *Store, want int) {
	t.Helper()
	if got, err := query(t.Context(), s.read, scanCount, `SELECT count(*) FROM journal`); err != nil || got[0] != want {
		t.Errorf("%v rows in the journal (error %v), want %d", got, err, want)
	}
}

func TestFlushWritesOneRowPerGame(t *testing.T) {
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
			if missing := (*NotFoundError)(nil); err != nil && !errors.As(err, &missing) {
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

func TestRunWritesTheRestAtItsEnd(t *testing.T) {
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

// A commit may succeed and still be reported as failed.
func TestFlushedTwice(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	g := open(t, j, duelGame(1, 1))
	playOn(&g, j, 3)
	before := j.games[g.ID].queue
	flush(t, j)
	j.games[g.ID].queue = before
	playOn(&g, j, 3)
	flush(t, j)
	wantStored(t, s, g)
}

// A failing write returns an error, and nothing is lost once writing works again.
func TestFailingDisk(t *testing.T) {
	for name, disk := range map[string]struct {
		fail, repair string
		code         int
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
			if _, err := s.write.Exec(disk.repair); err != nil {
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

// Plies appended during a flush are written by the next one.
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
	for range 200 { // more plies than any of the games has
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
	if done := finished(t, s.Journal(id)); len(done) != 0 {
		t.Errorf("finished games %+v, want none", done)
	}
}

// The matches that have begun are those with a game in progress that has plies.
func TestBegun(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 4)
	for match, plies := range map[int]int{1: 3, 2: 0, 3: -1} {
		g := open(t, j, duelGame(match, 1))
		playOn(&g, j, plies)
		if plies < 0 {
			if err := j.Finish(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
	}
	flush(t, j)
	other := newDuel(t, s, 1)
	g := open(t, other, duelGame(1, 1))
	playOn(&g, other, 2)
	flush(t, other)
	var begun []tournament.Pairing
	err := j.Begun(t.Context(), func(p tournament.Pairing) error {
		begun = append(begun, p)
		return nil
	})
	if want := []tournament.Pairing{duelGame(1, 1).Pairing}; err != nil || !slices.Equal(begun, want) {
		t.Errorf("begun are %+v, error %v, want %+v", begun, err, want)
	}
	wrong := errors.New("enough")
	if err := j.Begun(t.Context(), func(tournament.Pairing) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("it ends with %v", err)
	}
}

// The journal forgets a match after both games, even if one of them was opened or finished by an earlier journal.
func TestMatchesAreForgotten(t *testing.T) {
	s := openNew(t)
	earlier := newDuel(t, s, 2)
	finish(t, earlier, 1, 1)
	begun := open(t, earlier, duelGame(2, 1))
	playOn(&begun, earlier, 3)
	flush(t, earlier)
	j := s.Journal(earlier.event)
	finish(t, j, 1, 2)
	finish(t, j, 2, 1)
	if len(j.matches) != 1 {
		t.Errorf("%d matches are known while one is in progress", len(j.matches))
	}
	finish(t, j, 2, 2)
	if len(j.matches) != 0 {
		t.Errorf("%d matches are known after the end of all", len(j.matches))
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
	if done := finished(t, j); !reflect.DeepEqual(done, []tournament.Result{tournament.ResultOf(&g)}) {
		t.Errorf("finished games %+v, want %+v", done, g)
	}
	g.Record.Searches = nil
	if got, err := s.FinishedGames(t.Context(), j.event); err != nil || !reflect.DeepEqual(got, []tournament.Game{g}) {
		t.Errorf("finished games %+v (%v), want %+v", got, err, g)
	}
}

// finished returns the results in the journal.
func finished(t *testing.T, j *Journal) (all []tournament.Result) {
	t.Helper()
	if err := j.Finished(t.Context(), func(r tournament.Result) error {
		all = append(all, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// The reading of finished games ends with the first error of its caller, and with the context.
func TestFinishedStops(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	enough, calls := errors.New("enough"), 0
	err := j.Finished(t.Context(), func(tournament.Result) error {
		calls++
		return enough
	})
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := j.Finished(ctx, func(tournament.Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: error %v", err)
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
	round := duelGame(1, 1)
	round.Round++
	for name, g := range map[string]tournament.Game{"players": renamed(1), "seed": seed, "start": start, "round": round} {
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
		"a late pause":   `UPDATE journal SET pauses = CAST('[{"ply":99}]' AS BLOB) WHERE ply = 0`,
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

// If a bot has joined and left often, only the memberships that have changed are written.
func TestMembershipsAreWrittenOnce(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 1)
	ann := duel(1).Entries[0]
	rows := func() (n int) {
		t.Helper()
		if err := s.write.QueryRowContext(t.Context(), `SELECT total_changes()`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var all []tournament.Membership
	set := func(want int) {
		t.Helper()
		before := rows()
		if err := j.SetMemberships(t.Context(), ann, all); err != nil {
			t.Fatal(err)
		}
		if n := rows() - before; n != want {
			t.Errorf("%d rows are written, want %d", n, want)
		}
		if e, err := s.Event(t.Context(), j.event); err != nil || !slices.Equal(e.Memberships, all) {
			t.Errorf("on record are %+v (%v), want %+v", e.Memberships, err, all)
		}
	}
	for i := range 50 {
		all = append(all, tournament.Membership{Name: ann.Name, From: 10*i + 1, To: 10*i + 5})
	}
	set(50)
	all = append(all, tournament.Membership{Name: ann.Name, From: 601, To: tournament.NotLeft})
	set(1)
	all[50].To = 600 // without a match
	set(1)
	all[50] = tournament.Membership{Name: ann.Name, From: 701, To: tournament.NotLeft}
	set(2) // the one without a match goes
}
