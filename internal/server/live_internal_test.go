package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Pages see the last state of each game in progress.
func TestLiveGames(t *testing.T) {
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Log: slog.New(slog.DiscardHandler)})
	e := tournament.Event{ID: 3, Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}
	f := newFeed(NewRecord(e))
	s.host.runs.begin(&run{feed: f})
	game := func(id int64, moves ...rules.Move) tournament.Game {
		return tournament.Game{ID: id, Record: record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Moves: moves}}
	}
	f.Begun(game(8))
	f.Begun(game(7))
	begun := game(7, rules.Place(0, false))
	f.Played(&begun, tournament.Ply{})
	seen := func() (ids []int64) {
		for _, g := range s.Playing() {
			ids = append(ids, g.ID)
		}
		return ids
	}
	if got := seen(); !slices.Equal(got, []int64{7, 8}) {
		t.Errorf("games in progress: %v", got)
	}
	g, ok := s.Game(7)
	if !ok || g.Event != 3 || len(g.Record.Moves) != 1 || time.Since(g.Since) > time.Minute {
		t.Errorf("game 7 is %+v, %v", g, ok)
	}
	ended := game(7, rules.Place(0, false))
	ended.Record.Ending = record.Time
	f.Ended(ended, tournament.ResultOf(&ended), nil)
	if _, ok := s.Game(7); ok || !slices.Equal(seen(), []int64{8}) {
		t.Error("a game that has ended is in progress")
	}
	if p, ok := s.Progress(3); !ok || p.Event != 3 {
		t.Errorf("event 3 is %+v, %v", p, ok)
	}
	if _, ok := s.Progress(4); ok {
		t.Error("there is an event 4")
	}
}

// An answer is of one moment: its number of games in progress is the length of its list, even while ended games are
// being recorded, and each game is either in progress or finished.
func TestProgressOfOneMoment(t *testing.T) {
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Log: slog.New(slog.DiscardHandler)})
	f := newFeed(NewRecord(tournament.Event{ID: 3, Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}))
	s.host.runs.begin(&run{feed: f})
	game := func(leg int) tournament.Game {
		g := tournament.Game{ID: int64(leg), Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "ann", Second: "bob"}, Leg: leg}
		g.Record = record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Time}
		g.Record.Attacker, g.Record.Defender = g.Roles(leg)
		return g
	}
	end := func(g tournament.Game) { f.Ended(g, tournament.ResultOf(&g), nil) }
	for _, step := range []struct {
		name          string
		happens       func()
		playing, done int
	}{
		{"two games are given out", func() { f.Progress(tournament.Counts{Playing: 2}) }, 0, 0},
		{"the first begins", func() { f.Begun(game(1)) }, 1, 0},
		{"the second begins", func() { f.Begun(game(2)) }, 2, 0},
		{"both are being recorded", func() { f.Progress(tournament.Counts{}) }, 2, 0},
		{"the first is on record", func() { end(game(1)) }, 1, 1},
		{"and is counted", func() { f.Progress(tournament.Counts{Done: 1}) }, 1, 1},
		{"the second is on record", func() { end(game(2)) }, 0, 2},
	} {
		step.happens()
		p, _ := s.Progress(3)
		if p.Playing != step.playing || len(p.Games) != step.playing || p.Done != step.done {
			t.Errorf("%s: playing %d, games %v, done %d, want %d and %d", step.name, p.Playing, p.Games, p.Done, step.playing, step.done)
		}
		if now, _ := f.latest(); now.Playing != step.playing || now.Games != nil {
			t.Errorf("%s: without details, playing %d, games %v", step.name, now.Playing, now.Games)
		}
	}
}

// A visitor's game that the end of the arena interrupts has the ending of one that is not finished.
func TestVisitorsGameIsUnfinished(t *testing.T) {
	v := &visit{event: tournament.Event{Entries: []tournament.Entry{{Name: "guest ada"}, {Name: "ann"}}}}
	g := v.game(rules.NewPosition(rules.GPCC2015, rules.Full))
	if g.Record.Ending != record.Unfinished || g.Record.Attacker != "ann" || g.Record.Defender != "guest ada" {
		t.Errorf("before its first ply it is %+v", g.Record)
	}
}

