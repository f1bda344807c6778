package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/internal/templates"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// samplePlan returns a plan for three bots, one of them by name.
func samplePlan() lobby.Plan {
	return lobby.Plan{
		Event: tournament.Event{
			Name: "<b>club</b> evening", Seed: 7, Rules: rules.GPCC2015, Size: rules.Size{Width: 3, Height: 3}, Matches: 1, Concurrency: 1,
			Settings: tournament.Settings{Plan: tournament.Plan{Kind: tournament.RoundRobin}},
		},
		Expected: 3, Names: []string{"late one"}, Code: protocol.NewCode(), Address: "http://club.example.org:2048/",
	}
}

// gather opens an arena with a lobby.
func gather(t *testing.T) *host {
	t.Helper()
	h := open(t)
	h.stop()
	p := samplePlan()
	h.plan, h.mode = &p, gate.RegistrationByInvitation
	h.serve()
	t.Cleanup(h.stop)
	return h
}

// checked waits until the check of a bot has a result.
func (h *host) checked(name string, want lobby.Result) {
	h.t.Helper()
	for {
		changed := h.lobby.Changed()
		for _, b := range h.lobby.State().Bots {
			if b.Name == name && b.Check.Result == want {
				return
			}
		}
		select {
		case <-changed:
		case <-h.t.Context().Done():
			h.t.Fatalf("%s has not %s", name, want)
		}
	}
}

// order sends an operator's request in JSON.
func (h *host) order(path, body string) (status int, text string) {
	h.t.Helper()
	return h.send(http.MethodPost, path, body, map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + h.secret})
}

