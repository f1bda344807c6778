package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/web/live"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// table is a game that plays a ply every 20 ms until it is mated, interrupted or forgotten.
type table struct {
	mu    sync.Mutex
	moves []rules.Move
	began time.Time
	over  time.Duration // time until it is mated
	idle  time.Duration // time until it is interrupted; 0 for never
	looks atomic.Int64
}

func newTable(t *testing.T) *table {
	t.Helper()
	g := &table{began: time.Now(), over: time.Hour}
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	for n := range 100 {
		legal := p.AppendMoves(nil)
		m := legal[n%len(legal)]
		g.moves, p = append(g.moves, m), p.Next(m)
	}
	return g
}

func (g *table) look(_ context.Context, game int64, _ *live.Snapshot) (*live.Snapshot, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.looks.Add(1); game != 17 {
		return nil, errors.New("there is no such game")
	}
	now := &live.Snapshot{Event: &tournament.Event{}, Since: time.Now()}
	now.Game.ID, now.Game.Record.Start = game, rules.NewPosition(rules.GPCC2015, rules.Full)
	now.Position, now.Game.Record.Ending = now.Game.Record.Start, record.Unfinished
	age := time.Since(g.began)
	changed := make(chan struct{})
	now.Changed = changed
	switch {
	case age >= g.over:
		now.Game.Record.Ending, now.Since, now.Changed = record.Mate, time.Time{}, nil
	case g.idle > 0 && age >= g.idle:
		age, now.Since = g.idle, time.Time{}
	default:
		time.AfterFunc(20*time.Millisecond, func() { close(changed) })
	}
	for _, m := range g.moves[:min(len(g.moves), int(age/(20*time.Millisecond)))] {
		now.Game.Record.Moves, now.Position = append(now.Game.Record.Moves, m), now.Position.Next(m)
	}
	return now, nil
}

// frames returns the frames that were sent.
func frames(t *testing.T, answer *httptest.ResponseRecorder) (all []live.Frame) {
	t.Helper()
	for event := range strings.SplitSeq(answer.Body.String(), "\n\n") {
		_, data, _ := strings.Cut(event, "\ndata: ")
		if !strings.HasPrefix(event, "event: frame\n") {
			continue
		}
		var f live.Frame
		if err := json.Unmarshal([]byte(data), &f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// get returns the request of a reader of a stream.
func get() *http.Request { return httptest.NewRequest(http.MethodGet, "/", nil) }

// watch follows a game from a ply on, and returns the answer.
func watch(t *testing.T, ctx context.Context, games *live.Games, ply int, enough func(*live.Snapshot) bool) (*httptest.ResponseRecorder, error) {
	t.Helper()
	answer := httptest.NewRecorder()
	stream, err := live.NewStream(answer, get())
	if err != nil {
		t.Fatal(err)
	}
	return answer, games.Follow(ctx, stream, 17, ply, enough)
}

// However many watch, there are at most ten looks a second; each watcher gets every ply once, in order.
func TestWatchersShareTheLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := newTable(t)
		table.over = 2 * time.Second
		games := live.NewGames(table.look)
		var all sync.WaitGroup
		for n := range 50 {
			all.Go(func() {
				<-time.After(time.Duration(n) * time.Millisecond)
				answer, err := watch(t, t.Context(), games, 0, (*live.Snapshot).Over)
				got := frames(t, answer)
				ply := 0
				for _, f := range got {
					if f.From != ply || f.Ply != ply+len(f.Moves) {
						t.Errorf("watcher %d has ply %d and got a frame from %d to %d", n, ply, f.From, f.Ply)
					}
					ply = f.Ply
				}
				if err != nil || ply != 100 || got[len(got)-1].Live {
					t.Errorf("watcher %d saw %d plies (%v)", n, ply, err)
				}
			})
		}
		all.Wait()
		if n := table.looks.Load(); n > 22 {
			t.Errorf("%d looks in two seconds", n)
		}
	})
}

// slowReader takes half a second for each write.
type slowReader struct {
	*httptest.ResponseRecorder
}

