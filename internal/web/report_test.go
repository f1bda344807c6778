package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

// reported plays an event and returns its number.
func reported(h *host) int64 {
	h.t.Helper()
	return h.play(func(e *tournament.Event) {
		e.Name, e.Size, e.Bots, e.Matches = "the <b>cup", rules.Full, []string{"ann=greedy", "bob=random", "a-long-name-of-a-bot-that-has-many-letters=random:seed=4"}, 2
	})
}

// The report of an event has links to the arena, and is the same for the same games. The page of the event has a link
// to the report.
func TestReport(t *testing.T) {
	h := open(t)
	event := reported(h)
	address := fmt.Sprintf("/events/%d/report", event)
	status, page := h.get(address)
	for _, part := range []string{"the &lt;b&gt;cup", h.URL() + "/games/", "data:image/gif", "ann", fmt.Sprintf("arena export %d", event)} {
		if status != http.StatusOK || !strings.Contains(page, part) {
			t.Errorf("status %d, no %q", status, part)
		}
	}
	if status, text := h.get(address + "?format=markdown"); status != http.StatusOK || !strings.Contains(text, `# the \<b\>cup`) {
		t.Errorf("as Markdown: status %d\n%s", status, text)
	}
	for path, want := range map[string]int{"/events/999/report": http.StatusNotFound, address + "?format=pdf": http.StatusBadRequest} {
		if status, _ := h.get(path); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
	if _, again := h.get(address); again != page {
		t.Error("the report of the same games is another one")
	}
	if _, text := h.get(fmt.Sprintf("/events/%d", event)); !strings.Contains(text, address+`"`) {
		t.Error("the page of the event has no link to its report")
	}
}

// The report can be opened as a file without a network: it sends no request, can be used with a screen reader, light and
// dark, fits a phone, and shows the final positions in place of the animations on request.
func TestReportAsFile(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	event := reported(h)
	_, page := h.get(fmt.Sprintf("/events/%d/report", event))
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b.home = "file://" + filepath.Dir(file) // any other request is an error
	off := []*network.Conditions{{Offline: true}}
	if _, err := chromedp.Call(b.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: off}); err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.EmulateViewport(360, 800))
	script := axe(t)
	b.mustBeAccessible([]string{"/report.html"}, script)
	if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the report is %d wide on a phone", wide)
	}
	if ground := eval[string](b, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(23, 23, 21)" {
		t.Errorf("the dark report has the ground %s: its style is missing", ground)
	}
	const shown = `[...document.querySelectorAll("img")].filter((e) => e.checkVisibility()).map((e) => e.className + (e.complete && e.naturalWidth > 0)).join(" ")`
	if got := eval[string](b, shown); !strings.Contains(got, "filmtrue") || strings.Contains(got, "false") || strings.Contains(got, "final") {
		t.Errorf("the pictures are %s", got)
	}
	b.run(chromedp.Click(chromedp.CSS("input[type=checkbox]")))
	if got := eval[string](b, shown); strings.Contains(got, "film") || !strings.Contains(got, "finaltrue") {
		t.Errorf("on request the pictures are %s", got)
	}
}
