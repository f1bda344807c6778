package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

// searching starts a game that lasts until the test has seen enough of it, with search reports.
func (h *host) searching(live bool) (event, game int64) {
	h.t.Helper()
	event = h.start(func(e *tournament.Event) {
		e.Bots, e.Size, e.Search = []string{"ann=mcts:time=60", "bob=mcts:time=60"}, rules.Full, true
		e.Settings.LiveSearch = live
	})
	for game == 0 {
		for _, g := range h.server.Playing() {
			if g.Event == event && len(g.Record.Searches) > 0 {
				game = g.ID
			}
		}
	}
	return event, game
}

// reports returns how many reports of a game the arena shows to a request with these headers.
func (h *host) reports(game int64, header map[string]string) (values, searches int) {
	h.t.Helper()
	var v struct{ Values []*float64 }
	var s struct{ Searches []any }
	for path, to := range map[string]any{"values": &v, "searches": &s} {
		status, text := h.send("GET", fmt.Sprintf("/api/games/%d/%s", game, path), "", header)
		if err := json.Unmarshal([]byte(text), to); err != nil || status != 200 {
			h.t.Fatalf("%s: %d %v: %s", path, status, err, text)
		}
	}
	return len(v.Values), len(s.Searches)
}

// While a game is played its search reports are for operators, unless the event shows them to all.
// Once it is over, everybody sees them.
func TestWhoSeesSearchReports(t *testing.T) {
	h := open(t)
	operator := map[string]string{"Authorization": "Bearer " + h.secret}
	event, game := h.searching(false)
	if values, searches := h.reports(game, nil); values+searches > 0 {
		t.Errorf("a visitor sees %d values and %d reports of a game in progress", values, searches)
	}
	if _, text := h.get(fmt.Sprintf("/api/games/%d/record", game)); strings.Contains(text, `"searches"`) {
		t.Error("the record of a game in progress tells a visitor its search reports")
	}
	if values, searches := h.reports(game, operator); values == 0 || searches == 0 {
		t.Error("an operator does not see the search reports of a game in progress")
	}
	if err := h.server.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if values, searches := h.reports(game, nil); values+searches > 0 {
		t.Error("a visitor sees the search reports of a game that is interrupted")
	}

	_, game = h.searching(true)
	if values, searches := h.reports(game, nil); values == 0 || searches == 0 {
		t.Error("a visitor does not see the search reports that the event shows")
	}

	event = h.play(func(e *tournament.Event) { e.Search, e.Bots = true, []string{"ann=mcts:playouts=5", "bob=random"} })
	if values, searches := h.reports(h.game(event, true).ID, nil); values == 0 || searches == 0 {
		t.Error("a visitor does not see the search reports of a game that is over")
	}
}

// The page of a game in progress shows the values of both sides as they come, where the event allows it,
// and otherwise none.
func TestSearchValuesLive(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	const values = `[...document.querySelectorAll(".curves b")].some((e) => e.textContent.includes("search"))`
	_, shown := h.searching(true)
	b.live(shown)
	b.await(values)
	b.await(`!document.querySelector("[data-search]").hidden`)

	h2 := open(t)
	_, hidden := h2.searching(false)
	b = browse(t, h2.URL())
	b.live(hidden)
	b.await(`document.querySelector("article.game").replay.moves.length > 4 && document.querySelectorAll(".curves figure").length > 0`)
	if eval[bool](b, values+` || !document.querySelector("[data-search]").hidden`) {
		t.Error("a visitor sees what the bots expect of a game in progress")
	}
}

// An event that would show reports that it does not record is refused in words, in a form that keeps the typed texts.
func TestLiveSearchNeedsReports(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/login?next=/new")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#f-bot") !== null`)
	b.run(chromedp.SetValue(chromedp.CSS("#f-bot"), "greedy\nrandom"), chromedp.Click(chromedp.CSS(`[name=live-search]`)))
	b.run(chromedp.Click(chromedp.CSS(`[value=preview]`)))
	b.await(`document.querySelector(".wrong")?.textContent.includes("search reports cannot be shown live")`)
	b.run(chromedp.Click(chromedp.CSS(`[name=search]`)), chromedp.Click(chromedp.CSS(`[value=preview]`)))
	b.await(`document.querySelector("main").textContent.includes("--search --live-search") && document.querySelector("main").textContent.includes("live_search = true")`)
}