func (r slowReader) Write(p []byte) (int, error) {
	<-time.After(500 * time.Millisecond)
	return r.ResponseRecorder.Write(p)
}

// A slow reader gets few frames, each with all plies since the one before, and makes neither the game
// nor another watcher slower. Nothing is kept for it.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := newTable(t)
		table.over = 2 * time.Second
		games := live.NewGames(table.look)
		slow := slowReader{httptest.NewRecorder()}
		var all sync.WaitGroup
		all.Go(func() {
			stream, err := live.NewStream(slow, get())
			if err == nil {
				err = games.Follow(t.Context(), stream, 17, 0, (*live.Snapshot).Over)
			}
			if err != nil {
				t.Error(err)
			}
		})
		other, err := watch(t, t.Context(), games, 0, (*live.Snapshot).Over)
		if took := time.Since(table.began); err != nil || took > 2100*time.Millisecond {
			t.Errorf("another watcher sees the end after %v (%v)", took, err)
		}
		if n := len(frames(t, other)); n < 20 {
			t.Errorf("another watcher got %d frames", n)
		}
		all.Wait()
		got := frames(t, slow.ResponseRecorder)
		ply := 0
		for _, f := range got {
			if f.From != ply || f.Ply != ply+len(f.Moves) {
				t.Errorf("a frame leads from %d to %d, the reader has %d", f.From, f.Ply, ply)
			}
			ply = f.Ply
		}
		if n := table.looks.Load(); len(got) > 6 || ply != 100 || n > 23 {
			t.Errorf("the slow reader got %d frames and %d plies; %d looks", len(got), ply, n)
		}
	})
}

// A reader that reconnects gets only the missing plies; a ply that the game does not have is no obstacle.
func TestComingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := newTable(t)
		table.began, table.over = time.Now().Add(-time.Second), time.Second
		for ply, from := range map[int]int{0: 0, 30: 30, 50: 50, 51: 0} {
			answer, err := watch(t, t.Context(), live.NewGames(table.look), ply, (*live.Snapshot).Over)
			got := frames(t, answer)
			if err != nil || len(got) != 1 || got[0].From != from || got[0].Ply != 50 || (got[0].Start != "") != (from == 0) {
				t.Errorf("after ply %d the frames are %+v (%v)", ply, got, err)
			}
		}
	})
}

// Nobody looks at an interrupted game before it goes on, nor when the last watcher is gone.
func TestNobodyWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := newTable(t)
		table.idle = time.Nanosecond
		ctx, leave := context.WithTimeout(t.Context(), 9500*time.Millisecond)
		defer leave()
		if _, err := watch(t, ctx, live.NewGames(table.look), 0, (*live.Snapshot).Over); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if n := table.looks.Load(); n != 2 {
			t.Errorf("%d looks, want one at first and one after the interruption", n)
		}
		<-time.After(time.Hour)
		if n := table.looks.Load(); n != 2 {
			t.Errorf("%d looks though nobody watches", n)
		}
	})
}

// The answer to HEAD has no body, so it must not become a stream without a reader that never ends.
func TestNoStreamWithoutBody(t *testing.T) {
	answer := httptest.NewRecorder()
	_, err := live.NewStream(answer, httptest.NewRequest(http.MethodHead, "/", nil))
	if kind := answer.Header().Get("Content-Type"); err == nil || kind != "text/event-stream" || answer.Body.Len() > 0 {
		t.Errorf("the error is %v, the answer %s %q", err, kind, answer.Body)
	}
}

func TestNoSuchGame(t *testing.T) {
	games := live.NewGames(newTable(t).look)
	stream, err := live.NewStream(httptest.NewRecorder(), get())
	if err == nil {
		err = games.Follow(t.Context(), stream, 18, 0, (*live.Snapshot).Over)
	}
	if err == nil || !strings.Contains(err.Error(), "no such game") {
		t.Error(err)
	}
}

