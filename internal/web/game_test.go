package web_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"versus2048/results"
	"versus2048/tournament"
)

// game returns a game of an event.
func (h *host) game(event int64, finished bool) (game results.Stored) {
	h.t.Helper()
	err := h.store.Games(h.t.Context(), results.Filter{Event: event, Finished: finished, Last: 1}, func(g results.Stored) error {
		game = g
		return nil
	})
	if err != nil || game.ID == 0 {
		h.t.Fatalf("event %d has no game (%v)", event, err)
	}
	return game
}

// The page shows each ply as the record has it, with and without JavaScript, by keys, slider and link.
func TestReplay(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d?ply=9", g.ID))
	b.await(`document.querySelector("article.game").replay?.moves.length > 0`)
	for _, step := range []struct {
		key string
		ply int
	}{
		{"", 9}, {kb.ArrowRight, 10}, {kb.ArrowLeft, 9}, {kb.ArrowLeft, 8}, {kb.Home, 0}, {kb.End, len(g.Record.Moves)},
	} {
		if step.key != "" {
			b.press(step.key)
		}
		want := positionAfter(&g.Record, step.ply)
		if got := b.tiles(); !reflect.DeepEqual(got, want.Tiles()) {
			t.Errorf("ply %d: the page shows %v, want %v", step.ply, got, want.Tiles())
		}
		if got := b.text("[data-ply-text]"); got != fmt.Sprint(step.ply) {
			t.Errorf("the page says ply %s, want %d", got, step.ply)
		}
		status, text := h.get(fmt.Sprintf("/games/%d?ply=%d", g.ID, step.ply))
		for _, row := range want.Tiles() {
			for _, tile := range row {
				if tile > 0 && !strings.Contains(text, fmt.Sprintf(">%d</span>", tile)) {
					t.Errorf("without JavaScript ply %d (%d) has no tile %d", step.ply, status, tile)
				}
			}
		}
	}
	b.await(fmt.Sprintf(`location.search === "?ply=%d"`, len(g.Record.Moves)))
}

// Plies of a game in progress arrive in order, one board after the other.
func TestWatching(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	b := browse(t, h.URL())
	b.live(s.game)
	for range 10 {
		s.step(1)
		b.await(reaches(s.plies))
	}
	wantRising(t, eval[[]int](b, "seen"))
	b.sameAs(h, s.game)
}

func TestBadAddresses(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/games/99":                              {http.StatusNotFound, "There is no game 99"},
		"/games/x":                               {http.StatusNotFound, "known by their numbers"},
		"/games/-1":                              {http.StatusNotFound, "known by their numbers"},
		"/games/+1":                              {http.StatusNotFound, "known by their numbers"},
		"/games/01":                              {http.StatusNotFound, "known by their numbers"},
		"/games/+1.gif":                          {http.StatusNotFound, "known by their numbers"},
		"/events/+1":                             {http.StatusNotFound, "known by their numbers"},
		"/events/01/export":                      {http.StatusNotFound, "known by their numbers"},
		"/api/games/+1":                          {http.StatusNotFound, `{"error":"there is no game`},
		"/api/events/01/games":                   {http.StatusNotFound, `{"error":"there is no event`},
		fmt.Sprintf("/games/%d?ply=10000", g.ID): {http.StatusBadRequest, "This game has the plies 0 to"},
		"/nowhere":                               {http.StatusNotFound, "There is no such page"},
		"/events?offset=-1":                      {http.StatusBadRequest, "There is no such part of the list"},
		"/api/games?limit=x":                     {http.StatusBadRequest, `{"error":"there is no such part of the list: Want a whole number from 0 as limit."}`},
		"/api/games/99":                          {http.StatusNotFound, `{"error":"there is no game 99`},
	} {
		if status, text := h.get(path); status != want.status || !strings.Contains(text, want.text) {
			t.Errorf("%s: %d %s, want %d %s", path, status, text, want.status, want.text)
		}
	}
}

