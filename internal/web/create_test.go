package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/tournament"
)

// An operator fills in the form of an event. After an error the form keeps every field; then the page shows a preview,
// and starts the event.
func TestNewEvent(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/login?next=/new")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#f-bot") !== null`)
	fill := func(what, do string) {
		t.Helper()
		eval[bool](b, `(() => {
			for (const [name, value] of Object.entries(`+what+`)) document.querySelector("[name=" + name + "]").value = value;
			document.querySelector("[name=search]").checked = document.querySelector("[name=in-process]").checked = true;
			document.querySelector("button[value=`+do+`]").click();
			return true;
		})()`)
	}
	fill(`{bot: "ann=greedy\ndeepblue", name: "<i>cup</i> 🏆", size: "2x2", format: "swiss", rounds: "3", "time-per-move": "1s", concurrency: "1"}`, "start")
	b.await(`document.querySelector("[role=alert]")?.textContent.includes("deepblue") === true`)
	kept := eval[string](b, `["bot", "name", "size", "format", "rounds", "time-per-move"].map((n) => document.querySelector("[name=" + n + "]").value).join("|") + document.querySelector("[name=search]").checked`)
	if want := "ann=greedy\ndeepblue|<i>cup</i> 🏆|2x2|swiss|3|1strue"; kept != want {
		t.Errorf("after an error the form has %q, want %q", kept, want)
	}
	fill(`{bot: "ann=greedy\nbob=random", format: "round-robin", rounds: "", matches: "2"}`, "preview")
	b.await(`document.querySelector("[aria-label=Preview]") !== null`)
	text := b.text("[aria-label=Preview]")
	for _, want := range []string{"2 matches, 4 games", "--bot ann=greedy", "--size 2x2", `bots = ["ann=greedy", "bob=random"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("the preview does not have %q: %s", want, text)
		}
	}
	fill(`{}`, "start")
	b.await(`location.pathname === "/events/1"`)
	b.visit("/new?from=1")
	copied := eval[string](b, `["bot", "name", "size", "format", "matches", "time-per-move"].map((n) => document.querySelector("[name=" + n + "]").value).join("|") + document.querySelector("[name=search]").checked`)
	if want := "ann=greedy:seed=0\nbob=random:seed=0|<i>cup</i> 🏆|2x2|round-robin|2|1strue"; copied != want {
		t.Errorf("the copy of an event has %q, want %q", copied, want)
	}
	b.run(chromedp.Click(chromedp.CSS(".available summary")))
	b.run(chromedp.Click(chromedp.CSS("[data-add=evminimax]")))
	if bots := eval[string](b, `document.querySelector("[name=bot]").value`); bots != "ann=greedy:seed=0\nbob=random:seed=0\nevminimax" {
		t.Errorf("after a press on a bot the list of bots is %q", bots)
	}
	e, err := h.store.Event(t.Context(), 1)
	if err != nil || e.Name != "<i>cup</i> 🏆" || !e.Search || e.Matches != 2 {
		t.Errorf("the event is %+v (%v)", e, err)
	}
}

// A number that is typed is taken or refused, never replaced by the usual one.
func TestNegativeMatchesAreRefused(t *testing.T) {
	h := open(t)
	form := url.Values{"bot": {"greedy\nrandom"}, "size": {"3x3"}, "matches": {"-1"}, "concurrency": {"1"}, "do": {"preview"}}
	status, text := h.send("POST", "/new", form.Encode(), map[string]string{
		"Authorization": "Bearer " + h.secret, "Content-Type": "application/x-www-form-urlencoded",
	})
	if status != 400 || !strings.Contains(text, "-1 matches") {
		t.Errorf("-1 matches: %d %s", status, text)
	}
}

// The preview estimates the time from earlier games of the same bots on such a board with such clocks, and explains
// that. If there are no earlier games it names the bots, and shows the time that the limits allow.
func TestPreviewEstimatesTheTime(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) {
		e.Bots, e.Clock.PerMove = []string{"ann=mcts:playouts=50", "bob=greedy"}, 1e9
	})
	preview := func(bots string, more url.Values) string {
		t.Helper()
		form := url.Values{"bot": {bots}, "size": {"3x3"}, "rules": {"gpcc2015"}, "matches": {"50"}, "time-per-move": {"1s"}, "concurrency": {"1"}, "do": {"preview"}}
		for key, value := range more {
			form[key] = value
		}
		status, text := h.send("POST", "/new", form.Encode(), map[string]string{
			"Authorization": "Bearer " + h.secret, "Content-Type": "application/x-www-form-urlencoded",
		})
		if status != 200 {
			t.Fatalf("the preview: %d %s", status, text)
		}
		_, text, _ = strings.Cut(text, "The event")
		return text
	}
	if text := preview("x=mcts:playouts=50\ny=greedy", nil); !strings.Contains(text, "An estimate: about ") || !strings.Contains(text, "2 earlier games") {
		t.Errorf("no estimate from the games on record: %s", text)
	}
	text := preview("greedy\n<b>=evminimax", url.Values{"max-turns": {"60"}})
	for _, want := range []string{"at most 3 hours", "No estimate", "no earlier game of <bdi>&lt;b&gt;</bdi>."} {
		if !strings.Contains(text, want) {
			t.Errorf("the preview does not say %q: %s", want, text)
		}
	}
	if text := preview("x=mcts:playouts=50\ny=greedy", url.Values{"time-per-move": {"2s"}}); !strings.Contains(text, "No estimate") {
		t.Error("games with another clock count")
	}
	if text := preview("greedy\nmcts:playouts=50", url.Values{"format": {"ladder"}, "matches": {""}}); !strings.Contains(text, "a game, from the thinking times") {
		t.Errorf("without a limit there is no estimate of a game: %s", text)
	}
}
