package protocol

import (
	"bytes"

	"versus2048/rules"
)

// scan decodes a request or a move in its usual form. It reports false for other
// messages, and for requests and moves in an unusual or invalid form.
func scan(text []byte) (m Message, ok bool) {
	s := scanner{rest: text}
	s.expect('{')
	if s.key() != "type" {
		return nil, false
	}
	required := 0 // the fields that must be present, as in scanner.seen
	switch s.text() {
	case Request{}.kind():
		m, required = s.request(), 1<<6-1
	case Move{}.kind():
		m, required = s.move(), 1<<3-1
	}
	s.expect('}')
	s.skipSpace()
	if m == nil || s.failed || len(s.rest) > 0 || s.seen&required != required {
		return nil, false
	}
	return m, true
}

// scanner decodes requests and moves in their usual form: the type comes first, nothing is escaped, and no field is
// unknown, missing or duplicated. It fails on anything else. splitFields uses it to read any message.
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
	return new(int64(s.number()))
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
