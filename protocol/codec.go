package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"versus2048/rules"
)

// Nearly all messages are requests and moves. Encode and Decode handle their
// usual form without reflection (appendRequest, appendMove, scan) and leave
// everything else to encoding/json (marshal, unmarshal). Both ways give the same
// result.

// Encode returns a message as a JSON object whose first field is its type.
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

// Decode parses a message. It ignores unknown fields. It returns a *FormatError
// that names the problem and where it is.
func Decode(text []byte) (Message, error) {
	if m, ok := scan(text); ok {
		return m, nil
	}
	return unmarshal(text)
}

// FormatError describes what is wrong with the format of a frame. Its code is
// Malformed or UnknownType.
type FormatError struct {
	Code    Code
	Problem string
}

func (e *FormatError) Error() string { return e.Problem }

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

// unmarshal decodes any message with encoding/json.
func unmarshal(text []byte) (Message, error) {
	if !utf8.Valid(text) {
		return nil, &FormatError{Malformed, "the frame is not UTF-8"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, malformed("frame", err)
	}
	var kind string
	if fields["type"] == nil {
		return nil, &FormatError{Malformed, `the field "type" is missing`}
	}
	if err := json.Unmarshal(fields["type"], &kind); err != nil {
		return nil, malformed(`field "type"`, err)
	}
	for _, m := range kinds() {
		if m.kind() == kind {
			return unmarshalAs(m, text, fields)
		}
	}
	return nil, &FormatError{UnknownType, fmt.Sprintf("there is no message of type %.40q", kind)}
}

// kinds returns an empty message of every kind.
func kinds() []Message {
	return []Message{Hello{}, Welcome{}, Refusal{}, Start{}, Request{}, Move{}, Resign{}, Over{}, Error{}, Goodbye{}}
}

// unmarshalAs decodes a message of m's kind. Unlike encoding/json alone, it
// rejects missing fields and null.
func unmarshalAs(m Message, text []byte, fields map[string]json.RawMessage) (Message, error) {
	target := reflect.New(reflect.TypeOf(m)).Elem()
	for field := range target.Type().Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := string(fields[name])
		if value == "" && option == "" {
			return nil, &FormatError{Malformed, fmt.Sprintf("field %q of the %s is missing", name, m.kind())}
		}
		if value == "null" && field.Type.Kind() != reflect.Pointer && field.Type != reflect.TypeFor[json.RawMessage]() {
			return nil, &FormatError{Malformed, fmt.Sprintf("field %q of the %s is null", name, m.kind())}
		}
	}
	if err := json.Unmarshal(text, target.Addr().Interface()); err != nil {
		return nil, malformed(m.kind(), err)
	}
	return target.Interface().(Message), nil
}

// malformed describes where decoding failed.
func malformed(where string, err error) *FormatError {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &FormatError{Malformed, fmt.Sprintf("the %s is no JSON at byte %d: %v", where, syntax.Offset, err)}
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return &FormatError{Malformed, fmt.Sprintf("field %q of the %s is a %s, want %v", mismatch.Field, where, mismatch.Value, jsonTypeName(mismatch.Type))}
	case errors.As(err, &mismatch):
		return &FormatError{Malformed, fmt.Sprintf("the %s is a JSON %s, want %v", where, mismatch.Value, jsonTypeName(mismatch.Type))}
	}
	return &FormatError{Malformed, fmt.Sprintf("the %s: %v", where, err)}
}

// jsonTypeName returns the JSON name of a Go type.
func jsonTypeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	}
	return "an integer"
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

// appendMove appends the JSON of a move to b. The move must not have a search
// report.
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

// isPlain reports whether every JSON encoder writes the byte unescaped in a
// string.
func isPlain(c byte) bool {
	return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}

// scan decodes a request or a move in its usual form. It reports false for other
// messages, and for requests and moves in an unusual or invalid form.
func scan(text []byte) (m Message, ok bool) {
	s := scanner{rest: text}
	s.expect('{')
	if s.text() != "type" {
		return nil, false
	}
	s.expect(':')
	required := 0 // the fields that must be present, as in scanner.seen
	switch s.text() {
	case Request{}.kind():
		m, required = s.request(), 1<<6-1
	case Move{}.kind():
		m, required = s.move(), 1<<3-1
	}
	s.expect('}')
	s.skipSpace()
	return m, m != nil && !s.failed && len(s.rest) == 0 && s.seen&required == required
}

