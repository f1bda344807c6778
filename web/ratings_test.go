package web_test

import (
	"net/http"
	"strings"
	"testing"

	"versus2048/tournament"
)

// The page of ratings has the list, which changes with new games.
func TestRatings(t *testing.T) {
	h := open(t)
	if status, text := h.get("/ratings"); status != http.StatusOK || !strings.Contains(text, "No match has been played yet") {
		t.Errorf("status %d without a match: %s", status, text)
	}
	h.play(func(e *tournament.Event) { e.Bots = []string{"ann=greedy", "bob=random"} })
	var text string
	until(t, "the match", func() bool { _, text = h.get("/ratings"); return strings.Contains(text, "1 match") })
	for _, part := range []string{"gpcc2015", "greedy", "random", "1 match", "95 % interval", "docs/RATINGS.md"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q on the page:\n%s", part, text)
		}
	}
	h.play(func(e *tournament.Event) { e.Bots = []string{"cid=mcts:playouts=3", "bob=random"} })
	until(t, "the new games", func() bool { _, text = h.get("/ratings"); return strings.Contains(text, "mcts:playouts=3") })
	if status, _ := h.get("/ratings?conditions=none"); status != http.StatusNotFound {
		t.Errorf("status %d of unknown conditions", status)
	}
	if status, text := h.get("/api/ratings?conditions=none"); status != http.StatusNotFound || !strings.Contains(text, "no match has been played under") {
		t.Errorf("status %d of unknown conditions: %s", status, text)
	}
}
