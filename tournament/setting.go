package tournament

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"versus2048/tournament/rating"
)

// Setting describes one setting of an event once for all places where a user meets it: flags, the form of the pages,
// the file of an event, requests, the command that repeats an event, the facts on its page, shells and the documents.
// The tags of its field are its keys in files, requests and records.
type Setting struct {
	Name  string // the name of its flag and of its field in the form
	Label string // its name for people, in the form and on the page of an event, such as "Games at once"
	Help  string // the effect of the setting, as a phrase
	Group Group
	Rank  Rank

	Usual     string   // the value of an event that does not set it; "" for the zero value
	Otherwise string   // the usual value in words, if it depends on other settings
	Example   string   // the value in a file where the key is commented out
	Choices   []string // all values, or nil if they cannot be listed
	Formats   []string // the formats with this setting, or nil for all formats

	Least, Most int64 // the bounds of a whole number, or of a duration in nanoseconds; a Most of 0 sets no upper bound
	// NotZero reports that a given 0 is refused, since the recorded 0 stands for a number that was not given.
	NotZero bool
	// Always reports that the page of an event and the command that repeats it show even the usual value.
	Always bool
	// RequestOnly reports that the setting is in requests, but not in flags, files and the form.
	RequestOnly bool
	// Fact returns the words about the setting on the page of an event, or "" for none. If Fact is nil, the page shows
	// each value that is not the usual one.
	Fact func(e *Event) string

	field func(e *Event) any // a pointer to the field
}

// Group is the title of a group of settings in the help and in the form.
type Group string

// The groups.
const (
	BotGroup    Group = "The bots"
	FormatGroup Group = "Formats"
	GameGroup   Group = "How games begin and end"
	ClockGroup  Group = "Clocks and absences"
)

// Rank is the prominence of a setting.
type Rank int

// The ranks.
const (
	Rare  Rank = iota // the form shows it when asked
	Usual             // the form always shows it
	First             // the help shows it before all groups, too
)

// Field returns a pointer to the field of the event.
func (s *Setting) Field(e *Event) any { return s.field(e) }

// Value returns the setting of the event as a bool, an int, a uint64, a float64, a time.Duration, a list of texts or a
// text.
func (s *Setting) Value(e *Event) any {
	v := reflect.ValueOf(s.field(e)).Elem()
	switch value := v.Interface().(type) {
	case []string, bool, int, uint64, float64, time.Duration:
		return value
	case Millis:
		return time.Duration(value)
	case rating.SPRT:
		return value.Text()
	case fmt.Stringer:
		return value.String()
	}
	return v.String()
}

// Text returns the setting of the event as Set takes it.
func (s *Setting) Text(e *Event) string {
	if list, ok := s.Value(e).([]string); ok {
		return strings.Join(list, "\n")
	}
	return fmt.Sprint(s.Value(e))
}

// Set sets the setting of the event to the value that the text stands for. Its error explains the text, but does not
// name the setting.
func (s *Setting) Set(e *Event, text string) error { return SetText(s.field(e), text) }

// SetUsual sets the setting of the event to its usual value.
func (s *Setting) SetUsual(e *Event) error {
	reflect.ValueOf(s.field(e)).Elem().SetZero()
	if s.Usual == "" {
		return nil
	}
	return s.Set(e, s.Usual)
}

// IsZero reports whether the event has the zero value of the setting.
func (s *Setting) IsZero(e *Event) bool { return reflect.ValueOf(s.field(e)).Elem().IsZero() }

// IsUsual reports whether the event has the usual value of the setting.
func (s *Setting) IsUsual(e *Event) bool {
	var usual Event
	err := s.SetUsual(&usual)
	return err == nil && s.Text(&usual) == s.Text(e)
}

// InWords returns the words about the setting on the page of the event, or "" for none.
func (s *Setting) InWords(e *Event) string {
	switch {
	case s.Fact != nil:
		return s.Fact(e)
	case s.RequestOnly || !s.Always && s.IsUsual(e):
		return ""
	}
	switch value := s.Value(e).(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[value]
	case time.Duration:
		return ShortDuration(value)
	}
	return s.Text(e)
}

