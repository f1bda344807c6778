package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Builder derives schemas. Each struct with a name has a definition of its own.
type Builder struct {
	Defs map[string]*jsonschema.Schema // by name

	prefix   string                              // of references to definitions
	asked    bool                                // the types are bodies of requests
	forms    map[reflect.Type]*jsonschema.Schema // of the known types
	names    map[reflect.Type]string             // of definitions that are not named like their types
	comments *comments
	asking   *Builder // see Asking
}

// New returns a builder without definitions. References to definitions begin with the prefix, such as "#/$defs/".
func New(prefix string) (*Builder, error) {
	comments, err := newComments()
	if err != nil {
		return nil, err
	}
	return &Builder{Defs: map[string]*jsonschema.Schema{}, prefix: prefix, forms: ownForms(), names: map[reflect.Type]string{}, comments: comments}, nil
}

// ownForms are the schemas of types that have a form of their own in JSON.
func ownForms() map[reflect.Type]*jsonschema.Schema {
	number := &jsonschema.Schema{Type: "number"}
	forms := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage]():   {},
		reflect.TypeFor[json.Number]():       {Type: "integer"},
		reflect.TypeFor[report.Figure]():     {Types: []string{"null", "number"}},
		reflect.TypeFor[tournament.Millis](): number,
		reflect.TypeFor[rules.Side]():        oneOf(rules.Attacker.String(), rules.Defender.String()),
		reflect.TypeFor[rules.Ruleset]():     oneOf(rules.GPCC2015.String(), rules.GPCC2016.String(), rules.Solo.String()),
		reflect.TypeFor[rules.Size]():        {Type: "string", Pattern: "^[2-4]x[2-4]$"},
		reflect.TypeFor[rules.Move]():        {Type: "string", Pattern: `^([NSWE]|\([1-4],[1-4](,4)?\))$`},
	}
	return forms
}

// oneOf returns the schema of a text that is one of the given ones.
func oneOf(texts ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, text := range texts {
		s.Enum = append(s.Enum, text)
	}
	return s
}

// Asking returns the builder of the bodies of requests, which adds to the same definitions. Only keys that are marked
// with the tag `needed` are required, and unknown keys are refused.
func (b *Builder) Asking() *Builder {
	if b.asking == nil {
		asking := *b
		asking.asked, asking.forms, b.asking = true, ownForms(), &asking
	}
	return b.asking
}

// WithRecords adds the definitions of the record of a game and of its parts, from docs/schemas/record.json.
func (b *Builder) WithRecords() error {
	file, err := Read("record.json")
	if err != nil {
		return err
	}
	text, err := json.Marshal(file.root.Defs)
	if err != nil {
		return err
	}
	text = []byte(strings.ReplaceAll(string(text), `"#/$defs/`, `"`+b.prefix))
	if err := json.Unmarshal(text, &b.Defs); err != nil {
		return err
	}
	b.Form(reflect.TypeFor[record.Record](), b.Ref("Record"))
	b.Form(reflect.TypeFor[record.SearchReport](), b.Ref("SearchReport"))
	b.Form(reflect.TypeFor[record.Pause](), b.Ref("Pause"))
	return nil
}

// Name sets the name of the definition of a struct.
func (b *Builder) Name(t reflect.Type, name string) { b.names[t] = name }

// Form sets the schema of a type.
func (b *Builder) Form(t reflect.Type, s *jsonschema.Schema) { b.forms[t] = s }

// Ref returns a reference to a definition.
func (b *Builder) Ref(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: b.prefix + name}
}

// Of returns the schema of a type, which may refer to definitions.
func (b *Builder) Of(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if err := b.add(t); err != nil {
		return nil, err
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: b.forms})
	if err != nil {
		return nil, err
	}
	s.PropertyOrder = slices.Clone(s.PropertyOrder)
	return b.finished(s), nil
}

// add adds the definitions of all structs in a type.
func (b *Builder) add(t reflect.Type) error {
	if _, known := b.forms[t]; known {
		return nil
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return b.add(t.Elem())
	case t.PkgPath() == "time":
		return nil // the library of schemas knows this package
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		b.forms[t] = &jsonschema.Schema{Type: "string"}
		return nil
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		return fmt.Errorf("%v has a form of its own in JSON: add its schema in ownForms or by Form", t)
	}
	switch t.Kind() {
	case reflect.Map:
		values, err := b.Of(t.Elem())
		b.forms[t] = &jsonschema.Schema{Type: "object", AdditionalProperties: values} // the keys may be numbers
		return err
	case reflect.Slice, reflect.Array:
		return b.add(t.Elem())
	case reflect.Struct:
		return b.addStruct(t)
	}
	return nil
}

