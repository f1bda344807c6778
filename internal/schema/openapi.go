package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Operation is a route with the types of its requests and answers. A value stands for its type.
type Operation struct {
	Pattern  string // as for http.ServeMux
	Summary  string
	Operator bool // whether only operators may use it

	Query  []string
	Body   any
	Answer any            // or each line of a stream of lines
	Events map[string]any // the data of a stream's events, by their names
	Media  string         // of the answer, "" for JSON

	Examples Examples
}

// Prefix is the prefix of references within an OpenAPI document.
const Prefix = "#/components/schemas/"

// object is an object in JSON.
type object = map[string]any

// numbers are the parameters that are whole numbers.
var numbers = []string{"id", "game", "number", "ply", "event", "before", "limit", "offset", "from"}

// OpenAPI returns an OpenAPI document of routes. refused is the body of every answer that refuses a request.
func (b *Builder) OpenAPI(info object, routes []Operation, refused any) (object, error) {
	problem, err := b.Of(reflect.TypeOf(refused))
	if err != nil {
		return nil, err
	}
	paths := map[string]object{}
	for _, r := range slices.SortedFunc(slices.Values(routes), func(a, b Operation) int { return strings.Compare(a.Pattern, b.Pattern) }) {
		method, path, _ := strings.Cut(r.Pattern, " ")
		described, err := b.operation(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Pattern, err)
		}
		described["responses"].(object)["default"] = object{"description": "why not", "content": content("application/json", problem)}
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path][strings.ToLower(method)] = described
	}
	return object{
		"openapi": "3.1.0", "info": info, "paths": paths,
		"components": object{"schemas": b.used(paths), "securitySchemes": object{"operator": object{"type": "http", "scheme": "bearer"}}},
	}, nil
}

func content(media string, s *jsonschema.Schema) object { return object{media: object{"schema": s}} }

// operation describes a route.
func (b *Builder) operation(r Operation) (object, error) {
	answer, err := b.answer(r)
	if err != nil {
		return nil, err
	}
	if r.Examples.Answer != nil {
		for _, media := range answer {
			media.(object)["examples"] = named(r.Examples.Answer)
		}
	}
	described := object{
		"operationId": operationID(r.Pattern), "summary": r.Summary,
		"responses": object{"200": object{"description": "the answer", "content": answer}},
	}
	if parameters := parametersOf(r); parameters != nil {
		described["parameters"] = parameters
	}
	if r.Operator {
		described["security"] = []object{{"operator": []string{}}}
	}
	if r.Body != nil {
		body, err := b.Asking().Of(reflect.TypeOf(r.Body))
		if err != nil {
			return nil, err
		}
		asked := content("application/json", body)
		if r.Examples.Body != nil {
			asked["application/json"].(object)["examples"] = named(r.Examples.Body)
		}
		described["requestBody"] = object{"required": true, "content": asked}
	}
	return described, nil
}

// answer describes an answer by its media type. OpenAPI 3.1 has no form for the parts of a stream, so x-events and
// x-line describe them.
func (b *Builder) answer(r Operation) (object, error) {
	text := &jsonschema.Schema{Type: "string"}
	switch {
	case r.Events != nil:
		events := object{}
		for name, value := range r.Events {
			s := &jsonschema.Schema{Type: "null"}
			if value != nil {
				var err error
				if s, err = b.Of(reflect.TypeOf(value)); err != nil {
					return nil, err
				}
			}
			events[name] = s
		}
		return object{r.Media: object{"schema": text, "x-events": events}}, nil
	case r.Answer == nil:
		return content(r.Media, text), nil
	}
	s, err := b.Of(reflect.TypeOf(r.Answer))
	if r.Media != "" {
		return object{r.Media: object{"schema": text, "x-line": s}}, err
	}
	return content("application/json", s), err
}

// operationID names a route: POST /api/events/{id}/stop is post_events_id_stop.
func operationID(pattern string) string {
	words := strings.FieldsFunc(strings.ToLower(pattern), func(r rune) bool { return strings.ContainsRune(" /{}.", r) })
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "api" }), "_")
}

// parametersOf describes the parameters in a route's path and query.
func parametersOf(r Operation) (parameters []object) {
	add := func(name, in string) {
		kind := "string"
		if slices.Contains(numbers, name) {
			kind = "integer"
		}
		described := object{"name": name, "in": in, "schema": object{"type": kind}}
		if in == "path" {
			described["required"] = true
		}
		parameters = append(parameters, described)
	}
	for part := range strings.SplitSeq(r.Pattern, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			add(strings.TrimSuffix(name, "}"), "path")
		}
	}
	for _, name := range r.Query {
		add(name, "query")
	}
	return parameters
}
