package web

import (
	"os"
	"path/filepath"
	"testing"
)

// mostModules is the limit in bytes of the modules of an arena and of the site without one, together. It grew from
// 67,400 when pages began to teach: levels, puzzles, and a champion in the browser.
const mostModules = 90_000

// Our modules are small enough to be read, and loaded, whole.
func TestSizeOfModules(t *testing.T) {
	all := 0
	for _, folder := range []string{"static", "../../deploy/release/site_modules"} {
		names, err := filepath.Glob(filepath.Join(folder, "*.js"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d modules, error %v", folder, len(names), err)
		}
		for _, name := range names {
			code, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += len(code)
			t.Logf("%6d %s", len(code), name)
		}
	}
	if all > mostModules {
		t.Errorf("our modules have %d bytes, want at most %d", all, mostModules)
	}
}
