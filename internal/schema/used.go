package schema

import (
	"encoding/json"
	"regexp"

	"github.com/google/jsonschema-go/jsonschema"
)

// reference matches a reference to a definition.
var reference = regexp.MustCompile(`"\$ref": ?"#/(?:\$defs|components/schemas)/([^"]+)"`)

// used returns the definitions that a value refers to, directly or by others.
func (b *Builder) used(value any) map[string]*jsonschema.Schema {
	found := map[string]*jsonschema.Schema{}
	for next := []any{value}; len(next) > 0; next = next[1:] {
		text, err := json.Marshal(next[0])
		if err != nil {
			panic(err) // a schema can always be encoded
		}
		for _, match := range reference.FindAllStringSubmatch(string(text), -1) {
			if name := match[1]; found[name] == nil && b.Defs[name] != nil {
				found[name] = b.Defs[name]
				next = append(next, b.Defs[name])
			}
		}
	}
	return found
}
