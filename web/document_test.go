package web_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// The examples of docs/API.md have the keys of the answers.
func TestDocumentedAnswers(t *testing.T) {
	text, err := os.ReadFile("../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	h := open(t)
	h.play(nil)
	for route, path := range map[string]string{
		"/api/events/recorded":   "/api/events/recorded",
		"/api/events/{id}/games": "/api/events/1/games",
	} {
		_, section, found := strings.Cut(string(text), "### GET "+route+"\n")
		_, example, _ := strings.Cut(section, "```json answer\n")
		example, _, _ = strings.Cut(example, "```")
		var documented any
		if err := json.Unmarshal([]byte(example), &documented); err != nil || !found {
			t.Errorf("%s: docs/API.md has no example (%v)", route, err)
			continue
		}
		if got, want := keysInOrder(read[any](h, path)), keysInOrder(documented); !slices.Equal(got, want) {
			t.Errorf("%s: the keys are %v, docs/API.md has %v", route, got, want)
		}
	}
}

// keysInOrder returns all keys of a value in JSON, those of the first element of each list.
func keysInOrder(value any) (keys []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			keys = append(append(keys, key), keysInOrder(value[key])...)
		}
	case []any:
		if len(value) > 0 {
			return keysInOrder(value[0])
		}
	}
	return keys
}
