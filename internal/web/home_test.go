package web_test

import (
	"strings"
	"testing"
)

// The command on the first page of an arena without a game has the arena's own address.
func TestFirstPageOfEmptyArena(t *testing.T) {
	h := open(t)
	if _, text := h.get("/"); !strings.Contains(text, "arena event run --server "+h.URL()+" --bot") {
		t.Errorf("the page has no command for %s:\n%s", h.URL(), text)
	}
}
