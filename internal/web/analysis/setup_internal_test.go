package analysis

import (
	"net/url"
	"testing"
)

// A press puts a tile of the game on a cell, whatever the address says.
func TestSetupPutsTiles(t *testing.T) {
	for chosen, want := range map[string][2]string{ // the next choice, and the position after a press
		"next":   {"next", "8,0/0,0 A"},
		"0":      {"0", "0,0/0,0 A"},
		"65536":  {"65536", "65536,0/0,0 A"},
		"1":      {"next", "8,0/0,0 A"},
		"3":      {"next", "8,0/0,0 A"},
		"-2":     {"next", "8,0/0,0 A"},
		"131072": {"next", "8,0/0,0 A"},
		"x":      {"next", "8,0/0,0 A"},
	} {
		page := Setup(url.Values{"setup": {chosen}, "position": {"4,0/0,0 A"}}).Body.(*setupPage)
		press, err := url.Parse(string(page.Cells[0][0].Address))
		if err != nil {
			t.Fatal(err)
		}
		if next := press.Query(); next.Get("setup") != want[0] || next.Get("position") != want[1] {
			t.Errorf("with setup=%s a press leads to %v, want %v", chosen, next, want)
		}
	}
}
