package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// kinds lists an empty message of every kind.
func kinds() []Message {
	return []Message{Hello{}, Welcome{}, Refusal{}, Start{}, Request{}, Move{}, Over{}, Error{}, Goodbye{}}
}

// Encode writes a message as a JSON object whose first field is its type.
func Encode(m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encoding a %s: %w", m.kind(), err)
	}
	text := append([]byte(`{"type":"`+m.kind()+`",`), body[1:]...)
	return text, nil
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
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, malformed("", err)
	}
	if head.Type == nil {
		return nil, &FormError{Malformed, `the field "type" is missing`}
	}
	for _, m := range kinds() {
		if m.kind() != *head.Type {
			continue
		}
		target := reflect.New(reflect.TypeOf(m))
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(target.Interface()); err != nil {
			return nil, malformed(m.kind(), err)
		}
		return target.Elem().Interface().(Message), nil
	}
	return nil, &FormError{UnknownType, fmt.Sprintf("there is no message of type %.40q", *head.Type)}
}

// malformed says where decoding failed.
func malformed(kind string, err error) *FormError {
	where := "the frame"
	if kind != "" {
		where = "the " + kind
	}
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &FormError{Malformed, fmt.Sprintf("%s is no JSON at byte %d: %v", where, syntax.Offset, err)}
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return &FormError{Malformed, fmt.Sprintf("field %q of %s: a %s, want %v", mismatch.Field, where, mismatch.Value, mismatch.Type)}
	case errors.As(err, &mismatch):
		return &FormError{Malformed, fmt.Sprintf("%s is a JSON %s, want an object", where, mismatch.Value)}
	}
	return &FormError{Malformed, fmt.Sprintf("%s: %v", where, err)}
}