// A state is sent when it has changed, whatever was missed. After the last state comes the end. A look that fails
// changes nothing.
func TestStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		changed := func(ctx context.Context) {
			select {
			case <-time.After(3 * time.Second):
			case <-ctx.Done():
			}
		}
		states := live.NewStates(time.Second, func(_ context.Context, id int64, last int) (int, live.Wait, error) {
			n := int(time.Since(began) / (3 * time.Second)) // 0, 1, 2, 3
			switch {
			case last > n:
				t.Errorf("%d came before %d", last, n)
			case n == 2:
				return 0, nil, errors.New("the database is busy")
			}
			if n == 3 {
				return n, nil, nil
			}
			return n, changed, nil
		}, func(n int) any { return n })
		follow := func(seen string) []string {
			answer := httptest.NewRecorder()
			stream, err := live.NewStream(answer, get())
			if err == nil {
				err = states.Follow(t.Context(), stream, 1, seen)
			}
			if err != nil {
				t.Error(err)
			}
			return strings.Split(strings.TrimSuffix(answer.Body.String(), "\n\n"), "\n\n")[1:]
		}
		all := follow("")
		for i, want := range []string{"data: 0", "data: 1", "data: 3", "event: end\ndata: null"} {
			if len(all) != 4 || !strings.HasSuffix(all[i], want) {
				t.Fatalf("the events are %q", all)
			}
		}
		_, tag, _ := strings.Cut(all[2], "\nid: ")
		tag, _, _ = strings.Cut(tag, "\n")
		if again := follow(tag); !slices.Equal(again, all[3:]) {
			t.Errorf("whoever has the last state gets %q", again)
		}
	})
}

// While nothing happens, something is sent every ten seconds.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := httptest.NewRecorder()
		stream, err := live.NewStream(answer, get())
		if err == nil {
			err = stream.Rest(t.Context(), 35*time.Second)
		}
		if n := strings.Count(answer.Body.String(), "event: beat"); err != nil || n != 3 {
			t.Errorf("%d beats (%v)", n, err)
		}
		for range 20 * 2 { // short rests, as of a stream that looks twice a second whether there is something new
			if err := stream.Rest(t.Context(), time.Second/2); err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(answer.Body.String(), "event: beat"); n != 5 {
			t.Errorf("%d beats after 55 s, in short rests", n)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := stream.Rest(gone, time.Second); err == nil {
			t.Error("the reader is gone, but Rest does not say so")
		}
	})
}

// A stream sends the id that it has seen in the header, a page in its address.
func TestSeen(t *testing.T) {
	r := httptest.NewRequest("GET", "/?seen=17-5", nil)
	if game, ply := live.SeenPly(r); game != 17 || ply != 5 {
		t.Error(game, ply)
	}
	r.Header.Set("Last-Event-ID", "18--9")
	if game, ply := live.SeenPly(r); game != 18 || ply != 0 {
		t.Error(game, ply)
	}
}

// The clock of a move stands still while its bot is away.
func TestClockStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := rules.NewPosition(rules.GPCC2015, rules.Full)
		event := &tournament.Event{Clock: tournament.Clock{PerMove: time.Minute}}
		at := func(since time.Time, away ...rules.Side) *live.Snapshot {
			now := &live.Snapshot{Event: event, Position: start, Since: since, At: time.Now(), Away: away}
			now.Game.Record.Start = start
			return now
		}
		spent := func(s *live.Snapshot, want int64) {
			t.Helper()
			if got := s.Clocks().Spent; got != want {
				t.Errorf("%d ms are spent, want %d", got, want)
			}
		}
		began := time.Now()
		<-time.After(2 * time.Second)
		away := at(began, rules.Attacker)
		<-time.After(5 * time.Second)
		spent(away, 2000)
		back := at(began)
		back.Continues(away)
		<-time.After(time.Second)
		spent(back, 3000)
		other := at(began, rules.Defender) // not to move
		other.Continues(back)
		<-time.After(time.Second)
		spent(other, 4000)
		next := at(time.Now())
		next.Continues(other)
		spent(next, 0)
	})
}
