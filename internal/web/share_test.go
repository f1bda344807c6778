package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Both downloads of a game are its record. A picture with a wrong range or width is refused.
func TestDownloads(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	_, text := h.get(fmt.Sprintf("/api/games/%d/text", g.ID))
	read, err := record.Parse(text)
	if err != nil || len(read.Moves) != len(g.Record.Moves) || read.Defender != g.Record.Defender {
		t.Errorf("the text record has %d moves of %q (%v)", len(read.Moves), read.Defender, err)
	}
	var decoded record.Record
	_, text = h.get(fmt.Sprintf("/api/games/%d/record", g.ID))
	if err := json.Unmarshal([]byte(text), &decoded); err != nil || len(decoded.Moves) != len(g.Record.Moves) {
		t.Errorf("the JSON record has %d moves (%v)", len(decoded.Moves), err)
	}
	for path, want := range map[string]struct {
		status int
		begin  string
	}{
		"/games/%d.gif":                 {http.StatusOK, "GIF89a"},
		"/games/%d.gif?from=5&to=9":     {http.StatusOK, "GIF89a"},
		"/games/%d.gif?from=9&to=5":     {http.StatusBadRequest, "<!doctype html>"},
		"/games/%d.gif?width=200":       {http.StatusOK, "GIF89a"},
		"/games/%d.gif?width=9999":      {http.StatusBadRequest, "<!doctype html>"},
		"/games/%d.gif?width=x":         {http.StatusBadRequest, "<!doctype html>"},
		"/games/%d.gif?from=x":          {http.StatusBadRequest, "<!doctype html>"},
		"/games/%d/position.svg?ply=7":  {http.StatusOK, "<svg "},
		"/games/%d/position.svg?ply=-7": {http.StatusBadRequest, "<!doctype html>"},
	} {
		if status, text := h.get(fmt.Sprintf(path, g.ID)); status != want.status || !strings.HasPrefix(text, want.begin) {
			t.Errorf("%s: %d %.40q, want %d %s", path, status, text, want.status, want.begin)
		}
	}
}

// Search reports of a game in progress are hidden from visitors; only marks that need no search are shown.
func TestInProgress(t *testing.T) {
	h := open(t)
	id := h.slow(nil).game
	for path, want := range map[string]string{
		"/api/games/%d/values":   `{"values":[]}`,
		"/api/games/%d/searches": `{"from":1,"searches":[]}`,
		"/api/games/%d/marks":    fmt.Sprintf(`{"game":%d,"judged":0,"marks":[`, id),
	} {
		if status, text := h.get(fmt.Sprintf(path, id)); status != http.StatusOK || !strings.HasPrefix(text, want) {
			t.Errorf("%s: %d %s, want %s", path, status, text, want)
		}
	}
}

// Other sites may show the board of a game in a frame, and no other page.
func TestEmbedding(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	for path, want := range map[string]string{"/embed/games/%d": "frame-ancestors *", "/games/%d": "frame-ancestors 'none'"} {
		answer, err := http.Get(h.URL() + fmt.Sprintf(path, g.ID))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, want) {
			t.Errorf("%s: policy %q, want %s", path, policy, want)
		}
	}
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/embed/games/%d?ply=9", g.ID))
	b.shows(&g.Record, 9)
	if links := eval[int](b, `document.querySelectorAll("nav, button, form").length`); links > 0 {
		t.Errorf("the embedded board has %d things to press", links)
	}
	b.visit(fmt.Sprintf("/embed/games/%d?play=1&from=4&to=6", g.ID))
	for _, ply := range []int{4, 5, 6, 4} { // again and again
		b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, ply))
	}
	b.run(chromedp.Click(chromedp.CSS(`[aria-label=pause]`)))
	b.await(`document.querySelector("[aria-label=play]") !== null`)
	height := eval[int](b, `new Promise((done) => {
		addEventListener("message", ({ data }) => done(data.versus2048.height));
		document.body.style.height = "1234px";
	})`)
	if height < 1234 {
		t.Errorf("the site around the frame learns a height of %d, want at least 1234", height)
	}
	if !eval[bool](b, `document.links.length > 0 && [...document.links].every((link) => (link.target || document.querySelector("base")?.target) === "_blank")`) {
		t.Error("a link leads to a page of the arena inside the other site's frame, which may show no such page")
	}
}

// The texts to copy are about the ply on the board.
func TestShare(t *testing.T) {
	_, b, _ := studied(t, "?ply=8")
	b.await(`document.querySelector("[data-marks-list] a.mark-mistake, [data-marks-list] a.mark-fault") !== null`)
	b.run(chromedp.Click(chromedp.CSS("[data-share] summary"))) // the list has moved it
	b.press("m")
	b.await(`document.querySelector("article.game").replay.ply !== 8`)
	ply := eval[int](b, `document.querySelector("article.game").replay.ply`)
	if got := b.text("[data-address]"); !strings.HasSuffix(got, fmt.Sprintf("?ply=%d", ply)) {
		t.Errorf("the link is %s at ply %d", got, ply)
	}
	if got := b.text("[data-embed]"); !strings.Contains(got, "/embed/games/") || !strings.HasPrefix(got, "<iframe ") {
		t.Errorf("the code to embed is %s", got)
	}
	for _, name := range []string{"position", "address", "embed"} {
		b.copies("[data-"+name+"] + [data-copy]", b.text("[data-"+name+"]"))
	}
}

