package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

var smallest = rules.Size{Width: 2, Height: 2}

// headings are the visible headings of the table of a search.
const headings = `[...document.querySelectorAll("table:has([data-search-moves]) th")].map((th) => th.textContent).join()`

// A network without a search shows the score that it expects of each move, or the move's probability. It has seen each
// move once, and the page does not show that.
func TestOpinionOfANetwork(t *testing.T) {
	h := open(t, solved(t, rules.Solo, smallest))
	b := browse(t, h.URL())
	for bot, want := range map[string]string{"td": "move,value", "ppo": "move,value,policy"} {
		b.visit("/analysis?position=4,0/2,2+D+4+5&rules=solo")
		b.await(`!!document.querySelector("[data-study]")?.ready`)
		b.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector("[data-ask] [name=bot]").value = %q`, bot)))
		b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
		b.await(`document.querySelector("[data-toggle]").textContent === "Ask"`)
		if got := b.text("[data-state]"); got != "Chooses W after 1 node. It has finished." {
			t.Errorf("%s: the page says %q", bot, got)
		}
		if got := eval[string](b, headings); got != want {
			t.Errorf("%s: the table has %s, want %s", bot, got, want)
		}
		if n := eval[int](b, `document.querySelectorAll("[data-search-moves] tr").length`); n != 3 {
			t.Errorf("%s: %d moves, want W, E and N", bot, n)
		}
	}
}

// The page of a game shows the reports of networks, and no best moves if chance is to move.
func TestGameOfNetworks(t *testing.T) {
	h := open(t, solved(t, rules.Solo, smallest))
	event := h.play(func(e *tournament.Event) {
		e.Search, e.Rules, e.Size, e.Bots = true, rules.Solo, smallest, []string{"tina=td", "pia=ppo"}
	})
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d?ply=2", h.game(event, true).ID))
	b.await(`document.querySelector("[data-search]")?.hidden === false`)
	if facts := b.text("[data-search-facts]"); !strings.Contains(facts, " · 1 node · ") {
		t.Errorf("the facts are %q", facts)
	}
	for ply, want := range map[int]bool{1: false, 2: true} {
		_, text := h.get(fmt.Sprintf("/games/%d?ply=%d", h.game(event, true).ID, ply))
		if !strings.Contains(text, "under perfect play") || strings.Contains(text, "marks the best moves") != want {
			t.Errorf("ply %d: best moves are marked: %t, want %t", ply, !want, want)
		}
	}
}

// A network gives hints, and plays step by step against chance, which has no best moves.
func TestPlayingWithANetwork(t *testing.T) {
	h := open(t, solved(t, rules.Solo, smallest))
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "td", size: "2x2", rules: "solo"}`)
	b.await(myTurn)
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	b.await(`document.querySelector("[data-hint] h3")?.textContent.startsWith("td would play ")`)
	if got := eval[string](b, headings); got != "move,value" {
		t.Errorf("the hint has a table of %s", got)
	}
	b.visit("/play")
	b.ask(`{mode: "bots", opponent: "td", second: "td", size: "2x2", rules: "solo"}`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=step]")))
	b.await(`document.querySelector("[data-ply-text]").textContent === "1"`)
	if got := b.text("[data-hint-exact]"); !strings.HasPrefix(got, "Perfect play leads to ") || strings.Contains(got, ":") {
		t.Errorf("about chance the page says %q", got)
	}
}
