package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Broken compares a file of schemas with a later version of the file. It returns the places where the later file breaks
// programs that were written for the earlier one. A schema with additionalProperties false is that of a request body,
// which refuses unknown keys.
//
//   - The later file must keep all keys, constants, and parameters.
//   - A request body must accept all earlier types, and must not require further keys.
//   - Any other value must not have further types. Each key of the earlier file is required in both files or in none.
//   - A parameter must not become required.
//
// Files with different values of "version" are not compared: nothing is broken then.
func Broken(earlier, later []byte) ([]string, error) {
	var old, now map[string]any
	if err := errors.Join(json.Unmarshal(earlier, &old), json.Unmarshal(later, &now)); err != nil {
		return nil, err
	}
	c := comparison{old: old, now: now, seen: map[string]bool{}}
	if !reflect.DeepEqual(versionOf(old), versionOf(now)) {
		return nil, nil
	}
	c.compare("", old, now)
	slices.Sort(c.broken)
	return c.broken, nil
}

// versionOf returns the version of a file. An OpenAPI document has it in its info.
func versionOf(file map[string]any) any {
	if info, ok := file["info"].(map[string]any); ok {
		return info["version"]
	}
	return file["version"]
}

// comparison compares two files.
type comparison struct {
	old, now map[string]any
	seen     map[string]bool // the pairs of references that were compared
	broken   []string
}

func (c *comparison) say(at, format string, args ...any) {
	c.broken = append(c.broken, at+": "+fmt.Sprintf(format, args...))
}

// compare compares the values that the two files have at a place.
func (c *comparison) compare(at string, old, now any) {
	switch o := old.(type) {
	case map[string]any:
		n, ok := now.(map[string]any)
		if !ok {
			c.say(at, "is missing")
			return
		}
		c.compareObjects(at, o, n)
	case []any:
		n, _ := now.([]any)
		if len(n) < len(o) {
			c.say(at, "has fewer parts")
			return
		}
		for i := range o {
			c.compare(fmt.Sprint(at, "/", i), o[i], n[i])
		}
	}
}

func (c *comparison) compareObjects(at string, old, now map[string]any) {
	if from, ok := old["$ref"].(string); ok {
		to, _ := now["$ref"].(string)
		if pair := from + " " + to; c.seen[pair] {
			return
		} else if c.seen[pair] = true; to != "" {
			c.compare(from, referenced(c.old, from), referenced(c.now, to))
			return
		}
		c.say(at, "is no %s any more", from)
		return
	}
	asked := old["additionalProperties"] == false
	c.compareTypes(at, typesOf(old), typesOf(now), asked)
	if old["const"] != nil && !reflect.DeepEqual(old["const"], now["const"]) {
		c.say(at, "is not %v any more", old["const"])
	}
	if properties, ok := old["properties"].(map[string]any); ok {
		c.compareRequired(at, properties, listOf(old["required"]), listOf(now["required"]), asked)
	}
	for _, key := range slices.Sorted(maps.Keys(old)) {
		switch key {
		case "type", "enum", "const", "required", "description", "summary", "examples", "components", "parameters":
		case "properties", "$defs", "paths", "x-events": // their keys are names
			later, _ := now[key].(map[string]any)
			for name, value := range old[key].(map[string]any) {
				c.compare(at+"/"+key+"/"+name, value, later[name])
			}
		default:
			c.compare(at+"/"+key, old[key], now[key])
		}
	}
	c.compareParameters(at, old, now)
}

func (c *comparison) compareParameters(at string, old, now map[string]any) {
	named := func(list any) map[string]bool {
		names := map[string]bool{}
		all, _ := list.([]any)
		for _, p := range all {
			if parameter, ok := p.(map[string]any); ok {
				names[fmt.Sprint(parameter["name"])] = parameter["required"] == true
			}
		}
		return names
	}
	before, after := named(old["parameters"]), named(now["parameters"])
	for name := range before {
		if _, kept := after[name]; !kept {
			c.say(at, "the parameter %s is missing", name)
		}
	}
	for name, needed := range after {
		if needed && !before[name] {
			c.say(at, "the parameter %s has become required", name)
		}
	}
}

func (c *comparison) compareTypes(at string, old, now []string, asked bool) {
	if asked {
		old, now = now, old
	}
	for _, kind := range now {
		if len(old) > 0 && !slices.Contains(old, kind) {
			c.say(at, "has other types: %v and %v", old, now)
		}
	}
	if len(old) > 0 && len(now) == 0 {
		c.say(at, "has other types: %v and any", old)
	}
}

func (c *comparison) compareRequired(at string, properties map[string]any, old, now []string, asked bool) {
	for _, key := range old {
		if !asked && !slices.Contains(now, key) {
			c.say(at, "%s is not required any more", key)
		}
	}
	for _, key := range now {
		_, known := properties[key]
		if !slices.Contains(old, key) && (asked || known) {
			c.say(at, "%s has become required", key)
		}
	}
}

// typesOf returns the types that a schema allows. An empty list stands for all types.
func typesOf(s map[string]any) []string {
	if one, ok := s["type"].(string); ok {
		return []string{one}
	}
	return listOf(s["type"])
}

func listOf(value any) (texts []string) {
	all, _ := value.([]any)
	for _, one := range all {
		texts = append(texts, fmt.Sprint(one))
	}
	return texts
}

// referenced returns the part of a file that a reference names, nil if there is none.
func referenced(file map[string]any, reference string) any {
	var value any = file
	for key := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}
