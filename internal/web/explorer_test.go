package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

// The explorer's filters offer the events on such a board and their bots, the latest first, also
// without JavaScript, whatever they are called.
func TestExplorerOffersBotsAndEvents(t *testing.T) {
	h := open(t)
	const odd = `"><script>alert(1)</script>`
	h.play(nil)
	h.play(func(e *tournament.Event) { e.Name, e.Bots = odd, []string{"cat=random", odd + "=greedy"} })
	h.play(func(e *tournament.Event) {
		e.Size, e.Bots = rules.Size{Width: 2, Height: 2}, []string{"dan=random", "eve=greedy"}
	})
	const path = "/analysis?position=0,0,0/0,0,0/0,0,0+A"
	if _, page := h.get(path); strings.Contains(page, "<script>alert") || !strings.Contains(page, `<option value="ann">`) {
		t.Error("without JavaScript the filters offer no bots, or a name is more than text")
	}
	b := browse(t, h.URL())
	b.visit(path)
	options := func(list string) []string {
		return eval[[]string](b, `[...document.querySelector("#explorer [name=`+list+`]").list.options].map((o) => o.value)`)
	}
	if got, want := options("bot"), []string{odd, "ann", "bob", "cat"}; !slices.Equal(got, want) {
		t.Errorf("the bots on offer are %q, want %q", got, want)
	}
	if got, want := options("event"), []string{"2", "1"}; !slices.Equal(got, want) {
		t.Errorf("the events on offer are %q, want %q", got, want)
	}
	b.run(chromedp.SendKeys(chromedp.CSS("#explorer [name=bot]"), odd+"\r"))
	b.await(`document.querySelector("[data-counted]")?.textContent.includes("2 games came here")`)

	// A text that is typed during a count stays.
	eval[bool](b, `(() => {
		const field = document.querySelector("#explorer [name=bot]");
		field.value = "ann";
		field.form.requestSubmit();
		field.focus();
		field.value = "bob";
		return document.querySelector("#explorer").stale = true;
	})()`)
	b.await(`!document.querySelector("#explorer").stale`)
	if typed := eval[string](b, `document.activeElement.value ?? ""`); typed != "bob" {
		t.Errorf("after the count the field has %q", typed)
	}
}
