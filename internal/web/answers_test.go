package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
)

// Lists in answers are lists, also without anything in them: programs need not expect null.
func TestEmptyLists(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) { e.Bots = []string{"ann=greedy", "bob=random"} })
	for path, want := range map[string]string{
		"/api/events/recorded?bot=nobody":   `"events":[]`,
		"/api/events/1/games?bot=nobody":    `"games":[]`,
		"/api/events/1/games?ending=time":   `"games":[]`,
		"/api/events/1/games?offset=999":    `"games":[]`,
		"/api/events/1/statistics":          `"faults":[]}`,
		"/api/explorer?position=8,8/8,8+D":  `"moves":[]`,
		"/api/events/recorded?offset=99999": `"events":[]`,
	} {
		if status, text := h.get(path); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d without %s: %s", path, status, want, text)
		}
	}
}

// A state or a format that no event can have is refused, with the choices. An empty list would look like an answer.
func TestUnknownFilters(t *testing.T) {
	h := open(t)
	for query, want := range map[string]string{"state=running": "being played, queued, ", "format=swis": "round-robin, "} {
		for _, path := range []string{"/api/events/recorded?", "/events?"} {
			if status, text := h.get(path + query); status != http.StatusBadRequest || !strings.Contains(text, want) {
				t.Errorf("%s%s: %d without %q: %s", path, query, status, want, text)
			}
		}
	}
}

// A key that is 0 selects and sorts as if it were not there.
func TestKeysThatAreOff(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) { e.Bots = []string{"ann=greedy", "bob=random"} })
	_, usual := h.get("/api/events/1/games?sort=score")
	for query, same := range map[string]bool{"reverse=0": true, "faults=0": true, "reverse=1": false, "faults=1": false} {
		if _, text := h.get("/api/events/1/games?sort=score&" + query); (text == usual) != same {
			t.Errorf("with %s the games are %s, without it %s", query, text, usual)
		}
	}
}

// A form that is too long is refused as such, not as a form with empty fields.
func TestFormTooLong(t *testing.T) {
	h := open(t)
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	if status, text := h.send(http.MethodPost, "/connect/renew", "name=ann&token="+strings.Repeat("x", 20_000), form); status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "at most 16384 bytes") {
		t.Errorf("a form of 20,000 bytes: %d %s", status, text)
	}
}

// An operator learns why the arena fails. Other visitors do not: the reason may name the arena's files.
func TestReasonOfFailure(t *testing.T) {
	h := open(t)
	h.damage("ALTER TABLE games RENAME TO lost")
	for secret, told := range map[string]bool{"Bearer " + h.secret: true, "": false} {
		status, text := h.send(http.MethodGet, "/games/1", "", map[string]string{"Authorization": secret})
		if status != http.StatusInternalServerError || strings.Contains(text, "no such table") != told || !strings.Contains(text, "The arena failed to do this") {
			t.Errorf("with the secret %q: %d %s", secret, status, text)
		}
	}
}

// An unknown route of the API is reported to programs in JSON.
func TestNoSuchRoute(t *testing.T) {
	h := open(t)
	if status, text := h.get("/api/nonsense"); status != http.StatusNotFound || !strings.Contains(text, `{"error":"there is no such route: The document /docs/API `) {
		t.Errorf("a program gets %d %s", status, text)
	}
}

// A module gets the reason of a refusal in JSON, and a person gets a page. Browsers keep both for the same address.
func TestRefusalsForModules(t *testing.T) {
	h := open(t)
	for accept, want := range map[string]string{"application/json": `{"error":"there is no game 99: `, "text/html": "<h1>There is no game 99</h1>"} {
		request := h.request(http.MethodGet, "/games/99", "", map[string]string{"Accept": accept})
		if status, text := answer(t, request); status != http.StatusNotFound || !strings.Contains(text, want) {
			t.Errorf("%s: %d without %s: %s", accept, status, want, text)
		}
		kept := do(t, h.request(http.MethodGet, "/games/99", "", map[string]string{"Accept": accept}))
		kept.Body.Close()
		if vary := kept.Header.Values("Vary"); !slices.Contains(vary, "Accept") {
			t.Errorf("%s: the answer varies with %q, want Accept among them", accept, vary)
		}
	}
}

// The page of a position names the game and the ply that it comes from, also of a game that began with an opening. It
// names none for the empty board beside an error.
func TestGameOfThePosition(t *testing.T) {
	h := open(t)
	start, err := rules.ParsePosition(rules.GPCC2015, "2,0,0/0,2,0/0,0,0 D 0 3")
	if err != nil {
		t.Fatal(err)
	}
	h.play(func(e *tournament.Event) {
		e.Settings.Openings = tournament.NewOpenings("test", []rules.Position{start})
	})
	for path, want := range map[string]string{
		"/analysis?game=1":       `<a href="/games/1">game 1</a>`,
		"/analysis?game=1&ply=3": `<a href="/games/1?ply=3">game 1, ply 3</a>`,
	} {
		if status, text := h.get(path); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d without %s", path, status, want)
		}
	}
	if status, text := h.get("/analysis?game=1&ply=9999"); status != http.StatusBadRequest || strings.Contains(text, "from <a") {
		t.Errorf("beside an error (%d) the empty board is said to be of a game: %s", status, text)
	}
}
