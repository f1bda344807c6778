package web_test

import (
	"net/http"
	"regexp"
	"strconv"
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
	for _, part := range []string{"gpcc2015", "greedy", "random", "1 match", "95 % interval", "docs/RATINGS"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q on the page:\n%s", part, text)
		}
	}
	cells := regexp.MustCompile(`<td class="[^"]*"( data-label="[^"]*")?>([^<]*)</td>`).FindAllStringSubmatch(text, -1)
	for _, cell := range cells { // the rank and the name lead, all others need their label on a phone
		if _, err := strconv.Atoi(cell[2]); cell[1] == "" && err != nil {
			t.Errorf("the cell %s has no label", cell[0])
		}
	}
	if limits := `<td class="n late nowrap" data-label="95 % interval">at `; len(cells) < 14 || strings.Count(text, limits+"least ") != 1 || strings.Count(text, limits+"most ") != 1 {
		t.Errorf("the intervals of the one that won all and of the one that lost all have other limits:\n%s", text)
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
