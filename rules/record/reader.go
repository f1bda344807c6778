package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// RecordReader reads games in the text form, one after another.
//
// A line that begins with [ is a tag; the tags come first and end at a blank
// line. A tag after that begins the next game. All tags may be left out: the
// rules are then gpcc2015, the board is 4x4 and empty, and the ending is mate
// if the defender is mated after the last move, else unfinished. Turn numbers
// may be left out as well. A comment goes from ; to the end of the line.
type Reader struct {
	in   *bufio.Reader
	line int // lines read so far
}

// NewRecordReader reads from r, more than it needs for one game.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReader(r)}
}

// Read reads the next game, whole, and plays it through. It returns io.EOF
// after the last one, a *RecordError for a game that is not right, after which
// the next one can still be read, and the error of the reader beneath.
func (rr *Reader) Read() (Record, error) {
	d := recordDraft{turn: 1}
	for {
		next, err := rr.in.Peek(1)
		if err == io.EOF || err == nil && next[0] == '[' && d.tagsOver {
			return d.record()
		}
		if err != nil {
			return Record{}, fmt.Errorf("record, line %d: %w", rr.line+1, err)
		}
		line, err := rr.in.ReadString('\n')
		if err != nil && err != io.EOF {
			return Record{}, fmt.Errorf("record, line %d: %w", rr.line+1, err)
		}
		rr.line++
		d.add(strings.TrimRight(line, "\r\n"), rr.line)
	}
}

// ParseRecord reads a text that holds one game, as RecordReader does. It
// returns a *RecordError if the game is not right, and another error if there
// is none or a second one.
func Parse(text string) (Record, error) {
	rr := NewReader(strings.NewReader(text))
	r, err := rr.Read()
	if err == io.EOF {
		return r, errors.New("record: the text is empty, want tags or moves")
	}
	if err != nil {
		return r, err
	}
	first := rr.line
	if _, err = rr.Read(); err != io.EOF {
		return Record{}, fmt.Errorf("record, line %d: a second game begins, want one", first+1)
	}
	return r, nil
}

// RecordError is what is wrong with a game in the text form, and where.
type Error struct {
	Line   int // from 1
	Column int // in bytes, from 1
	Turn   int // from 1; 0 for a tag
	Err    error
}

func (e *Error) Error() string {
	turn := ""
	if e.Turn > 0 {
		turn = fmt.Sprintf(" (turn %d)", e.Turn)
	}
	return fmt.Sprintf("record, line %d, column %d%s: %v", e.Line, e.Column, turn, e.Err)
}

// Unwrap is what is wrong.
func (e *Error) Unwrap() error { return e.Err }
