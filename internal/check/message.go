package check

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// message is a message of the checker to a bot. It can be written as a line (a word, more words, then keys with
// values) or as a JSON object (a type, then fields). A style varies the text of the line or object within the rules of
// the protocol.
type message struct {
	word   string
	more   []string // words of a line before its keys; a JSON object has none
	fields []field
}

// field is a key with its value. A JSON object has the value in JSON, a line has it as %v prints it.
type field struct {
	key   string
	value any
}

func (m message) add(key string, value any) message {
	m.fields = append(slices.Clone(m.fields), field{key, value})
	return m
}

// style is an unusual way of writing messages, which a bot has to understand, too. The zero style is the usual way.
type style struct {
	unknown  bool // more fields than the protocol has
	reversed bool // the fields in the opposite order
	escaped  bool // the characters in JSON strings as escapes, see escape
	spaced   bool // more white space than needed
	crlf     bool // lines that end with \r\n
	pieces   bool // in several writes, or fragments
	optional bool // the fields that may be absent are present
}

// line writes the message as a line without its end.
func (m message) line(s style) string {
	fields := slices.Clone(m.fields)
	if s.unknown {
		fields = slices.Insert(fields, min(1, len(fields)), field{"x_before", "1"})
		fields = append(fields, field{"x-after", "(1,1)/N"}, field{"flag", "go"})
	}
	if s.reversed {
		slices.Reverse(fields)
	}
	words := append([]string{m.word}, m.more...)
	for _, f := range fields {
		words = append(words, fmt.Sprintf("%s=%v", f.key, f.value))
	}
	if s.spaced {
		return strings.Join(words, "  \t") + "  "
	}
	return strings.Join(words, " ")
}

// object writes the message as a JSON object.
func (m message) object(s style) string {
	fields := append([]field{{"type", m.word}}, m.fields...)
	if s.unknown {
		deep := map[string]any{"list": []any{1.5, nil, "}\"]", map[string]any{"type": "goodbye"}}}
		fields = slices.Insert(fields, 1, field{"x_before", deep})
		fields = append(fields, field{"x_list", []any{}}, field{"x_after", nil})
	}
	if s.reversed {
		slices.Reverse(fields)
	}
	comma, colon, open, end := ",", ":", "{", "}"
	if s.spaced {
		comma, colon, open, end = " ,\n\t", " :\r\n ", " {\n", " }\n"
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			panic(err) // the checker's own values
		}
		key, text := `"`+f.key+`"`, string(value)
		if s.escaped {
			key, text = escape(key), escape(text)
		}
		parts[i] = key + colon + text
	}
	return open + strings.Join(parts, comma) + end
}

var (
	jsonString    = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	jsonCharacter = regexp.MustCompile(`\\u[0-9a-f]{4}|\\.|.`) // within a string, which has no line breaks
)

// escape writes each character in the strings of a JSON text as \uXXXX. Characters above U+FFFF and escapes such as \"
// and \u003c stay as they are.
func escape(text string) string {
	return jsonString.ReplaceAllStringFunc(text, func(quoted string) string {
		return `"` + jsonCharacter.ReplaceAllStringFunc(quoted[1:len(quoted)-1], func(c string) string {
			r, size := utf8.DecodeRuneInString(c)
			if size < len(c) || r >= 0x10000 {
				return c
			}
			return fmt.Sprintf(`\u%04x`, r)
		}) + `"`
	})
}

// coded writes a text as one word of a line.
func coded(text string) string { return url.PathEscape(text) }