// scanner decodes requests and moves in their usual form: the type comes first,
// nothing is escaped, and no field is unknown, missing or duplicated. It fails on
// anything else.
type scanner struct {
	rest   []byte
	seen   int // the fields read so far, one bit each
	failed bool
}

func (s *scanner) request() Message {
	var r Request
	for s.comma() {
		switch s.key() {
		case "game":
			r.Game = s.field(0).text()
		case "ply":
			r.Ply = s.field(1).number()
		case "board":
			r.Board = scanList(s.field(2), func() []int { return scanList(s, s.number) })
		case "score":
			r.Score = s.field(3).number()
		case "moves":
			r.Moves = scanList(s.field(4), s.notation)
		case "left_ms":
			r.LeftMS = s.field(5).numberOrNull()
		default:
			s.failed = true
		}
	}
	return r
}

func (s *scanner) move() Message {
	var m Move
	for s.comma() {
		switch s.key() {
		case "game":
			m.Game = s.field(0).text()
		case "ply":
			m.Ply = s.field(1).number()
		case "move":
			m.Move = s.field(2).text()
		case "spent_us":
			m.SpentUS = int64(s.field(3).number())
		default:
			s.failed = true
		}
	}
	return m
}

// key reads the name of a field and the colon after it.
func (s *scanner) key() string {
	name := s.text()
	s.expect(':')
	return name
}

// field notes that field i is present, and fails if it is a duplicate.
func (s *scanner) field(i int) *scanner {
	s.failed = s.failed || s.seen&(1<<i) != 0
	s.seen |= 1 << i
	return s
}

func (s *scanner) text() string {
	s.expect('"')
	n := 0
	for n < len(s.rest) && isPlain(s.rest[n]) {
		n++
	}
	text := string(s.rest[:n])
	s.rest = s.rest[n:]
	if len(s.rest) == 0 || s.rest[0] != '"' {
		s.failed = true
		return ""
	}
	s.rest = s.rest[1:]
	return text
}

// number reads a whole number from 0 to 999,999,999.
func (s *scanner) number() int {
	s.skipSpace()
	value, n := 0, 0
	for n < len(s.rest) && n < 10 && s.rest[n] >= '0' && s.rest[n] <= '9' {
		value = 10*value + int(s.rest[n]-'0')
		n++
	}
	s.failed = s.failed || n == 0 || n == 10 || n > 1 && s.rest[0] == '0'
	s.rest = s.rest[n:]
	return value
}

// numberOrNull reads a number, or null as nil.
func (s *scanner) numberOrNull() *int64 {
	s.skipSpace()
	if bytes.HasPrefix(s.rest, []byte("null")) {
		s.rest = s.rest[len("null"):]
		return nil
	}
	value := int64(s.number())
	return &value
}

func (s *scanner) notation() rules.Move {
	m, err := rules.ParseMove(s.text())
	s.failed = s.failed || err != nil
	return m
}

// scanList reads a JSON array, each element with read.
func scanList[T any](s *scanner, read func() T) []T {
	all := make([]T, 0, 4)
	s.expect('[')
	for more := !s.next(']'); more && !s.failed; more = s.comma() {
		all = append(all, read())
	}
	s.expect(']')
	return all
}

// comma reads a comma if that is the next byte, and reports whether it was.
func (s *scanner) comma() bool {
	found := s.next(',')
	if found {
		s.rest = s.rest[1:]
	}
	return found
}

// expect reads c, and fails if the next byte is another one.
func (s *scanner) expect(c byte) {
	if !s.next(c) {
		s.failed = true
		return
	}
	s.rest = s.rest[1:]
}

// next reports whether c is the next byte that is not white space.
func (s *scanner) next(c byte) bool {
	s.skipSpace()
	return !s.failed && len(s.rest) > 0 && s.rest[0] == c
}

func (s *scanner) skipSpace() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\t' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}
