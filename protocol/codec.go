package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// Nearly all messages are requests and moves. Encode and Decode handle their usual form without reflection
// (appendRequest, appendMove, scan) and leave everything else to encoding/json (marshal, unmarshal). Both ways
// give the same result.

// Encode returns a message as a JSON object. The first field of the object is the type. It returns an error if a field
// has no form in JSON, such as a search report that is not JSON.
func Encode(m Message) ([]byte, error) {
	switch m := m.(type) {
	case Request:
		return appendRequest(make([]byte, 0, 256), m), nil
	case Move:
		if m.Search == nil {
			return appendMove(make([]byte, 0, 96), m), nil
		}
	}
	return marshal(m)
}

// Decode parses a message of either end. It ignores unknown fields. For a malformed message it
// returns a *FormatError that names the problem and its place.
func Decode(text []byte) (Message, error) { return decode(text, fromBot|fromArena) }

// decode parses a message that one of the given ends may send. It rejects a
// message that is too long before it looks at anything else.
func decode(text []byte, from sender) (Message, error) {
	if longest := from.longest(); len(text) > longest {
		return nil, malformedf("a message of %d bytes, want at most %d", len(text), longest)
	}
	switch m, _ := scan(text); m.(type) {
	case Move:
		if from&fromBot != 0 && len(text) <= maxMove {
			return m, nil
		}
	case Request:
		if from&fromArena != 0 {
			return m, nil
		}
	}
	return unmarshal(text, from)
}

// FormatError describes a message that an arena counts as a strike. Its code is Malformed or UnknownType for a
// message of bad form, and UnknownGame or NotAsked for an answer without a request.
type FormatError struct {
	Code    Code
	Problem string
	game    string // of an answer without a request
	ply     *int
}

func (e *FormatError) Error() string { return e.Problem }

// repeated describes a bot that repeats this error. The text fits into a close frame.
func (e *FormatError) repeated() string {
	if e.Code == UnknownGame || e.Code == NotAsked {
		return "answered more often than asked"
	}
	return "messages of bad form"
}

func malformedf(format string, args ...any) *FormatError {
	return &FormatError{Code: Malformed, Problem: fmt.Sprintf(format, args...)}
}

func unknownTypef(format string, args ...any) *FormatError {
	return &FormatError{Code: UnknownType, Problem: fmt.Sprintf(format, args...)}
}

// marshal encodes any message with encoding/json.
func marshal(m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encoding a %s: %w", m.kind(), err)
	}
	head := `{"type":"` + m.kind() + `"`
	if len(body) > len("{}") {
		head += ","
	}
	return append([]byte(head), body[1:]...), nil
}

// unmarshal decodes any message with encoding/json. First it splits the message into its fields and
// checks their number and the type. Then it decodes each field by its exact name.
func unmarshal(text []byte, from sender) (Message, error) {
	text = plain.TrimBOM(text)
	if !utf8.Valid(text) {
		return nil, malformedf("the frame is not UTF-8")
	}
	fields, err := splitFields(text)
	if err != nil {
		return nil, err
	}
	kind, err := kindOf(fields["type"], from)
	if err != nil {
		return nil, err
	}
	if want := kind.bound(fields); len(text) > want {
		return nil, malformedf("the %s has %d bytes, want at most %d", kind.message.kind(), len(text), want)
	}
	return unmarshalAs(kind.message, text, fields)
}

// kindOf returns the kind of message that the field "type" names.
func kindOf(value []byte, from sender) (messageKind, error) {
	if value == nil {
		return messageKind{}, malformedf(`the field "type" is missing`)
	}
	var name string
	if err := json.Unmarshal(value, &name); err != nil {
		return messageKind{}, malformed(`field "type"`, err)
	}
	for _, k := range messageKinds() {
		if k.message.kind() != name {
			continue
		}
		if k.from&from == 0 {
			return k, unknownTypef("%v must not send a %s", from, name)
		}
		return k, nil
	}
	return messageKind{}, unknownTypef("there is no message of type %.40q", name)
}

