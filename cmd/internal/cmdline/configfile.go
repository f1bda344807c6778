package cmdline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"versus2048/internal/disk"
	"versus2048/internal/text/plain"
	"versus2048/players"
)

// LongestConfig is the length in bytes of the longest file of settings. Requests that start an event have the same
// limit.
const LongestConfig = 1 << 20

// ConfigTable has the keys of a file of settings in TOML. Its errors name the line of a key or a value that is wrong,
// and the key that was meant.
type ConfigTable struct {
	// Type is a struct with a field for each key. The field has the key as its toml tag. A table is a struct. Any other
	// key is a pointer or a list if nil has to mean that the file does not have the key.
	Type reflect.Type
	// Meant returns the full name of the key that a user probably means by a word, such as the name of a flag. It
	// returns "" if there is none.
	Meant func(word string) string
	// List is a phrase on how to see all keys.
	List string
}

// ReadConfig returns the text of a file without its byte order mark. It returns an error if the file is longer than
// LongestConfig.
func ReadConfig(path string) ([]byte, error) {
	file, _, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, LongestConfig+1))
	if err == nil && len(text) > LongestConfig {
		err = fmt.Errorf("it is longer than %d bytes", LongestConfig)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plain.TrimBOM(text), nil
}

// Decode decodes the text of a file, and returns a struct of the table's type. Its errors name the file, the line and
// the key.
func (t ConfigTable) Decode(path string, text []byte) (reflect.Value, error) {
	file := reflect.New(t.Type)
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(file.Interface())
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		var all []error
		for i := range unknown.Errors {
			all = append(all, atKey(path, &unknown.Errors[i], t.unknown(unknown.Errors[i].Key())))
		}
		err = errors.Join(all...)
	case errors.As(err, &wrong):
		err = atKey(path, wrong, t.wrong(wrong))
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	}
	return file.Elem(), err
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

// unknown describes an unknown key, with the most similar known one.
func (t ConfigTable) unknown(key toml.Key) string {
	full, last := strings.Join(key, "."), key[len(key)-1]
	if set := t.Meant(last); set != "" {
		return fmt.Sprintf("unknown key: did you mean %s?", set)
	}
	known := ConfigKeys(t.Type)
	near := players.Nearest(full, known)
	for _, k := range known {
		if near == "" && strings.HasSuffix(k, "."+last) {
			near = k // found in the wrong table
		}
	}
	if near == "" {
		return "unknown key (" + t.List + ")"
	}
	return fmt.Sprintf("unknown key: did you mean %s?", near)
}

// ConfigKeys returns the full names of a table's keys, including the keys of its tables.
func ConfigKeys(table reflect.Type) []string { return keys(table, "") }

func keys(table reflect.Type, prefix string) (all []string) {
	for field := range table.Fields() {
		key := prefix + field.Tag.Get("toml")
		all = append(all, key)
		if t := element(field.Type); t.Kind() == reflect.Struct {
			all = append(all, keys(t, key+".")...)
		}
	}
	return all
}

// element returns the type that a pointer points to, or the type of a list's elements.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// mismatch matches the library's errors for a value of a wrong type.
var mismatch = regexp.MustCompile(`^toml: cannot (?:decode TOML (.+?) into|store an? (table|array table) in a) `)

// wrong describes the error of a value, or of the file's syntax.
func (t ConfigTable) wrong(e *toml.DecodeError) string {
	found := mismatch.FindStringSubmatch(e.Error())
	if found == nil {
		return strings.TrimPrefix(e.Error(), "toml: ")
	}
	key := e.Key()
	at, known := t.find(key)
	if known < len(key) { // as in addr.host = "a"
		return fmt.Sprintf("unknown key: %s is %s", strings.Join(key[:known], "."), validValue(at, key[:known]))
	}
	problem := fmt.Sprintf("is of type %s, want %s", found[1]+found[2], validValue(at, key))
	if known == 1 { // a flag with the name of a table, such as strikes
		if set := t.Meant(key[0]); set != "" && set != key[0] {
			problem += fmt.Sprintf(": did you mean %s?", set)
		}
	}
	return problem
}

// find follows the names of a key, from the first on, as far as the table knows them. It returns the type of the value
// there, and the number of known names.
func (t ConfigTable) find(key toml.Key) (at reflect.Type, known int) {
	for at = t.Type; known < len(key) && element(at).Kind() == reflect.Struct; known++ {
		fields := slices.Collect(element(at).Fields())
		i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return strings.EqualFold(f.Tag.Get("toml"), key[known]) })
		if i < 0 {
			break
		}
		at = fields[i].Type
	}
	return at, known
}

// validValue describes the values that a key of type t may have in the file.
func validValue(t reflect.Type, key toml.Key) string {
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

// ConfigPlace returns a file and the line with the value of a key, such as "serve.toml:7". key is a full name such as
// plan.kind. ConfigPlace returns the file alone if it does not have the key, or if the value is a table.
func ConfigPlace(path string, text []byte, key string) string {
	table := reflect.TypeFor[struct{}]() // in place of the value: the library's error about the wrong type has the line
	for _, name := range slices.Backward(strings.Split(key, ".")) {
		table = reflect.StructOf([]reflect.StructField{{Name: "Key", Type: table, Tag: reflect.StructTag(fmt.Sprintf("toml:%q", name))}})
	}
	var wrong *toml.DecodeError
	if !errors.As(toml.Unmarshal(text, reflect.New(table).Interface()), &wrong) {
		return path
	}
	line, _ := wrong.Position()
	return fmt.Sprintf("%s:%d", path, line)
}