func (b *Builder) addStruct(t reflect.Type) error {
	name := b.name(t)
	if name != "" {
		b.forms[t] = b.Ref(name)
		b.Defs[name] = nil // taken
	}
	for field := range t.Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key == "-" || !field.IsExported() && !field.Anonymous {
			continue
		}
		if err := b.add(field.Type); err != nil {
			return fmt.Errorf("%v.%s: %w", t, field.Name, err)
		}
	}
	if name == "" {
		return nil
	}
	forms := maps.Clone(b.forms)
	delete(forms, t)
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			delete(forms, field.Type) // the struct has its keys
		}
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: forms})
	if err != nil {
		return err
	}
	s.Description = b.comments.of(t.PkgPath(), t.Name())
	if after, ok := strings.CutPrefix(s.Description, t.Name()+" "); ok {
		s.Description = name + " " + after
	}
	b.describe(s, t)
	b.Defs[name] = b.finished(s)
	return nil
}

// name returns the name of a struct's definition: the name that Name has set, or else one that no definition has yet.
// It returns "" for a struct without a name.
func (b *Builder) name(t reflect.Type) string {
	if name, ok := b.names[t]; ok {
		return name
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	if name == "" {
		return ""
	}
	title := func(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
	name = title(strings.TrimSuffix(name, "JSON"))
	if b.asked {
		name += "Request"
	}
	for _, taken := b.Defs[name]; taken; _, taken = b.Defs[name] {
		path := strings.Split(t.PkgPath(), "/")
		name = title(path[len(path)-1]) + name
	}
	return name
}

// describe adds the comments of a struct's fields, and corrects whether a field can be null or absent.
func (b *Builder) describe(s *jsonschema.Schema, t reflect.Type) {
	if b.asked {
		s.Required = nil
	}
	for _, field := range reflect.VisibleFields(t) {
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key == "" {
			key = field.Name
		}
		property := s.Properties[key]
		if property == nil || field.Anonymous {
			continue
		}
		in := t
		for _, i := range field.Index[:len(field.Index)-1] {
			if in = in.Field(i).Type; in.Kind() == reflect.Pointer {
				in = in.Elem()
			}
		}
		b.retype(property, field.Tag.Get("schema"))
		property.Description = b.comments.of(in.PkgPath(), in.Name()+"."+field.Name)
		if b.asked && field.Tag.Get("needed") == "true" {
			s.Required = append(s.Required, key)
		}
		if (b.asked || strings.Contains(options, "omit")) && field.Type.Kind() == reflect.Pointer {
			WithoutNull(property)
		}
	}
}

// retype gives a property, or the items of a list, the form that a tag names: "any", or the name of a definition.
func (b *Builder) retype(s *jsonschema.Schema, form string) {
	if s.Items != nil {
		s = s.Items
	}
	switch form {
	case "":
	case "any": // spelled out: many programs that read schemas do not know true
		s.Types = []string{"object", "string", "number", "boolean", "null"}
	default:
		s.Ref = b.prefix + form
	}
}

// WithoutNull takes null from the types of a schema.
func WithoutNull(s *jsonschema.Schema) {
	kinds := slices.DeleteFunc(slices.Clone(s.Types), func(kind string) bool { return kind == "null" })
	if s.Types = nil; len(kinds) == 1 {
		s.Type = kinds[0]
	} else if len(kinds) > 1 {
		s.Types = kinds
	}
}

// finished corrects a schema and the schemas in it. A list is never null, but a pointer to a definition may be. A
// later version may add keys, except to the bodies of requests.
func (b *Builder) finished(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if slices.Contains(s.Types, "array") {
		WithoutNull(s)
	}
	if s.Ref != "" && len(s.Types) > 0 {
		return &jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}}
	}
	if slices.Contains(s.Types, "null") && s.Enum != nil {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
	for key, property := range s.Properties {
		s.Properties[key] = b.finished(property)
	}
	s.Items = b.finished(s.Items)
	if s.Properties == nil {
		s.AdditionalProperties = b.finished(s.AdditionalProperties)
	} else if !b.asked {
		s.AdditionalProperties = nil
	}
	return s
}

// Typed adds the key type, which has one value, to the definition of a message.
func (b *Builder) Typed(name, kind string) {
	s := b.Defs[name]
	var value any = kind
	s.Properties["type"] = &jsonschema.Schema{Const: &value}
	s.PropertyOrder = append([]string{"type"}, s.PropertyOrder...)
	s.Required = append([]string{"type"}, s.Required...)
}
