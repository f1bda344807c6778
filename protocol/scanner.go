package protocol

import (
	"bytes"

	"versus2048/rules"
)

// scanner reads requests and moves in the form that nearly all have: the type
// comes first, and nothing in them is escaped, unknown, missing or told twice.
// Anything else is odd, and left to encoding/json.
type scanner struct {
	rest []byte
	seen int // fields, a bit each
	odd  bool
}

// scan reads a request or a move. It is not ok if that is odd, or something
// else.
func scan(text []byte) (m Message, ok bool) {
	s := scanner{rest: text}
	s.take('{')
	if s.text() != "type" {
		return nil, false
	}
	s.take(':')
	all := 0
	switch s.text() {
	case Request{}.kind():
		m, all = s.request(), 1<<6-1
	case Move{}.kind():
		m, all = s.move(), 1<<3-1
	}
	s.take('}')
	s.space()
	return m, m != nil && !s.odd && len(s.rest) == 0 && s.seen&all == all
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
			r.Board = list(s.field(2), func() []int { return list(s, s.number) })
		case "score":
			r.Score = s.field(3).number()
		case "moves":
			r.Moves = list(s.field(4), s.notation)
		case "left_ms":
			r.LeftMS = s.field(5).orNull()
		default:
			s.odd = true
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
			s.odd = true
		}
	}
	return m
}

// field notes that a field is there.
func (s *scanner) field(i int) *scanner {
	s.odd = s.odd || s.seen&(1<<i) != 0
	s.seen |= 1 << i
	return s
}

// key reads a field's name and its colon.
func (s *scanner) key() string {
	name := s.text()
	s.take(':')
	return name
}

func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\t' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}

// at tells whether c comes next.
func (s *scanner) at(c byte) bool {
	s.space()
	return !s.odd && len(s.rest) > 0 && s.rest[0] == c
}

// take reads c, which must come next.
func (s *scanner) take(c byte) {
	if !s.at(c) {
		s.odd = true
		return
	}
	s.rest = s.rest[1:]
}

// comma reads a comma, if one comes next.
func (s *scanner) comma() bool {
	found := s.at(',')
	if found {
		s.rest = s.rest[1:]
	}
	return found
}

func (s *scanner) text() string {
	s.take('"')
	n := 0
	for n < len(s.rest) && plain(s.rest[n]) {
		n++
	}
	text := string(s.rest[:n])
	s.rest = s.rest[n:]
	if len(s.rest) == 0 || s.rest[0] != '"' {
		s.odd = true
		return ""
	}
	s.rest = s.rest[1:]
	return text
}

// number reads a whole number from 0 to 999,999,999.
func (s *scanner) number() int {
	s.space()
	value, n := 0, 0
	for n < len(s.rest) && n < 10 && s.rest[n] >= '0' && s.rest[n] <= '9' {
		value = 10*value + int(s.rest[n]-'0')
		n++
	}
	s.odd = s.odd || n == 0 || n == 10 || n > 1 && s.rest[0] == '0'
	s.rest = s.rest[n:]
	return value
}

// orNull reads a number or null.
func (s *scanner) orNull() *int64 {
	s.space()
	if bytes.HasPrefix(s.rest, []byte("null")) {
		s.rest = s.rest[len("null"):]
		return nil
	}
	value := int64(s.number())
	return &value
}

func (s *scanner) notation() rules.Move {
	m, err := rules.ParseMove(s.text())
	s.odd = s.odd || err != nil
	return m
}

// list reads a list, each element by read.
func list[T any](s *scanner, read func() T) []T {
	all := make([]T, 0, 4)
	s.take('[')
	for more := !s.at(']'); more && !s.odd; more = s.comma() {
		all = append(all, read())
	}
	s.take(']')
	return all
}
