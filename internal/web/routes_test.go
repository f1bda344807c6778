package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// The table of docs/SECURITY.md and the routes of the pages are the same.
func TestRoutesAreDocumented(t *testing.T) {
	section := testkit.Section(testkit.ReadDocument(t, "../../docs/SECURITY.md"), "### Routes of the pages")
	documented := map[string]server.Right{}
	for _, row := range regexp.MustCompile("(?m)^\\| `((?:GET|POST|DELETE) [^`]*)` \\| (\\w+) \\|").FindAllStringSubmatch(section, -1) {
		documented[row[1]] = server.Right(row[2])
	}
	_, site := routes(t)
	served := map[string]server.Right{}
	for _, r := range site {
		served[r.Pattern] = r.Right
	}
	if !maps.Equal(documented, served) {
		t.Errorf("docs/SECURITY.md has the routes %v, the site %v", documented, served)
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