// An arena that is not open plays nothing.
func TestStartBeforeServe(t *testing.T) {
	s := New(Config{Store: forgetfulStore{}, Tokens: forgetfulStore{}, Log: slog.New(slog.DiscardHandler)})
	_, err := s.Start(t.Context(), tournament.Event{
		Size: rules.Full, Matches: 1, Concurrency: 1, InProcess: true, Bots: []string{"a=random", "b=random"},
	})
	if err == nil || !strings.Contains(err.Error(), "not open") {
		t.Errorf("an event starts on it: %v", err)
	}
	_, err = s.Challenge(httptest.NewRequest(http.MethodPost, "/", nil), Challenge{Opponent: "random", Size: rules.Full})
	if err == nil || !strings.Contains(err.Error(), "not open") {
		t.Errorf("a visitor plays on it: %v", err)
	}
}

// forgetfulStore takes events and forgets them.
type forgetfulStore struct{ emptyStore }

func (forgetfulStore) CreateEvent(context.Context, tournament.Event) (int64, error) { return 1, nil }

// A browser that has logged in is an operator until it logs out or the token is revoked.
func TestLogIn(t *testing.T) {
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Operator: gate.OperatorFile{Secret: "the secret"}, Log: slog.New(slog.DiscardHandler)})
	s.Add(
		Route{Pattern: "POST /in", Right: OpenRight, Serve: func(w http.ResponseWriter, r *http.Request) {
			if err := s.LogIn(w, r, r.FormValue("token")); err != nil {
				http.Error(w, err.Error(), http.StatusUnauthorized)
			}
		}},
		Route{Pattern: "POST /out", Right: OpenRight, Serve: s.LogOut},
		Route{Pattern: "POST /do", Right: OperateRight, Serve: func(w http.ResponseWriter, r *http.Request) {
			if !IsOperator(r.Context()) {
				t.Error("the handler does not learn that an operator asks")
			}
		}},
		Route{Pattern: "GET /see", Right: LookRight, Serve: func(w http.ResponseWriter, r *http.Request) {
			if IsOperator(r.Context()) {
				w.WriteHeader(http.StatusAccepted)
			}
		}},
	)
	s.host.runs.open(t.Context())
	web := httptest.NewServer(s.handler())
	defer web.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	status := func(method, path string, header ...string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		answer, err := browser.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	for _, step := range []struct {
		do           string
		answer       int
		operate, see int
	}{
		{"/in?token=wrong", http.StatusUnauthorized, http.StatusForbidden, http.StatusOK},
		{"/in?token=" + url.QueryEscape("operator's token"), http.StatusOK, http.StatusOK, http.StatusAccepted},
		{"/out", http.StatusOK, http.StatusForbidden, http.StatusOK},
		{"/in?token=the+secret", http.StatusOK, http.StatusOK, http.StatusAccepted},
	} {
		if got := status(http.MethodPost, step.do); got != step.answer {
			t.Errorf("%s: %d, want %d", step.do, got, step.answer)
		}
		if got := status(http.MethodPost, "/do"); got != step.operate {
			t.Errorf("after %s operating: %d, want %d", step.do, got, step.operate)
		}
		if got := status(http.MethodGet, "/see"); got != step.see {
			t.Errorf("after %s looking: %d, want %d", step.do, got, step.see)
		}
	}
	if got := status(http.MethodPost, "/do", "Origin", "https://example.org"); got != http.StatusForbidden {
		t.Errorf("a page of another site operates with the browser's cookie: %d", got)
	}
	if got := status(http.MethodPost, "/in?token=the+secret", "Origin", "https://example.org"); got != http.StatusForbidden {
		t.Errorf("a page of another site logs the browser in: %d", got)
	}
}

func TestSessionsEnd(t *testing.T) {
	s := newSessions()
	for range mostSessions + 5 {
		s.add("token")
	}
	if len(s.live) != mostSessions {
		t.Errorf("%d sessions are kept", len(s.live))
	}
	value := s.add("token")
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(&http.Cookie{Name: sessionCookie, Value: value})
	if _, ok := s.token(r); !ok {
		t.Error("a new session is unknown")
	}
	s.live[value] = login{"token", time.Now().Add(-sessionTime - time.Second)}
	if _, ok := s.token(r); ok {
		t.Error("a session of yesterday goes on")
	}
}
