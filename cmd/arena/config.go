package main

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/lines"
	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// readConfig reads the file of --config, if there is one, into the event. Fields without a key in the file keep their
// values.
func readConfig(c *cli.Context, e *tournament.Event) error {
	path := c.String("config")
	if path == "" {
		return nil
	}
	file, _, err := disk.Open(path)
	if err != nil {
		return fmt.Errorf("the event's file: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("it is longer than %d bytes", maxConfig)
	}
	if err != nil {
		return fmt.Errorf("the event's file %s: %w", path, err)
	}
	return parseConfig(path, lines.TrimBOM(text), e)
}

// maxConfig is the length in bytes of the longest config file. Requests that start an event have the same limit.
const maxConfig = 1 << 20

// configType is a struct with the keys of a config file, made from the toml tags of tournament.Event. The library
// decodes a file into this struct, and then its values are copied into an event. So durations, sizes and rule sets can
// be texts, errors about values of a wrong type have their line, and keys that the file does not have are nil pointers.
var configType = reflect.StructOf(configFields(reflect.TypeFor[tournament.Event]()))

func configFields(t reflect.Type) (fields []reflect.StructField) {
	for field := range t.Fields() {
		switch key := configKey(field); key {
		case "-":
		case inline:
			fields = append(fields, configFields(field.Type)...)
		default:
			tag := fmt.Sprintf("toml:%q", key)
			fields = append(fields, reflect.StructField{Name: field.Name, Type: configValue(field.Type), Tag: reflect.StructTag(tag)})
		}
	}
	return fields
}

// inline is the toml tag of a struct that has no table of its own: its keys are in the table of the struct around it.
const inline = ",inline"

// configKey returns the key of a field: its toml tag, or without one its name in lower case.
func configKey(field reflect.StructField) string {
	if tag, ok := field.Tag.Lookup("toml"); ok {
		return tag
	}
	return strings.ToLower(field.Name)
}

// configValue returns the type in configType for a type of field in an event.
func configValue(t reflect.Type) reflect.Type {
	switch {
	case isText(t):
		return reflect.TypeFor[*string]()
	case t.Kind() == reflect.Struct:
		return reflect.StructOf(configFields(t))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return reflect.SliceOf(configValue(t.Elem()))
	case t.Kind() == reflect.Slice:
		return t
	}
	return reflect.PointerTo(t)
}

// isText reports whether values of the type are texts in a config file.
func isText(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Duration]() || t == reflect.TypeFor[tournament.Millis]() || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// parseConfig reads the text of a config file into the event. Its errors name the file, the line and the key.
func parseConfig(path string, text []byte, e *tournament.Event) error {
	file := reflect.New(configType)
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(file.Interface())
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		var all []error
		for i := range unknown.Errors {
			all = append(all, atKey(path, &unknown.Errors[i], unknownKey(unknown.Errors[i].Key())))
		}
		return errors.Join(all...)
	case errors.As(err, &wrong):
		return atKey(path, wrong, wrongValue(wrong))
	case err == nil:
		err = copyTable(reflect.ValueOf(e).Elem(), file.Elem(), "")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// copyTable copies the values of a table of the file into a struct. prefix begins the full names of the table's keys.
func copyTable(to, from reflect.Value, prefix string) error {
	for field, value := range to.Fields() {
		var err error
		switch key := configKey(field); key {
		case "-":
		case inline:
			err = copyTable(value, from, prefix)
		default:
			err = copyValue(value, from.FieldByName(field.Name), prefix+key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyValue copies the value of a key of the file, if the file has it.
func copyValue(to, from reflect.Value, key string) error {
	switch {
	case from.Kind() == reflect.Struct:
		return copyTable(to, from, key+".")
	case from.IsNil():
	case from.Kind() == reflect.Slice && from.Type() != to.Type():
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			if err := copyValue(to.Index(i), from.Index(i), key); err != nil {
				return err
			}
		}
	case from.Kind() == reflect.Slice:
		to.Set(from)
	case isText(to.Type()):
		if err := tournament.SetText(to.Addr().Interface(), from.Elem().String()); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	default:
		to.Set(from.Elem())
	}
	return nil
}

// atKey returns an error such as "event.toml:7: plan.kind: problem".
func atKey(path string, e *toml.DecodeError, problem string) error {
	line, _ := e.Position()
	where := fmt.Sprintf("%s:%d", path, line)
	if key := e.Key(); len(key) > 0 {
		where += ": " + strings.Join(key, ".")
	}
	return fmt.Errorf("%s: %s", where, problem)
}

// unknownKey describes an unknown key, with the most similar known one.
func unknownKey(key toml.Key) string {
	full, last := strings.Join(key, "."), key[len(key)-1]
	if set := keyOfFlag(last); set != "" {
		return fmt.Sprintf("unknown key: did you mean %s?", set)
	}
	known := configKeys(configType, "")
	near := players.Nearest(full, known)
	for _, k := range known {
		if near == "" && strings.HasSuffix(k, "."+last) {
			near = k // found in the wrong table
		}
	}
	if near == "" {
		return "unknown key (arena event init writes all keys)"
	}
	return fmt.Sprintf("unknown key: did you mean %s?", near)
}

// keyOfFlag returns the full name of the key for the field of a flag, such as plan.kind for format, and "" if no flag
// has that name. The words of the name may be joined by - or _.
func keyOfFlag(name string) string {
	s, ok := tournament.SettingNamed(strings.ReplaceAll(strings.ToLower(name), "_", "-"))
	if !ok {
		return ""
	}
	return s.FileKey()
}

// configKeys returns the full names of a table's keys, including its tables.
func configKeys(table reflect.Type, prefix string) (keys []string) {
	for field := range table.Fields() {
		key := prefix + field.Tag.Get("toml")
		keys = append(keys, key)
		if t := element(field.Type); t.Kind() == reflect.Struct {
			keys = append(keys, configKeys(t, key+".")...)
		}
	}
	return keys
}

// element returns the type that a pointer points to, or the type of a list's elements.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// mismatch matches the library's error for a value of a wrong type.
var mismatch = regexp.MustCompile(`^toml: cannot decode TOML (.+?) into `)

// wrongValue describes the error of a value, or of the file's syntax.
func wrongValue(e *toml.DecodeError) string {
	found := mismatch.FindStringSubmatch(e.Error())
	if found == nil {
		return strings.TrimPrefix(e.Error(), "toml: ")
	}
	if key := e.Key(); len(key) == 1 { // a flag with the name of a table, such as strikes
		if set := keyOfFlag(key[0]); set != "" && set != key[0] {
			return fmt.Sprintf("is of type %s, want %s: did you mean %s?", found[1], wantedType(key), set)
		}
	}
	return fmt.Sprintf("is of type %s, want %s", found[1], wantedType(e.Key()))
}

// wantedType describes the values that are valid for a key.
func wantedType(key toml.Key) string {
	t := configType
	for _, name := range key {
		fields := slices.Collect(element(t).Fields())
		i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return strings.EqualFold(f.Tag.Get("toml"), name) })
		if i < 0 {
			return "another type"
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
	case reflect.Struct:
		return "a table, [" + strings.Join(key, ".") + "]"
	}
	if t.Kind() == reflect.Slice {
		return `a list of texts, such as ["random", "a=greedy"]`
	}
	return "a text in quotes"
}

func initEvent(c *cli.Context) error {
	if c.Args().Len() == 0 {
		_, err := fmt.Fprint(c.App.Writer, recipe.Template())
		return err
	}
	path := c.Args().First()
	err := cmdline.WriteFile(path, c.Bool("force"), func(w io.Writer) error {
		_, err := io.WriteString(w, recipe.Template())
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s: edit it, then run: %s event run --config %s\n", path, cmdline.ThisProgram(), cmdline.Quote(path))
	return err
}
