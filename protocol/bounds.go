package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// sender is one end of a connection, or both ends.
type sender int

const (
	fromBot sender = 1 << iota
	fromArena
)

func (s sender) String() string {
	return cmp.Or(map[sender]string{fromBot: "a bot", fromArena: "an arena"}[s], "either end")
}

// longest returns the length in bytes of the longest message that s may send.
func (s sender) longest() int {
	if s&fromArena != 0 {
		return maxArenaFrame
	}
	return maxSearchMove
}

// messageKind is a kind of message, with its sender and its greatest length in bytes.
type messageKind struct {
	message Message // an empty one
	from    sender
	bytes   int
}

// The bounds of a bot's messages. They are also in docs/PROTOCOL.md.
const (
	maxFields     = 64       // fields of a message, unknown ones included
	maxMove       = 2 << 10  // bytes of a move without a search report, and of a resign
	maxSearchMove = 16 << 10 // of a move with a report: the longest report is below 6 KiB, the rest is for white space
	maxHello      = 12 << 10 // of a hello: all fields at their longest, each character escaped
	maxSentence   = 4 << 10  // of an error or a goodbye
)

// messageKinds returns all kinds of messages. A kind that only arenas send may be as long as a frame: bots trust them.
func messageKinds() []messageKind {
	return []messageKind{
		{Move{}, fromBot, maxMove},
		{Hello{}, fromBot, maxHello},
		{Resign{}, fromBot, maxMove},
		{Error{}, fromBot | fromArena, maxSentence},
		{Goodbye{}, fromBot | fromArena, maxSentence},
		{Welcome{}, fromArena, maxArenaFrame},
		{Refusal{}, fromArena, maxArenaFrame},
		{Start{}, fromArena, maxArenaFrame},
		{Request{}, fromArena, maxArenaFrame},
		{Over{}, fromArena, maxArenaFrame},
	}
}

// bound returns the greatest length in bytes of a message of kind k with these fields.
func (k messageKind) bound(fields map[string][]byte) int {
	if _, isMove := k.message.(Move); isMove && fields["search"] != nil {
		return maxSearchMove
	}
	return k.bytes
}

// splitFields returns the value of each field of a JSON object as it is written in text. It reads each byte once and
// does not check the values. It returns a *FormatError if text is no object, or one with more than maxFields fields.
func splitFields(text []byte) (map[string][]byte, error) {
	s := scanner{rest: text}
	fields := make(map[string][]byte, 8)
	s.expect('{')
	for n, more := 0, !s.next('}'); more && !s.failed; more = s.comma() {
		if n++; n > maxFields {
			return nil, malformedf("the message has more than %d fields", maxFields)
		}
		name := s.name()
		s.expect(':')
		fields[name] = s.value()
	}
	s.expect('}')
	s.skipSpace()
	if s.failed || len(s.rest) > 0 {
		return nil, notAnObject(text)
	}
	return fields, nil
}

// notAnObject returns the reason why text is not one JSON object.
func notAnObject(text []byte) error {
	var object struct{}
	if err := json.Unmarshal(text, &object); err != nil {
		return malformed("frame", err)
	}
	return malformedf("the frame is no JSON object")
}

// name reads the name of a field, which may have escapes.
func (s *scanner) name() (name string) {
	s.skipSpace()
	quoted := s.value()
	if len(quoted) == 0 || quoted[0] != '"' || json.Unmarshal(quoted, &name) != nil {
		s.failed = true
	}
	return name
}

// value reads any JSON value and returns its text. It checks only that brackets and quotes end.
func (s *scanner) value() []byte {
	s.skipSpace()
	depth, n := 0, 0
	for n < len(s.rest) {
		switch s.rest[n] {
		case '"':
			n += stringLength(s.rest[n:]) - 1
		case '[', '{':
			depth++
		case ']', '}', ',', ':':
			if depth == 0 {
				return s.take(n)
			}
			if s.rest[n] == ']' || s.rest[n] == '}' {
				depth--
			}
		}
		n++
	}
	s.failed = true
	return nil
}

// take reads the next n bytes and returns them without the white space at their end.
func (s *scanner) take(n int) []byte {
	taken := bytes.TrimRight(s.rest[:n], " \n\t\r")
	s.rest = s.rest[n:]
	s.failed = s.failed || len(taken) == 0
	return taken
}

// stringLength returns the length of the JSON string that text begins with,
// quotes included, or of text if the string does not end.
func stringLength(text []byte) int {
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(text)
}
