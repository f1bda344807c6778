package web_test

import (
	"strings"
	"testing"

	"versus2048/internal/server/trouble"
)

// trouble makes the arena find out that its disk is nearly full.
func (h *host) trouble() {
	h.watch = trouble.New(trouble.Config{Bounds: trouble.DefaultBounds()})
	h.restart()
	until(h.t, "a trouble", func() bool { return len(h.server.Troubles()) > 0 })
}

// Operators see the oldest trouble on every page, and all troubles on one page. Visitors see none.
func TestTroubleIsShown(t *testing.T) {
	h := open(t)
	page := func(path string, operator bool) string {
		header := map[string]string{}
		if operator {
			header["Authorization"] = "Bearer " + h.secret
		}
		_, text := h.send("GET", path, "", header)
		return text
	}
	if text := page("/status", true); !strings.Contains(text, "Nothing is wrong") || !strings.Contains(text, "0 bots connected") {
		t.Error(text)
	}
	if text := page("/events", true); strings.Contains(text, "trouble") || !strings.Contains(text, `href="/status"`) {
		t.Error(text)
	}
	h.trouble()
	const what = "/games/&lt;b&gt;.db has 1 MiB free"
	for path, operator := range map[string]bool{"/status": true, "/": true, "/nowhere": true, "/events": false, "/nothing": false} {
		if text := page(path, operator); strings.Contains(text, what) != operator || operator && !strings.Contains(text, "trouble</a>:") {
			t.Errorf("%s for an operator %v:\n%s", path, operator, text)
		}
	}
	if text := page("/status", false); strings.Contains(text, what) || !strings.Contains(text, "for operators only") {
		t.Error(text)
	}
}