// unmarshalAs decodes a message of m's kind. Unlike encoding/json alone, it matches the names of fields exactly, so
// that it ignores a field "NAME". It rejects the lack of a field that may not be omitted, and null except for pointers
// and raw JSON.
func unmarshalAs(m Message, text []byte, fields map[string][]byte) (Message, error) {
	if err := json.Unmarshal(text, new(struct{})); err != nil {
		return nil, malformed(m.kind(), err)
	}
	target := reflect.New(reflect.TypeOf(m)).Elem()
	for field, into := range target.Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := fields[name]
		switch {
		case value == nil && option == "":
			return nil, malformedf("field %q of the %s is missing", name, m.kind())
		case value == nil:
			continue
		case string(value) == "null" && field.Type.Kind() != reflect.Pointer && field.Type != reflect.TypeFor[json.RawMessage]():
			return nil, malformedf("field %q of the %s is null", name, m.kind())
		}
		if err := json.Unmarshal(value, into.Addr().Interface()); err != nil {
			return nil, malformed(m.kind(), inField(name, err))
		}
	}
	return target.Interface().(Message), nil
}

// inField names the field of a value that could not be decoded.
func inField(name string, err error) error {
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		mismatch.Field = strings.TrimSuffix(name+"."+mismatch.Field, ".")
	}
	return err
}

// malformed describes where decoding failed.
func malformed(where string, err error) *FormatError {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return malformedf("the %s is no JSON at byte %d: %v", where, syntax.Offset, err)
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return malformedf("field %q of the %s is %s, want %v", mismatch.Field, where, withArticle(mismatch.Value), jsonTypeName(mismatch.Type))
	case errors.As(err, &mismatch):
		return malformedf("the %s is a JSON %s, want %v", where, mismatch.Value, jsonTypeName(mismatch.Type))
	}
	return malformedf("the %s: %v", where, err)
}

// withArticle puts a or an before the name of a JSON type.
func withArticle(name string) string {
	if strings.HasPrefix(name, "array") || strings.HasPrefix(name, "object") {
		return "an " + name
	}
	return "a " + name
}

// jsonTypeName returns the JSON name of a Go type.
func jsonTypeName(t reflect.Type) string {
	return cmp.Or(map[reflect.Kind]string{
		reflect.Map: "an object", reflect.Struct: "an object", reflect.Slice: "an array",
		reflect.Bool: "true or false", reflect.String: "a string",
	}[t.Kind()], "an integer")
}

// appendRequest appends the JSON of a request to b.
func appendRequest(b []byte, r Request) []byte {
	b = appendString(append(b, `{"type":"request","game":`...), r.Game)
	b = strconv.AppendInt(append(b, `,"ply":`...), int64(r.Ply), 10)
	b = appendList(append(b, `,"board":`...), r.Board, appendRow)
	b = strconv.AppendInt(append(b, `,"score":`...), int64(r.Score), 10)
	b = appendList(append(b, `,"moves":`...), r.Moves, func(b []byte, m rules.Move) []byte { return appendString(b, m.String()) })
	b = append(b, `,"left_ms":`...)
	if r.LeftMS == nil {
		return append(b, `null}`...)
	}
	return append(strconv.AppendInt(b, *r.LeftMS, 10), '}')
}

// appendMove appends the JSON of a move to b. The move must not have a search report.
func appendMove(b []byte, m Move) []byte {
	b = appendString(append(b, `{"type":"move","game":`...), m.Game)
	b = strconv.AppendInt(append(b, `,"ply":`...), int64(m.Ply), 10)
	b = appendString(append(b, `,"move":`...), m.Move)
	if m.SpentUS != 0 {
		b = strconv.AppendInt(append(b, `,"spent_us":`...), m.SpentUS, 10)
	}
	return append(b, '}')
}

func appendRow(b []byte, row []int) []byte {
	return appendList(b, row, func(b []byte, tile int) []byte { return strconv.AppendInt(b, int64(tile), 10) })
}

// appendList appends a JSON array, each element with appendElement.
func appendList[T any](b []byte, list []T, appendElement func([]byte, T) []byte) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, element := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendElement(b, element)
	}
	return append(b, ']')
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if !isPlain(s[i]) {
			quoted, _ := json.Marshal(s) // marshalling a string cannot fail
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// isPlain reports whether a byte is a printable ASCII character that encoding/json writes unescaped.
func isPlain(c byte) bool {
	return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}
