package web

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"versus2048/arena"
)

// The examples of docs/API.md are bodies and answers of the pages' routes, without unknown keys, and the
// text names every key.
func TestDocumentedBodies(t *testing.T) {
	text, err := os.ReadFile("../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	_, own, _ := strings.Cut(string(text), "## Routes of the pages")
	for route, types := range map[string]map[string]any{
		"GET /api/kinds": {"answer": new([]kindJSON)},
		"POST /api/play": {"body": new(challengeJSON), "answer": new(arena.Invitation)},
		"POST /api/hint": {"body": new(hintJSON), "answer": new(hintAnswer)},
		"GET /api/seen":  {"answer": new(seenJSON)},
	} {
		_, section, found := strings.Cut(own, "### "+route+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		for kind, into := range types {
			example := regexp.MustCompile("(?s)```json " + kind + "\n(.*?)```").FindStringSubmatch(section)
			if !found || example == nil {
				t.Errorf("%s: no example of its %s", route, kind)
				continue
			}
			decoder := json.NewDecoder(strings.NewReader(example[1]))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(into); err != nil {
				t.Errorf("%s: %s: %v", route, kind, err)
			}
			again, err := json.Marshal(into)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(string(again), -1) {
				if !strings.Contains(section, `"`+key[1]+`"`) {
					t.Errorf("%s: the key %s of its %s is not documented", route, key[1], kind)
				}
			}
		}
	}
}