// Every copy button of an event and of the analysis copies the text beside it.
func TestCopyButtons(t *testing.T) {
	h := open(t)
	event := h.play(func(e *tournament.Event) {
		e.Settings.Plan, e.Matches = tournament.Plan{Kind: "sprt", SPRT: rating.SPRT{Elo0: 0, Elo1: 100}}, 2
	})
	b := browse(t, h.URL())
	for page, want := range map[string][]string{
		fmt.Sprintf("/events/%d", event):         {"LLR:", "arena event run", "[[bot]]"},
		"/analysis?position=2,0,0/0,4,0/0,0,2+D": {"2,0,0/0,4,0/0,0,2 D"},
	} {
		b.visit(page)
		b.await(fmt.Sprintf(`[...document.querySelectorAll("[data-copy]")].filter((e) => !e.hidden).length === %d`, len(want)))
		texts := eval[[]string](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), [...document.querySelectorAll("[data-copy]")].map((button, i) => {
			button.id = "copy-" + i;
			const source = button.parentElement.querySelector("[data-copied]");
			return (source.value ?? source.textContent).trim();
		}))`)
		for i, part := range want {
			if !strings.Contains(texts[i], part) {
				t.Errorf("%s: copy button %d is beside %q, want %q", page, i+1, texts[i], part)
			}
			b.copies(fmt.Sprintf("#copy-%d", i), texts[i])
		}
	}
}

// The page of a game leads to the other leg of its match and says how that ended, and where both bots
// stand in the event.
func TestContext(t *testing.T) {
	h := open(t)
	event := h.play(nil)
	last := h.game(event, true)
	_, text := h.get(fmt.Sprintf("/games/%d", last.ID))
	var other int64
	err := h.store.Games(t.Context(), results.Filter{Event: event, Match: last.Match}, func(g results.Stored) error {
		if g.ID != last.ID {
			other = g.ID
			link := fmt.Sprintf(`<a href="/games/%d">the other leg, with the roles exchanged</a>: %s scored `, g.ID, g.Record.Defender)
			if !strings.Contains(text, link) {
				t.Errorf("the page has no %s", link)
			}
		}
		return nil
	})
	if err != nil || other == 0 || !strings.Contains(text, `<span class="place">1st, `) || !strings.Contains(text, " points</span>") {
		t.Errorf("the other leg is %d (%v), the page %s", other, err, text)
	}
	count := 0
	if err := h.store.Games(t.Context(), results.Filter{Event: event, Match: 99}, func(results.Stored) error { count++; return nil }); err != nil || count > 0 {
		t.Errorf("match 99 has %d games (%v)", count, err)
	}
}

// The page of a game says that the other leg of its match is played, and then that it was stopped with its event.
func TestOtherLegOfAStoppedEvent(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	first := s.game
	s.play(1)
	s.waiting.step(1)
	until(t, "the second game", func() bool {
		playing := h.server.Playing()
		return len(playing) == 1 && playing[0].ID != first && len(playing[0].Record.Moves) > 1
	})
	says := func(want string) {
		t.Helper()
		until(t, "the other leg, "+want, func() bool { // a game is recorded soon after it has begun
			_, text := h.get(fmt.Sprintf("/games/%d", first))
			return strings.Contains(text, "the other leg, with the roles exchanged</a>: "+want)
		})
	}
	says("in progress")
	h.must(h.server.Stop(t.Context(), s.event))
	says("interrupted: its event was stopped")
}

// copies presses the button that a selector finds. It fails the test unless the button copies the text, or selects it
// where the browser has no clipboard.
func (b *tab) copies(button, want string) {
	b.t.Helper()
	for clipboard, kept := range map[string]string{
		`async (text) => { window.clip = text; }`: `window.clip`,
		`async () => { throw new Error(); }`:      `getSelection().toString() || document.activeElement.value`,
	} {
		eval[bool](b, fmt.Sprintf(`(() => {
			window.clip = "";
			getSelection().removeAllRanges();
			navigator.clipboard.writeText = %s;
			const later = window.setTimeout;
			window.setTimeout = (act, wait) => (wait === 1500 ? (window.reset = act, 0) : later(act, wait)); // the test does not wait
			document.querySelector(%q).click();
			return true;
		})()`, clipboard, button))
		b.await(fmt.Sprintf(`["Copied", "Selected"].includes(document.querySelector(%q).textContent)`, button))
		if got := eval[string](b, kept); strings.TrimSpace(got) != want {
			b.t.Errorf("%s copies %q, want %q", button, got, want)
		}
		b.await(fmt.Sprintf(`(reset?.(), window.reset = null, document.querySelector(%q).textContent === "Copy")`, button))
	}
}
