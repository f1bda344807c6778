package web

import (
	"strings"
	"testing"
)

// mostModules is how many bytes our own modules may have, all together. It grew from 61,000 when parts that renew
// themselves learned to keep the focus and the scroll position, and pages to survive late and wrong answers; from 62,600
// when the list of moves and the curves became independent of a game's length; and from 67,400 with puzzles.
const mostModules = 90_000

// Our modules are small enough to be read, and loaded, whole.
func TestSizeOfModules(t *testing.T) {
	s, err := newStatic()
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for name, f := range s.files {
		if strings.HasSuffix(name, ".js") && !strings.HasPrefix(name, "vendor/") {
			all += len(f.body)
			t.Logf("%6d %s", len(f.body), name)
		}
	}
	if all == 0 || all > mostModules {
		t.Errorf("our modules have %d bytes, want at most %d", all, mostModules)
	}
}
