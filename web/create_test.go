package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// An operator fills in the form of an event. After an error it keeps every field; then it shows what
// will be played, and starts it.
func TestNewEvent(t *testing.T) {
	h := open(t)
	b := browse(t, h.url)
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
	e, err := h.store.Event(t.Context(), 1)
	if err != nil || e.Name != "<i>cup</i> 🏆" || !e.Search || e.Matches != 2 {
		t.Errorf("the event is %+v (%v)", e, err)
	}
}
