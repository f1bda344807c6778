package neural

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

const page = "../../docs/NETWORKS.md"

// firstNames returns the first names of the items of the lists in a section, without backquotes.
func firstNames(t *testing.T, heading string) (names []string) {
	t.Helper()
	for _, item := range regexp.MustCompile("(?m)^- `(\\w+)`").FindAllStringSubmatch(testkit.Section(testkit.ReadDocument(t, page), heading), -1) {
		names = append(names, item[1])
	}
	slices.Sort(names)
	return names
}

// keysOf returns the JSON keys of a struct.
func keysOf(v any) (keys []string) {
	for i := range reflect.TypeOf(v).NumField() {
		name, _, _ := strings.Cut(reflect.TypeOf(v).Field(i).Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

// docs/NETWORKS.md names the keys, the layers, the methods and the transforms of this package.
func TestDocument(t *testing.T) {
	known := []string{}
	for name := range methods {
		known = append(known, name)
	}
	for heading, want := range map[string][]string{
		"## The file":         {checksumKey, formatKey, methodKey, networkKey, recipeKey, rulesKey, sizeKey},
		"## What it computes": {Conv, Dense, ReLU, Tanh, Norm, Residual, Symmetries, Canonical},
		"## The recipe":       keysOf(Recipe{}),
	} {
		slices.Sort(want)
		if got := firstNames(t, heading); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", heading, got, want)
		}
	}
	want := append(known, string(None), string(Sqrt), string(Log))
	slices.Sort(want)
	if got := firstNames(t, "## Functions"); !slices.Equal(got, want) {
		t.Errorf("the methods and transforms are %v, want %v", got, want)
	}
	for name, m := range methods {
		text := regexp.MustCompile("(?s)\n- `" + name + "`: .*?(\n- |\n\n)").FindString(testkit.Section(testkit.ReadDocument(t, page), "## Functions"))
		for _, function := range slices.Concat(m.functions, m.either) {
			if !strings.Contains(text, "`"+function+"`") {
				t.Errorf("%s: function %s is not in the document", name, function)
			}
		}
	}
	if !strings.Contains(testkit.ReadDocument(t, page), "`"+format+"`") {
		t.Errorf("the format is not in the document")
	}
}

// The example of the document is a network.
func TestDocumentExample(t *testing.T) {
	blocks := testkit.Blocks(testkit.ReadDocument(t, page), "json")
	if len(blocks) != 1 {
		t.Fatalf("%d examples, want 1", len(blocks))
	}
	var d Description
	if err := json.Unmarshal([]byte(blocks[0]), &d); err != nil {
		t.Fatal(err)
	}
	found, err := shapesOf(d, rules.Size{Width: 3, Height: 2})
	if err != nil || found["value"].numbers() != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
