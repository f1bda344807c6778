package web_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
)

// The examples of the OpenAPI document have the keys of the answers.
func TestDocumentedAnswers(t *testing.T) {
	examples, small := examples(t), rules.Size{Width: 2, Height: 2}
	h := open(t, solved(t, rules.GPCC2015, small))
	h.play(func(e *tournament.Event) { e.Size = small })
	position := "position=" + url.QueryEscape("2,0/0,0 D")
	for route, path := range map[string]string{
		"/api/events/recorded":   "/api/events/recorded",
		"/api/events/{id}/games": "/api/events/1/games",
		"/api/games":             "/api/games",
		"/api/exact":             "/api/exact?" + position,
		"/api/ratings":           "/api/ratings",
		"/api/explorer":          "/api/explorer?bot=ann&event=1&" + position,
		"/api/analysis/live":     "/api/analysis/live?bot=mcts:playouts=1&position=" + url.QueryEscape("2,0,0/0,4,0/0,0,2 D"),
	} {
		answers := examples["GET "+route].Answer
		if answers == nil {
			t.Errorf("there is no example of %s", route)
			continue
		}
		if got, want := keysOf(t, string(answers[0])), keysOf(t, firstAnswer(t, h, path)); !maps.Equal(got, want) {
			t.Errorf("%s: its example has the keys %v, the answer %v", route, got, want)
		}
	}
}

// firstAnswer returns an answer in JSON, or the first one in a stream.
func firstAnswer(t *testing.T, h *host, path string) string {
	t.Helper()
	if strings.Contains(path, "/live") {
		return streamed(t, h, path, "opinion")
	}
	_, text := h.get(path)
	return text
}

// keysOf returns all keys in a text in JSON.
func keysOf(t *testing.T, text string) map[string]bool {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	keys := map[string]bool{}
	addKeys(value, keys)
	return keys
}

func addKeys(value any, keys map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			keys[key] = true
			addKeys(inner, keys)
		}
	case []any:
		for _, inner := range v {
			addKeys(inner, keys)
		}
	}
}
