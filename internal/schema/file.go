package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/docs"
	"versus2048/internal/disk"
)

// File is a file of docs/schemas.
type File struct {
	name string
	root *jsonschema.Schema
}

// Read reads a file of docs/schemas, such as "record.json".
func Read(name string) (*File, error) {
	text, err := docs.Files.ReadFile("schemas/" + name)
	if err != nil {
		return nil, err
	}
	f := &File{name, new(jsonschema.Schema)}
	if err := json.Unmarshal(text, f.root); err != nil {
		return nil, fmt.Errorf("docs/schemas/%s: %w", name, err)
	}
	return f, nil
}

// Schema returns a definition of the file, or the whole file for "", ready to validate values.
func (f *File) Schema(definition string) (*jsonschema.Resolved, error) {
	s := *f.root
	if definition != "" {
		if s.Defs[definition] == nil {
			return nil, fmt.Errorf("docs/schemas/%s has no definition %q", f.name, definition)
		}
		s = jsonschema.Schema{Ref: "#/$defs/" + definition, Defs: f.root.Defs}
	}
	return s.Resolve(nil)
}

// Check returns an error unless a text in JSON fits a definition of the file, or the whole file for "".
func (f *File) Check(definition string, text []byte) error {
	s, err := f.Schema(definition)
	if err == nil {
		err = checkText(s, text)
	}
	if err != nil {
		return fmt.Errorf("%s by docs/schemas/%s: %w", definition, f.name, err)
	}
	return nil
}

// checkText checks a text in JSON.
func checkText(s *jsonschema.Resolved, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if err := s.Validate(value); err != nil {
		return fmt.Errorf("%w in %.2000s", err, text)
	}
	return nil
}

// Finish returns a whole schema file: s with a title, a version and the definitions of the builder that s refers to.
// The version is raised when something is removed or changes its meaning, but not when something is added.
func (b *Builder) Finish(title string, version int, s *jsonschema.Schema) *jsonschema.Schema {
	s.Schema, s.Title, s.Defs = "https://json-schema.org/draft/2020-12/schema", title, b.used(s)
	s.Extra = map[string]any{"version": version}
	return s
}

// writeVariable makes tests write the files: see make schemas.
const writeVariable = "VERSUS2048_SCHEMAS"

// Same fails the test unless a file of docs/schemas is the given value in JSON, and keeps all parts of the released
// file of the same version: programs rely on these parts.
func Same(t *testing.T, name string, value any) {
	t.Helper()
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	root, err := newComments()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root.root, "docs", "schemas", name)
	if os.Getenv(writeVariable) != "" {
		if err := os.WriteFile(path, want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := disk.Read(path); err != nil || !bytes.Equal(have, want.Bytes()) {
		t.Errorf("docs/schemas/%s is not as the types say (%v): write it by make schemas", name, err)
	}
	released, err := disk.Read(filepath.Join(root.root, "internal", "schema", "testdata", "released", name))
	if errors.Is(err, os.ErrNotExist) {
		return // it is new
	}
	if err != nil {
		t.Fatal(err)
	}
	broken, err := Broken(released, want.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(broken) > 0 {
		t.Errorf("docs/schemas/%s breaks what programs rely on, without another version:\n%s", name, strings.Join(broken, "\n"))
	}
}

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
