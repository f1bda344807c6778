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
	for _, want := range []string{"2 matches. The time: about 2 s", ": 4 games", "--bot ann=greedy", "--size 2x2", `bots = ["ann=greedy", "bob=random"]`} {
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

// The preview has a forecast, from earlier games of the same bots on such a board with such clocks. If a bot has none,
// the preview names it, and the forecast is about usual bots.
func TestPreviewForecastsTheTime(t *testing.T) {
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
			t.Fatalf("the preview answers %d: %s", status, text)
		}
		return text
	}
	for _, test := range []struct {
		bots string
		more url.Values
		want []string
	}{
		{"x=mcts:playouts=50\ny=greedy", nil, []string{"100 games, ", "as in 2 earlier games of these bots"}},
		{"greedy\n<b>=evminimax", url.Values{"max-turns": {"60"}}, []string{"as bots usually think", "at most 3 h 20 min by the clock", "no earlier game on such a board, with this clock, of <bdi>", "<bdi>&lt;b&gt;</bdi>."}},
		{"x=mcts:playouts=50\ny=greedy", url.Values{"time-per-move": {"2s"}}, []string{"as bots usually think"}},
		{"greedy\nmcts:playouts=50", url.Values{"format": {"ladder"}, "matches": {""}}, []string{" a game, ", "as in 2 earlier games"}},
	} {
		text := preview(test.bots, test.more)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("the preview of %q with %v does not say %q: %s", test.bots, test.more, want, text)
			}
		}
	}
}
