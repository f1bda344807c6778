package main

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"versus2048/players"
)

// parseConfig reads an event's file. Its errors name the file, the line and the
// key.
func parseConfig(path string, text []byte) (*config, error) {
	file := &config{}
	decoder := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err := decoder.Decode(file)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		var all []error
		for i := range unknown.Errors {
			all = append(all, atKey(path, &unknown.Errors[i], unknownKey(unknown.Errors[i].Key())))
		}
		return nil, errors.Join(all...)
	case errors.As(err, &wrong):
		return nil, atKey(path, wrong, wrongValue(wrong))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// atKey is such as "event.toml:7: plan.kind: problem".
func atKey(path string, e *toml.DecodeError, problem string) error {
	line, _ := e.Position()
	where := fmt.Sprintf("%s:%d", path, line)
	if key := e.Key(); len(key) > 0 {
		where += ": " + strings.Join(key, ".")
	}
	return fmt.Errorf("%s: %s", where, problem)
}

// unknownKey says what is near a key that there is not.
func unknownKey(key toml.Key) string {
	full, last := strings.Join(key, "."), key[len(key)-1]
	known := configKeys(reflect.TypeFor[config](), "")
	near := players.Nearest(full, known)
	for _, k := range known {
		if near == "" && strings.HasSuffix(k, "."+last) {
			near = k // right but for its table
		}
	}
	if near == "" {
		return "no such key (arena tournament init writes them all)"
	}
	return fmt.Sprintf("no such key: did you mean %s?", near)
}

// configKeys are the full names of a table's keys, tables included.
func configKeys(table reflect.Type, prefix string) (keys []string) {
	for field := range table.Fields() {
		key := prefix + field.Tag.Get("toml")
		keys = append(keys, key)
		if t := element(field.Type); t.Kind() == reflect.Struct && isTable(t) {
			keys = append(keys, configKeys(t, key+".")...)
		}
	}
	return keys
}

// element is the type of a value behind a pointer or in a list.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// isTable tells tables from structs that are written as one value.
func isTable(t reflect.Type) bool { return t.NumField() > 0 && t.Field(0).Tag.Get("toml") != "" }

// mismatch is how the library says that a value has the wrong type.
var mismatch = regexp.MustCompile(`^toml: cannot decode TOML (.+?) into `)

// wrongValue says what is wrong with a value, or with the file's form.
func wrongValue(e *toml.DecodeError) string {
	found := mismatch.FindStringSubmatch(e.Error())
	if found == nil {
		return strings.TrimPrefix(e.Error(), "toml: ")
	}
	return fmt.Sprintf("is of type %s, want %s", found[1], wantedType(e.Key()))
}

// wantedType says of which type a key's value must be.
func wantedType(key toml.Key) string {
	t := reflect.TypeFor[config]()
	for _, name := range key {
		fields := slices.Collect(element(t).Fields())
		i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return strings.EqualFold(f.Tag.Get("toml"), name) })
		if i < 0 {
			return "another one"
		}
		t = fields[i].Type
	}
	switch element(t).Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Uint64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	switch {
	case t.Kind() == reflect.Slice && element(t).Kind() == reflect.String:
		return `a list of texts, such as ["random", "a=greedy"]`
	case element(t).Kind() == reflect.Struct && isTable(element(t)):
		return "a table, [" + strings.Join(key, ".") + "]"
	}
	return "a text in quotes"
}
