package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// kinds lists an empty message of every kind.
func kinds() []Message {
	return []Message{Hello{}, Welcome{}, Refusal{}, Start{}, Request{}, Move{}, Resign{}, Over{}, Error{}, Goodbye{}}
}

// Encode writes a message as a JSON object whose first field is its type.
func Encode(m Message) ([]byte, error) {
	switch m := m.(type) {
	case Request:
		return m.append(make([]byte, 0, 256)), nil
	case Move:
		if m.Search == nil {
			return m.append(make([]byte, 0, 96)), nil
		}
	}
	return marshal(m)
}

// marshal is Encode for any message.
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

// FormError says what is wrong with the form of a frame: its code is Malformed
// or UnknownType.
type FormError struct {
	Code    Code
	Problem string
}

func (e *FormError) Error() string { return e.Problem }

// Decode reads a message. Fields that it does not know are ignored. It returns
// a *FormError that names what is wrong and where.
func Decode(text []byte) (Message, error) {
	if m, ok := scan(text); ok {
		return m, nil
	}
	return unmarshal(text)
}

// unmarshal is Decode for any message in any form.
func unmarshal(text []byte) (Message, error) {
	if !utf8.Valid(text) {
		return nil, &FormError{Malformed, "the frame is not UTF-8"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, malformed("frame", err)
	}
	var kind string
	if fields["type"] == nil {
		return nil, &FormError{Malformed, `the field "type" is missing`}
	}
	if err := json.Unmarshal(fields["type"], &kind); err != nil {
		return nil, malformed(`field "type"`, err)
	}
	for _, m := range kinds() {
		if m.kind() == kind {
			return decode(text, fields, m)
		}
	}
	return nil, &FormError{UnknownType, fmt.Sprintf("there is no message of type %.40q", kind)}
}

// decode reads a message of m's kind.
func decode(text []byte, fields map[string]json.RawMessage, m Message) (Message, error) {
	target := reflect.New(reflect.TypeOf(m)).Elem()
	for field := range target.Type().Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := string(fields[name])
		if value == "" && option == "" {
			return nil, &FormError{Malformed, fmt.Sprintf("field %q of the %s is missing", name, m.kind())}
		}
		if value == "null" && field.Type.Kind() != reflect.Pointer && field.Type != reflect.TypeFor[json.RawMessage]() {
			return nil, &FormError{Malformed, fmt.Sprintf("field %q of the %s is null", name, m.kind())}
		}
	}
	if err := json.Unmarshal(text, target.Addr().Interface()); err != nil {
		return nil, malformed(m.kind(), err)
	}
	return target.Interface().(Message), nil
}

// malformed says where decoding failed.
func malformed(where string, err error) *FormError {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &FormError{Malformed, fmt.Sprintf("the %s is no JSON at byte %d: %v", where, syntax.Offset, err)}
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return &FormError{Malformed, fmt.Sprintf("field %q of the %s is a %s, want %v", mismatch.Field, where, mismatch.Value, kindInJSON(mismatch.Type))}
	case errors.As(err, &mismatch):
		return &FormError{Malformed, fmt.Sprintf("the %s is a JSON %s, want %v", where, mismatch.Value, kindInJSON(mismatch.Type))}
	}
	return &FormError{Malformed, fmt.Sprintf("the %s: %v", where, err)}
}

// kindInJSON names a type for those who write JSON.
func kindInJSON(t reflect.Type) string {
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
