package main

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
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
	text, err := cmdline.ReadConfig(path)
	if err != nil {
		return fmt.Errorf("the event's file: %w", err)
	}
	return parseConfig(path, text, e)
}

// configTable has the keys of a config file.
var configTable = cmdline.ConfigTable{Type: configType, Meant: keyOfFlag, List: "arena event init writes all keys"}

// configType is a struct with the keys of a config file, made from the toml tags of tournament.Event. The library
// decodes a file into this struct, and its values are then copied into an event. So durations, sizes and rule sets can
// be texts, an error about a value of a wrong type names its line, and a key that the file lacks is nil.
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

// configValue returns the type that configType has for a field of type t.
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
	file, err := configTable.Decode(path, text)
	if err != nil {
		return err
	}
	return configFile{path, text}.copyTable(reflect.ValueOf(e).Elem(), file, "")
}

// parseEvening is parseConfig for a file that also has the table [evening]. table points to the struct for that table.
func parseEvening(path string, text []byte, e *tournament.Event, table any) error {
	evening := reflect.ValueOf(table).Elem()
	with := configTable
	with.Type = reflect.StructOf(append(configFields(reflect.TypeFor[tournament.Event]()), reflect.StructField{Name: "Evening", Type: evening.Type(), Tag: `toml:"evening"`}))
	with.Meant = func(word string) string {
		if word == "bot" {
			return "evening.bots" // the bots of an evening connect by themselves
		}
		return keyOfFlag(word)
	}
	file, err := with.Decode(path, text)
	if err != nil {
		return err
	}
	evening.Set(file.FieldByName("Evening"))
	return configFile{path, text}.copyTable(reflect.ValueOf(e).Elem(), file, "")
}

// configFile is a config file. Its methods copy the decoded values.
type configFile struct {
	path string
	text []byte // for the lines in errors
}

// copyTable copies the values of a table of the file into a struct. prefix begins the full names of the table's keys.
func (f configFile) copyTable(to, from reflect.Value, prefix string) error {
	for field, value := range to.Fields() {
		var err error
		switch key := configKey(field); key {
		case "-":
		case inline:
			err = f.copyTable(value, from, prefix)
		default:
			err = f.copyValue(value, from.FieldByName(field.Name), prefix+key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyValue copies the value of a key of the file, if the file has it.
func (f configFile) copyValue(to, from reflect.Value, key string) error {
	switch {
	case from.Kind() == reflect.Struct:
		return f.copyTable(to, from, key+".")
	case from.IsNil():
	case from.Kind() == reflect.Slice && from.Type() != to.Type():
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			if err := f.copyValue(to.Index(i), from.Index(i), key); err != nil {
				return err
			}
		}
	case from.Kind() == reflect.Slice:
		to.Set(from)
	case isText(to.Type()):
		if err := tournament.SetText(to.Addr().Interface(), from.Elem().String()); err != nil {
			return fmt.Errorf("%s: %s: %w", cmdline.ConfigPlace(f.path, f.text, key), key, err)
		}
	default:
		to.Set(from.Elem())
	}
	return nil
}

// keyOfFlag returns the full name of a flag's key in a config file, such as plan.kind for format, and "" if there is no
// such flag. The case of name does not matter, and - and _ both join its words.
func keyOfFlag(name string) string {
	s, ok := tournament.SettingNamed(strings.ReplaceAll(strings.ToLower(name), "_", "-"))
	if !ok {
		return ""
	}
	return s.FileKey()
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