// A game with a damaged record, and a database that cannot be read, give a page with advice; other pages still work.
func TestDamagedDatabase(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	path := fmt.Sprintf("/games/%d", g.ID)
	for _, step := range []struct {
		damage, page string
		status       int
		text         string
	}{
		{`UPDATE games SET turns = CAST(x'8080' || turns AS BLOB)`, path, http.StatusInternalServerError, "“arena verify --db FILE”"},
		{`UPDATE games SET turns = CAST(x'8080' || turns AS BLOB)`, "/api" + path, http.StatusInternalServerError, `{"error":"`},
		{`DROP TABLE games`, path, http.StatusInternalServerError, "finds the reason in its log"},
		{"", "/docs", http.StatusOK, "<h1"},
	} {
		h.damage(step.damage)
		if status, text := h.get(step.page); status != step.status || !strings.Contains(text, step.text) {
			t.Errorf("after %q %s is %d %s, want %d with %q", step.damage, step.page, status, text, step.status, step.text)
		}
	}
}

// damage changes the database behind the arena's back.
func (h *host) damage(change string) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.db+"?_pragma=busy_timeout(10000)")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(h.t.Context(), change); err != nil {
		h.t.Fatal(err)
	}
}

// The page of a game says where its bots stand, also long after their event was played.
func TestPlacesOnRecord(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	_, live := h.get(fmt.Sprintf("/games/%d", g.ID))
	h.restart()
	if _, ok := h.server.Progress(1); ok {
		t.Fatal("the arena still knows the event")
	}
	for _, place := range []string{"1st, ", "2nd, "} {
		if !strings.Contains(live, place) {
			t.Errorf("the page has no %q", place)
		}
		for text := ""; !strings.Contains(text, place); { // they are not waited for
			_, text = h.get(fmt.Sprintf("/games/%d", g.ID))
		}
	}
}

// A rating is shown with one decimal.
func TestPlaceInALadder(t *testing.T) {
	h := open(t)
	g := h.game(h.play(func(e *tournament.Event) {
		e.Settings.Plan, e.Matches, e.Bots = tournament.Plan{Kind: tournament.Ladder}, 20, []string{"ann=greedy", "bob=mcts:playouts=60"}
	}), true)
	_, text := h.get(fmt.Sprintf("/games/%d", g.ID))
	if !regexp.MustCompile(`<span class="place">1st, [1-9]\d*(\.\d)? rating</span>`).MatchString(text) {
		t.Errorf("the page has no such rating: %s", text)
	}
}

// Before any result no bot has a place.
func TestNoPlacesBeforeAnyResult(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	for path, text := range map[string]string{
		fmt.Sprintf("/games/%d", s.game):   `class="place"`,
		fmt.Sprintf("/events/%d", s.event): `<td class="n">1</td>`,
		"/":                                `<ol class="places">`,
	} {
		if status, page := h.get(path); status != http.StatusOK || strings.Contains(page, text) {
			t.Errorf("%s (%d) has %s", path, status, text)
		}
	}
}

// The log of a program is on the page of its game, as a text, on the arena's own machine. Through a proxy only
// operators may look at this arena at all.
func TestLogsOfPrograms(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("Traceback\n<script>alert(1)</script>\xff")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/games/%d", g.ID)
	const title = "The standard error of"
	if _, text := h.get(path); strings.Contains(text, title) {
		t.Error("the log of a game without programs")
	}
	h.damage(fmt.Sprintf("INSERT INTO logs (game, side, text) VALUES (%d, 'defender', x'%x')", g.ID, packed.Bytes()))
	status, text := h.get(path)
	if want := "Traceback\n&lt;script&gt;alert(1)&lt;/script&gt;\uFFFD</pre>"; status != http.StatusOK || !strings.Contains(text, title) || !strings.Contains(text, want) {
		t.Errorf("%d: the page does not show the log", status)
	}
	if status, text := h.send(http.MethodGet, path, "", map[string]string{"X-Forwarded-For": "192.0.2.7"}); strings.Contains(text, title) {
		t.Errorf("%d: a stranger sees the log", status)
	}
}
