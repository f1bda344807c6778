package stdio_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/internal/schema"
	"versus2048/protocol/stdio"
)

// Patterns of values.
const (
	whole   = `^\d+$`
	decimal = `^-?[\d.]+(e[+-]?\d+)?$`
	anyText = ``
	side    = `^(attacker|defender)$`
	size    = `^[2-4]x[2-4]$`
	ruleset = `^(gpcc2015|gpcc2016|solo)$`
	truth   = `^(true|false)$`
	move    = `^([NSWE]|\([1-4],[1-4](,4)?\))$`
	place   = `^[\d,/]+$`
)

// lineForm is a line: the patterns of the words after the first one, and of the values by key. Keys that end in ! are
// always there. A form with text has one text instead.
type lineForm struct {
	words []string
	keys  map[string]string
	text  bool
}

type keys = map[string]string

// lineForms are the lines by their first words. The types of the package have no names for the keys, so they are here.
func lineForms() map[string]lineForm {
	return map[string]lineForm{
		"v2048": {words: []string{`^[1-9]\d*$`}}, "set": {text: true},
		"new":  {keys: keys{"game": anyText, "role!": side, "rules": ruleset, "size": size, "seed": whole, "move_ms": whole, "total_ms": whole, "increment_ms": whole, "match": whole, "opponent": anyText, "resign": truth}},
		"go":   {words: []string{place, "^[AD]$"}, keys: keys{"ply": whole, "score": whole, "role": side, "rules": ruleset, "size": size, "left_ms": whole, "last": move, "move_ms": whole, "total_ms": whole, "increment_ms": whole}},
		"over": {keys: keys{"score": whole, "ending": anyText, "result": "^(won|lost)$"}}, "quit": {},
		"id":     {text: true},
		"option": {keys: keys{"name!": `^[A-Za-z0-9_.-]{1,64}$`, "type": `^(int|float|string|bool|choice)$`, "default": anyText, "min": anyText, "max": anyText, "choices": anyText}},
		"plays":  {keys: keys{"rules": anyText, "size": anyText, "role": anyText}}, "ready": {},
		"info":   {keys: keys{"nodes": whole, "visits": whole, "value": decimal, "move": move, "mate": whole, "prior": decimal, "pv": anyText, "expanded": `^\d+(,\d+)*$`, "time_ms": decimal, "cpu_ms": decimal, "tokens_read": whole, "tokens_written": whole, "source": anyText, "depth": whole}},
		"move":   {text: true},
		"resign": {}, "error": {text: true},
	}
}

// schemaOf returns the schema of a line's object.
func (f lineForm) schemaOf(word string) *jsonschema.Schema {
	text := func(pattern string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Pattern: pattern} }
	var first any = word
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"line": {Const: &first}}, Required: []string{"line"}}
	if f.text {
		s.Properties["text"] = text(anyText)
		s.Required = append(s.Required, "text")
	}
	if f.words != nil {
		list := &jsonschema.Schema{Type: "array", MinItems: new(len(f.words))}
		for _, pattern := range f.words {
			list.PrefixItems = append(list.PrefixItems, text(pattern))
		}
		s.Properties["words"] = list
		s.Required = append(s.Required, "words")
	}
	for key, pattern := range f.keys {
		name, needed := strings.CutSuffix(key, "!")
		s.Properties[name] = text(pattern)
		if needed {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// object returns a line as the object that its schema is about: its first word as line, the other words as words, and
// each value by its key; or one text.
func object(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	form := map[string]any{"line": word}
	if lineForms()[word].text {
		form["text"] = rest
	} else {
		words := []string{}
		for _, part := range strings.Fields(rest) {
			if key, value, ok := strings.Cut(part, "="); ok {
				form[key] = value
			} else {
				words = append(words, part)
			}
		}
		if len(words) > 0 {
			form["words"] = words
		}
	}
	text, _ := json.Marshal(form) // texts can always be encoded
	return string(text)
}

func TestSchema(t *testing.T) {
	b, err := schema.New("#/$defs/")
	if err != nil {
		t.Fatal(err)
	}
	any := &jsonschema.Schema{Description: "A line as an object: its first word as line, the other words as words, and each value by its key, all as texts; a line with free text has it as text."}
	for word, form := range lineForms() {
		b.Defs[word] = form.schemaOf(word)
		any.OneOf = append(any.OneOf, b.Ref(word))
	}
	slices.SortFunc(any.OneOf, func(a, b *jsonschema.Schema) int { return strings.Compare(a.Ref, b.Ref) })
	schema.Same(t, "stdio.json", b.Finish(fmt.Sprint("A line over standard input and output, version ", stdio.Version), stdio.Version, any))
}

// checkLines fails the test unless the schema allows known lines.
func checkLines(t *testing.T, lines ...string) {
	t.Helper()
	file, err := schema.Read("stdio.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		if _, known := lineForms()[word]; !known {
			continue
		}
		if err := file.Check("", []byte(object(line))); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
