package schema

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// Several is a list of values: an output is of the type of one of them.
type Several []any

// Partial is an output with only some of the keys of a value's type.
type Partial struct{ Of any }

// Stand is a value with a form of its own in JSON, and a value of the type that stands for it.
type Stand struct{ For, In any }

// SameOutputs is [Same] for the outputs of a program's commands with --json. outputs has a value of the type of each
// output, by command. In the file each command is a property. forms lists the types with a form of their own in JSON,
// and the types that stand for them.
func SameOutputs(t *testing.T, program string, version int, outputs map[string]any, forms ...Stand) {
	t.Helper()
	b, err := New("#/$defs/")
	if err == nil {
		err = b.WithRecords()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		form, err := b.output(f.In)
		if err != nil {
			t.Fatal(err)
		}
		b.Form(reflect.TypeOf(f.For), form)
	}
	commands := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, command := range slices.Sorted(maps.Keys(outputs)) {
		if commands.Properties[command], err = b.output(outputs[command]); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
	Same(t, "outputs-"+program+".json", b.Finish("What the commands of the program "+program+" print with --json", version, commands))
}

func (b *Builder) output(value any) (*jsonschema.Schema, error) {
	switch value := value.(type) {
	case Several:
		any := &jsonschema.Schema{}
		for _, one := range value {
			s, err := b.output(one)
			if err != nil {
				return nil, err
			}
			any.AnyOf = append(any.AnyOf, s)
		}
		return any, nil
	case Partial:
		if _, err := b.Of(reflect.TypeOf(value.Of)); err != nil {
			return nil, err
		}
		s := b.Defs[strings.TrimPrefix(b.forms[reflect.TypeOf(value.Of)].Ref, b.prefix)].CloneSchemas()
		s.Required = nil
		return s, nil
	}
	return b.Of(reflect.TypeOf(value))
}

// CheckOutput returns an error unless the output of a program's command with --json is as docs/schemas says.
func CheckOutput(program, command string, text []byte) error {
	file, err := Read("outputs-" + program + ".json")
	if err != nil {
		return err
	}
	s := file.root.Properties[command]
	if s == nil {
		return fmt.Errorf("%s %s: docs/schemas/%s has no such command: give the type of its output in the test of the file", program, command, file.name)
	}
	whole := s.CloneSchemas()
	whole.Defs = file.root.Defs
	checker, err := whole.Resolve(nil)
	if err == nil {
		err = checkText(checker, text)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", program, command, err)
	}
	return nil
}
