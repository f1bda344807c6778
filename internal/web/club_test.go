package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/tournament"
)

// An operator lets a late friend join a Swiss event from its page, as long as a round is left.
func TestLateFriendOnPage(t *testing.T) {
	h := open(t)
	ann := h.waiting("ann", 2)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Settings.Plan = []string{"ann", "bob=random", "cyd=random", "dan=random"}, 1, tournament.Plan{Kind: tournament.Swiss, Rounds: 2}
	})
	page := fmt.Sprintf("/events/%d", id)
	b := browse(t, h.URL())
	b.visit("/login?next=" + page)
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("form[action$='/join']") !== null`)
	eval[bool](b, `(document.querySelector("#steer [name=bot][list]").value = "eve=random", document.querySelector("form[action$='/join'] button").click(), true)`)
	b.await(`[...document.querySelectorAll("#settings li")].some((li) => li.textContent === "eve random:seed=0 joined for the matches from 3 on")`)
	ann.play(2)
	b.await(`document.querySelector("#steer") !== null && document.querySelector("form[action$='/join']") === null`) // the last round
	if status := h.asOperator(http.MethodPost, page+"/join", "bot=fay%3Drandom"); status != http.StatusBadRequest {
		t.Errorf("a join in the last round: %d", status)
	}
	ann.play(2)
	b.await(`document.querySelector("[data-state]").textContent === "finished"`)
	if _, text := h.get(page); strings.Contains(text, "--bot eve=") || !strings.Contains(text, "--bot dan=") {
		t.Error("the command that plays it once more begins with other bots")
	}
}

// An operator voids a match that was lost by faults with a button of the page, after ticking a box, and it is played
// again.
func TestPlayAgainOnPage(t *testing.T) {
	h := open(t)
	e := tournament.Event{Name: "test", Size: rules.Size{Width: 3, Height: 3}, Matches: 1, Concurrency: 1, InProcess: true}
	for _, name := range []string{"ann", "bob", "cyd"} {
		e.Entries = append(e.Entries, tournament.Entry{Name: name, Spec: "random"})
	}
	e.Settings.Plan.Kind = tournament.Swiss
	id, err := h.store.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	h.lost(id)
	page := fmt.Sprintf("/events/%d", id)
	if _, text := h.get(page); strings.Contains(text, "Play again") {
		t.Error("a viewer has the button")
	}
	for form, want := range map[string]int{"match=1": http.StatusBadRequest, "match=x&sure=1": http.StatusNotFound, "match=2&sure=1": http.StatusBadRequest} {
		if status := h.asOperator(http.MethodPost, page+"/replay-match", form); status != want {
			t.Errorf("%s: %d, want %d", form, status, want)
		}
	}
	b := browse(t, h.URL())
	b.visit("/login?next=" + page)
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#faults form button") !== null`)
	eval[bool](b, `(document.querySelector("#faults form button").click(), true)`) // the browser asks for the tick
	if all, err := h.store.Voided(t.Context(), id); err != nil || len(all) != 0 {
		t.Errorf("voided without a tick: %v, error %v", all, err)
	}
	eval[bool](b, `(document.querySelector("#faults [name=sure]").click(), document.querySelector("#faults form button").click(), true)`)
	b.await(`document.querySelector("#voided + ul")?.textContent.startsWith("match 1 of ann and bob")`)
	b.await(`document.querySelector("[data-state]").textContent === "finished"`)
	if p, ok := h.server.Progress(id); !ok || p.State != server.Finished || p.Faults != nil || p.Done != 6 {
		t.Errorf("the event is %s after %d games with the faults %+v", p.State, p.Done, p.Faults)
	}
}
