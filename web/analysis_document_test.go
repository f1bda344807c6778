package web_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
)

// keysOf adds the keys of a value in JSON to a set.
func keysOf(value any, keys map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			keys[key] = true
			keysOf(inner, keys)
		}
	case []any:
		for _, inner := range v {
			keysOf(inner, keys)
		}
	}
}

func keysIn(t *testing.T, text string) map[string]bool {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	keys := map[string]bool{}
	keysOf(value, keys)
	return keys
}

// The examples in docs/API.md have the keys that the routes about positions answer with.
func TestAnalysisIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	small := rules.Size{Width: 2, Height: 2}
	h := open(t, solved(t, rules.GPCC2015, small))
	h.play(func(e *tournament.Event) { e.Size = small })
	position := "position=" + url.QueryEscape("2,0/0,0 D")
	for route, path := range map[string]string{
		"GET /api/exact":         "/api/exact?" + position,
		"GET /api/explorer":      "/api/explorer?bot=ann&event=1&" + position,
		"GET /api/analysis/live": "/api/analysis/live?bot=mcts:playouts=1&position=" + url.QueryEscape("2,0,0/0,4,0/0,0,2 D"),
	} {
		_, section, found := strings.Cut(string(text), "### "+route+"\n")
		example := regexp.MustCompile("(?ms)^```json answer\n(.*?)^```$").FindStringSubmatch(section)
		if !found || example == nil {
			t.Errorf("docs/API.md has no example of %s", route)
			continue
		}
		answer := firstAnswer(t, h, path)
		if want, got := keysIn(t, answer), keysIn(t, example[1]); !maps.Equal(got, want) {
			t.Errorf("%s: docs/API.md has the keys %v, the answer %v", route, got, want)
		}
	}
}

// firstAnswer returns an answer in JSON, or the first one in a stream.
func firstAnswer(t *testing.T, h *house, path string) string {
	t.Helper()
	if !strings.Contains(path, "/live") {
		_, text := h.get(path)
		return text
	}
	return streamed(t, h, path, "opinion")
}
