package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The first load of the page of a game takes at most 80 KB, and our modules at most 60 KB.
func TestWeight(t *testing.T) {
	_, b, r := studied(t, "")
	b.run(chromedp.Reload())
	b.await(`document.querySelectorAll(".curves figure").length > 2`)
	type part struct {
		Name  string  `json:"name"`
		Short float64 `json:"short"`
		Long  float64 `json:"long"`
	}
	parts := eval[[]part](b, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.map((e) => ({ name: e.name, short: e.encodedBodySize, long: e.decodedBodySize }))`)
	var all, ours float64
	for _, p := range parts {
		all += p.Short
		if strings.Contains(p.Name, "/vendor/") {
			t.Errorf("the page loads %s", p.Name)
		}
		if strings.HasSuffix(p.Name, ".js") {
			ours += p.Long
		}
		t.Logf("%7.0f %7.0f %s", p.Short, p.Long, p.Name)
	}
	paint := eval[float64](b, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`)
	t.Logf("%.0f bytes for a game of %d plies; the board is there after %.0f ms", all, len(r.Moves), paint)
	if all > 80<<10 || ours > 60<<10 || len(parts) < 8 {
		t.Errorf("%d parts of %.0f bytes, our modules %.0f", len(parts), all, ours)
	}
}
