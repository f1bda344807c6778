package web

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"versus2048/web/live"
)

// documented are the answers below /api that docs/API.md describes, by their heading there.
func documented() map[string]any {
	return map[string]any{
		"GET /api/games/{game}":          new(gameJSON),
		"GET /api/games/{game}/live":     new(live.Frame),
		"GET /api/games/{game}/marks":    new(marksJSON),
		"GET /api/games/{game}/values":   new(valuesJSON),
		"GET /api/games/{game}/searches": new(searchesJSON),
		"GET /api/tv":                    new(change),
	}
}

// The examples of docs/API.md have exactly the keys of our answers.
func TestDocumentedAnswers(t *testing.T) {
	text, err := os.ReadFile("../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	for route, into := range documented() {
		_, section, _ := strings.Cut(string(text), "\n### "+route+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		example := regexp.MustCompile("(?ms)^```json answer\n(.*?)^```$").FindStringSubmatch(section)
		if example == nil {
			t.Errorf("docs/API.md has no example for %s", route)
			continue
		}
		in := json.NewDecoder(strings.NewReader(example[1]))
		in.DisallowUnknownFields()
		if err := in.Decode(into); err != nil {
			t.Errorf("%s: %v", route, err)
		}
		eachKey(reflect.TypeOf(into).Elem(), func(key string) {
			if !bytes.Contains([]byte(example[1]), []byte(`"`+key+`":`)) {
				t.Errorf("%s: its example does not show the key %q", route, key)
			}
		})
	}
}

// eachKey calls visit with each key in the JSON of a struct of ours, and of those in it.
func eachKey(of reflect.Type, visit func(key string)) {
	switch {
	case of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice:
		eachKey(of.Elem(), visit)
	case of.Kind() == reflect.Struct && !of.Implements(reflect.TypeFor[json.Marshaler]()):
		for field := range of.Fields() {
			if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "" && key != "-" {
				visit(key)
			}
			eachKey(field.Type, visit)
		}
	}
}
