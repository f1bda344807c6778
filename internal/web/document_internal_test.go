package web

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/schema"
	"versus2048/internal/server"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/live"
)

// documented are types of bodies and answers below /api, by pattern.
func documented() map[string]struct{ body, answer any } {
	return map[string]struct{ body, answer any }{
		"GET /api/kinds":                 {nil, new([]kindJSON)},
		"POST /api/play":                 {new(challengeJSON), new(server.Invitation)},
		"POST /api/hint":                 {new(hintJSON), new(hintAnswer)},
		"GET /api/puzzles/{number}":      {nil, new(puzzleJSON)},
		"GET /api/seen":                  {nil, new(seenJSON)},
		"GET /api/games/{game}":          {nil, new(gameJSON)},
		"GET /api/games/{game}/plies":    {nil, new(analysis.Plies)},
		"GET /api/games/{game}/live":     {nil, new(live.Frame)},
		"GET /api/games/{game}/marks":    {nil, new(marksJSON)},
		"GET /api/games/{game}/values":   {nil, new(valuesJSON)},
		"GET /api/games/{game}/searches": {nil, new(searchesJSON)},
		"GET /api/tv":                    {nil, new(change)},
	}
}

// The examples of the OpenAPI document are bodies and answers of the pages' routes, with exactly their keys.
func TestDocumentedTypes(t *testing.T) {
	all, err := schema.RouteExamples()
	if err != nil {
		t.Fatal(err)
	}
	for route, types := range documented() {
		for _, part := range []struct {
			name     string
			into     any
			examples []json.RawMessage
		}{{"body", types.body, all[route].Body}, {"answer", types.answer, all[route].Answer}} {
			if (part.into == nil) != (part.examples == nil) {
				t.Errorf("%s: an example of its %s is missing or out of place", route, part.name)
				continue
			}
			if part.into != nil {
				wantKeys(t, route+": its "+part.name, string(part.examples[0]), part.into)
			}
		}
	}
}

// wantKeys fails the test unless an example has the keys of a type.
func wantKeys(t *testing.T, what, example string, into any) {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(example))
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	eachKey(reflect.TypeOf(into).Elem(), func(key string) {
		if !strings.Contains(example, `"`+key+`":`) {
			t.Errorf("%s: its example does not show the key %q", what, key)
		}
	})
}

// eachKey calls visit with each key in the JSON of a struct of ours, and of the structs in it.
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
