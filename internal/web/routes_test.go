package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/siege/stranger"
)

// The list of docs/SECURITY.md has the routes of the arena and of its pages, with their rights.
func TestRoutesAreDocumented(t *testing.T) {
	list, err := stranger.Routes("../../docs/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]server.Right{}
	for _, r := range list {
		documented[r.Pattern] = server.Right(r.Right)
	}
	arena, site := routes(t)
	served := map[string]server.Right{}
	for _, r := range slices.Concat(arena, site) {
		served[r.Pattern] = r.Right
	}
	if len(arena) < 10 || len(documented) != len(list) || !maps.Equal(documented, served) {
		t.Errorf("docs/SECURITY.md has the routes %v, the arena and its pages %v", documented, served)
	}
}

// Routes for programs refuse parameters that they do not take; pages ignore them.
func TestUnknownParameters(t *testing.T) {
	h := open(t)
	id := h.play(nil)
	for path, want := range map[string]string{
		fmt.Sprintf("/events/%d/export?fromat=parquet", id): "there is no parameter \"fromat\": this address takes format",
		"/api/exact?postion=x":                              "there is no parameter \"postion\": this address takes position, rules, game, ply",
		"/api/kinds?utm_source=x":                           "there is no parameter \"utm_source\": this address takes none",
		"/api/bots?bot=ann":                                 "there is no parameter \"bot\": this address takes none",
		fmt.Sprintf("/api/events/%d?detail=1", id):          "there is no parameter \"detail\": this address takes none",
		"/api/tv?x=1":                                       "there is no parameter \"x\": this address takes seen",
	} {
		status, text := h.get(path)
		var answer struct{ Error string }
		if err := json.Unmarshal([]byte(text), &answer); err != nil || status != http.StatusBadRequest || answer.Error != want {
			t.Errorf("%s: %d %s, want 400 %s", path, status, text, want)
		}
	}
	for _, path := range []string{"/?utm_source=x", "/events?utm_source=x", fmt.Sprintf("/events/%d?x=1", id), "/analysis?x=1"} {
		if status, text := h.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}
