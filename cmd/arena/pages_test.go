package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/rules/record"
)

// The last position on the page of a game is the last position of the record that replay prints.
func TestPageAgreesWithReplay(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	event, err := h.client.Start(t.Context(), quickSetup(5))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.Follow(t.Context(), event, func(server.Progress) {}); err != nil {
		t.Fatal(err)
	}
	for game := 1; game <= 5; game++ {
		stdout, stderr, code := run(t, "arena", "replay", fmt.Sprint(game), "--db", h.db, "--format", "json")
		var r record.Record
		if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 {
			t.Fatal(code, stderr, err)
		}
		p := r.Start
		for _, m := range r.Moves {
			p = p.Next(m)
		}
		want := fmt.Sprint(p.Tiles())
		if got := h.tilesOnPage(t, game); got != want {
			t.Errorf("game %d: the page shows %s, replay leads to %s", game, got, want)
		}
	}
}

// tilesOnPage returns the board on the page of a game of 2x2, as a browser without JavaScript shows it.
func (h *host) tilesOnPage(t *testing.T, game int) string {
	t.Helper()
	page := fetch(t, fmt.Sprintf("%s/games/%d", h.URL(), game))
	var tiles [2][2]int
	for _, cell := range regexp.MustCompile(`class="cell x(\d) y(\d)">(?:<span class="tile t(\d+))?`).FindAllStringSubmatch(page, -1) {
		x, y := cell[1][0]-'1', cell[2][0]-'1'
		if len(cell[3]) > 0 {
			if _, err := fmt.Sscan(cell[3], &tiles[y][x]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return fmt.Sprint(tiles)
}