func TestNoLobby(t *testing.T) {
	h := open(t)
	for _, path := range []string{"/lobby", "/api/lobby", "/api/lobby/live"} {
		if status, text := h.get(path); status != http.StatusNotFound || !strings.Contains(text, "here is no lobby here") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := h.get("/projector"); status != http.StatusNotFound || !strings.Contains(text, "No event is being played") {
		t.Errorf("the projector: %d %s", status, text)
	}
	for _, path := range []string{"/api/lobby/start", "/api/lobby/check"} {
		if status, text := h.order(path, `{}`); status != http.StatusNotFound || !strings.Contains(text, "there is no lobby here") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	h.play(func(e *tournament.Event) {
		e.Name, e.Size, e.Matches, e.Bots = "the last event", rules.Full, 4, []string{"greedy", "random"}
	})
	status, text := h.get("/projector")
	if status != http.StatusOK || !strings.Contains(text, "the last event") {
		t.Errorf("the projector after an event: %d %s", status, text)
	}
	if plain := regexp.MustCompile(`<td class="n">-|<td class="n">\d{4}`).FindString(text); plain != "" || !strings.Contains(text, "−") {
		t.Errorf("the projector has the number %s: %s", plain, text)
	}
}

// The interface says who is here, and begins the event once.
func TestLobbyRequests(t *testing.T) {
	h := gather(t)
	if status, text := h.order("/api/lobby/start", `{"without_check":true}`); status != http.StatusBadRequest || !strings.Contains(text, "too few bots are here: 0") {
		t.Errorf("nobody is here: %d %s", status, text)
	}
	h.connect("ann", "greedy")
	h.connect("bob", "random")
	h.checked("ann", lobby.Passed)
	h.checked("bob", lobby.Passed)
	if _, page := h.get("/lobby"); strings.Contains(page, "seed") {
		t.Error("the page shows the seed")
	}
	if now := read[lobby.State](h, "/api/lobby"); !now.Open || now.Missing != 1 || len(now.Bots) != 3 || now.Bots[2].Place != lobby.Late {
		t.Errorf("the lobby is %+v", now)
	}
	_, text := h.get("/api/lobby")
	want, got := keysOf(t, string(examples(t)["GET /api/lobby"].Answer[0])), keysOf(t, text)
	delete(want, "why") // no check has failed
	if !maps.Equal(got, want) {
		t.Errorf("the example has the keys %v, the answer %v", want, got)
	}
	if status, text := h.order("/api/lobby/check", `{"bot":"ann"}`); status != http.StatusOK {
		t.Errorf("a check: %d %s", status, text)
	}
	if status, text := h.order("/api/lobby/check", `{"bot":"late one"}`); status != http.StatusBadRequest || !strings.Contains(text, "is not here") {
		t.Errorf("a bot that is not here: %d %s", status, text)
	}
	if status, _ := h.post("/api/lobby/start", `{}`, nil); status != http.StatusForbidden {
		t.Errorf("a visitor starts: %d", status)
	}
	h.checked("ann", lobby.Passed)
	if status, text := h.order("/api/lobby/start", `{"without_check":false}`); status != http.StatusOK || text != `{"event":1}` {
		t.Errorf("the start: %d %s", status, text)
	}
	if status, text := h.order("/api/lobby/start", `{}`); status != http.StatusBadRequest || !strings.Contains(text, "has begun already: it is event 1") {
		t.Errorf("the second start: %d %s", status, text)
	}
	if _, text := h.get("/lobby"); !strings.Contains(text, `The event has begun: <a href="/events/1">`) {
		t.Errorf("the page after the start: %s", text)
	}
}

// The guide has a line for each language, with the address and the code of the invitation.
func TestStarters(t *testing.T) {
	h := gather(t)
	_, text := h.get("/connect?invitation=" + h.plan.Code)
	for _, bot := range templates.All() {
		if want := fmt.Sprintf("bot exec --name minnie --url %s --invitation %s -- %s</code>", h.BotURL(), h.plan.Code, bot.Run); !strings.Contains(text, want) {
			t.Errorf("the guide lacks %q", want)
		}
	}
}

// The page shows bots that come, the operator starts the event, and the pages of visitors and the projector go to it.
func TestLobbyPages(t *testing.T) {
	h := gather(t)
	b, room, visitor, script := browse(t, h.URL()), browse(t, h.URL()), browse(t, h.URL()), axe(t)
	b.operate(h)
	room.visit("/projector")
	visitor.visit("/lobby")
	if status := visitor.text("#gathered .outcome"); status != "0 bots here, 3 of 3 expected are missing" {
		t.Errorf("at first the page says %q", status)
	}
	ann := h.waiting("ann", 1)
	bob := h.waiting("bob", 1)
	ann.play(100)
	h.checked("ann", lobby.Passed)
	h.checked("bob", lobby.Failed)
	for _, tab := range []*tab{room, visitor} {
		tab.await(`document.querySelector("#gathered").innerText.includes("It has not answered in time") && document.querySelector("#gathered .outcome").innerText.startsWith("2 bots here, 1 of 3")`)
		tab.mustBeAccessible([]string{eval[string](tab, `location.pathname`)}, script)
		tab.mustFit(360, 768, 1440)
	}
	b.mustBeAccessible([]string{"/lobby"}, script)
	b.mustFit(360, 768, 1440)
	room.mustProject(1920, 1080, `.qr`)
	bob.play(100)
	b.await(`document.querySelector("[aria-label='Check again: bob']") !== null`)
	b.run(chromedp.Click(chromedp.CSS("[aria-label='Check again: bob']")))
	h.checked("bob", lobby.Passed)
	b.await(`document.querySelector("#gathered").innerText.match(/passed/g)?.length === 2`)
	b.run(chromedp.Click(chromedp.CSS("form[aria-label] .main")))
	for _, tab := range []*tab{b, visitor} {
		tab.await(`location.pathname === "/events/1"`)
	}
	room.await(`document.querySelector("#standings") !== null`)
	for _, screen := range [][2]int64{{1920, 1080}, {1280, 720}} {
		room.mustProject(screen[0], screen[1], "#standings table")
	}
	room.mustBeAccessible([]string{"/projector"}, script)
	room.await(`document.querySelector("#standings .state").textContent === "finished"`)
}

// mustFit reports a page that has to be scrolled sideways on screens of these widths.
func (b *tab) mustFit(widths ...int64) {
	b.t.Helper()
	for _, width := range widths {
		b.run(chromedp.EmulateViewport(width, 800))
		if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > width {
			b.t.Errorf("%s at %d pixels is %d wide", eval[string](b, `location.pathname`), width, wide)
		}
	}
}

// mustProject reports a page that is not for a projector of this size: a part is not in view, texts are small, or it
// has a navigation.
func (b *tab) mustProject(width, height int64, part string) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(width, height))
	b.await(fmt.Sprintf(`document.querySelector(%q) !== null`, part))
	if out := b.outOfView(part); out != 0 {
		b.t.Errorf("at %dx%d %v pixels of %s are out of view", width, height, out, part)
	}
	if small := eval[float64](b, `Math.min(...[...document.querySelectorAll("main td, main p")].map((e) => parseFloat(getComputedStyle(e).fontSize)))`); small < float64(width)/80 {
		b.t.Errorf("at %dx%d a text has a height of %v pixels", width, height, small)
	}
	if eval[bool](b, `document.querySelector("nav") !== null`) {
		b.t.Error("the page has a navigation")
	}
}