// Noun returns the label as it stands within a sentence.
func (s *Setting) Noun() string {
	first, size := utf8.DecodeRuneInString(s.Label)
	return string(unicode.ToLower(first)) + s.Label[size:]
}

// Meaning returns the help after the names of the formats that have the setting, if not all do.
func (s *Setting) Meaning() string {
	if s.Formats == nil {
		return s.Help
	}
	return strings.Join(s.Formats, ", ") + ": " + s.Help
}

// FileKey returns the full name of the setting's key in a file, such as plan.seeds, "" if it has none.
func (s *Setting) FileKey() string { return s.key("toml") }

// RequestKey returns the full name of the setting's key in a request, such as settings.plan.seeds.
func (s *Setting) RequestKey() string { return s.key("json") }

// key returns the full name of the key by the tags of that name.
func (s *Setting) key(tag string) string {
	var e Event
	return keyOfField(reflect.ValueOf(&e).Elem(), s.field(&e), tag)
}

// keyOfField returns the full name of the key for a field of a table, by the tags of that name, "" if there is none.
// pointer points to the field.
func keyOfField(table reflect.Value, pointer any, tag string) string {
	for field, value := range table.Fields() {
		key, option, _ := strings.Cut(field.Tag.Get(tag), ",")
		if key == "" && option == "" {
			key = strings.ToLower(field.Name)
		}
		switch {
		case key == "-" || !field.IsExported():
			continue
		case value.Addr().Interface() == pointer:
			return key
		case value.Kind() != reflect.Struct:
			continue
		}
		within := keyOfField(value, pointer, tag)
		switch {
		case within != "" && option == "inline":
			return within
		case within != "":
			return key + "." + within
		}
	}
	return ""
}

// checkBounds returns an error if the event has a number or a duration beyond the bounds of the setting.
func (s *Setting) checkBounds(e *Event) error {
	n, text, bound := int64(0), "", func(n int64) any { return n }
	switch value := s.Value(e).(type) {
	case int:
		n, text = int64(value), fmt.Sprintf("%d %s", value, s.Noun())
	case uint64:
		n, text = int64(min(value, math.MaxInt64)), fmt.Sprintf("%s %d", s.Noun(), value)
	case time.Duration:
		n, text = int64(value), fmt.Sprintf("%s %v", s.Noun(), value)
		bound = func(n int64) any { return time.Duration(n) }
	}
	switch {
	case n < 0 && s.Least == 0:
		return fmt.Errorf("%s: want no negative value", text)
	case n < s.Least:
		return fmt.Errorf("%s: want at least %v", text, bound(s.Least))
	case s.Most > 0 && n > s.Most:
		return fmt.Errorf("%s: want at most %v", text, bound(s.Most))
	}
	return nil
}

// SetText reads a value from a text into a field of an event. field is a pointer to it. The error explains the text.
func SetText(field any, text string) error {
	switch field := field.(type) {
	case *rating.SPRT:
		test, err := rating.ParseSPRT(text)
		*field = test
		return err
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(text))
	case *[]string:
		*field = nil
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				*field = append(*field, line)
			}
		}
		return nil
	}
	v := reflect.ValueOf(field).Elem()
	if v.Kind() == reflect.Int64 {
		return setDuration(v, text)
	}
	return setPlain(v, text)
}

func setDuration(v reflect.Value, text string) error {
	d, err := ParseDuration(text)
	if err == nil && d%time.Millisecond != 0 {
		err = fmt.Errorf("%v: want whole milliseconds", d)
	}
	v.SetInt(int64(d))
	return err
}

func setPlain(v reflect.Value, text string) (err error) {
	want := "a number"
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		var yes bool
		want = "true or false"
		yes, err = strconv.ParseBool(text)
		v.SetBool(yes)
	case reflect.Int:
		var n int64
		want = "a whole number"
		n, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
	case reflect.Uint64:
		var n uint64
		want = "a whole number from 0"
		n, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	}
	if err != nil {
		return fmt.Errorf("%.40q: want %s", text, want)
	}
	return nil
}
