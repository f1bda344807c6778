package schema

import (
	_ "embed"
	"encoding/json"
	"strconv"
)

//go:embed examples.json
var examplesFile []byte

// Examples are bodies of requests to a route, and answers of the route, in JSON. If the answer is a stream, Answer
// has lines or events of it.
type Examples struct {
	Body   []json.RawMessage `json:"body"`
	Answer []json.RawMessage `json:"answer"`
}

// RouteExamples returns the examples in docs/schemas/openapi.json, by pattern. Tests compare them with the types, and
// with answers of an arena.
func RouteExamples() (routes map[string]Examples, err error) {
	err = json.Unmarshal(examplesFile, &routes)
	return routes, err
}

// named gives examples the form of OpenAPI: each has a number for its name.
func named(examples []json.RawMessage) object {
	all := object{}
	for i, e := range examples {
		all[strconv.Itoa(i+1)] = object{"value": e}
	}
	return all
}
