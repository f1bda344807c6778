package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// WriteText writes the game in the text form: one tag per line, a blank line, the numbered turns, and another blank
// line, so that several games can be written one after another. The Result is the defender's score. WriteText leaves
// out tags without a value. It also leaves out times, pauses and search reports, which the text form does not have. It
// returns w's error, and an error if the game does not replay or a value is out of range.
func (r *Record) WriteText(w io.Writer) error {
	f, err := newForm(r)
	if err != nil {
		return fmt.Errorf("record of game %q: %w", r.Game, err)
	}
	var b bytes.Buffer
	for _, t := range f.tags() {
		if *t.value != "" {
			fmt.Fprintf(&b, "[%s %q]\n", t.name, *t.value)
		}
	}
	b.WriteByte('\n')
	writeTurns(&b, r.Moves)
	_, err = w.Write(b.Bytes())
	return err
}

// tag is a value on a line of its own before the turns.
type tag struct {
	name  string
	value *string
}

// tags returns the tags of the text form in the order of their lines.
func (f *recordForm) tags() []tag {
	return []tag{
		{"Event", &f.Event},
		{"Game", &f.Game},
		{"Date", &f.Date},
		{"Attacker", &f.Attacker},
		{"Defender", &f.Defender},
		{"AttackerSeed", (*string)(&f.AttackerSeed)},
		{"DefenderSeed", (*string)(&f.DefenderSeed)},
		{"Rules", &f.Rules},
		{"Size", &f.Size},
		{"Start", &f.Start},
		{"Result", (*string)(&f.Score)},
		{"Winner", &f.Winner},
		{"Ending", &f.Ending},
		{"Detail", &f.Detail},
	}
}

// textWidth is the width of the lines with the turns, in columns.
const textWidth = 80

func writeTurns(b *bytes.Buffer, moves []rules.Move) {
	column := 0
	for n := 1; len(moves) > 0; n++ {
		var turn string
		turn, moves = cutTurn(moves)
		turn = fmt.Sprintf("%d. %s", n, turn)
		switch {
		case column == 0:
		case column+1+len(turn) > textWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(turn)
		column += len(turn)
	}
	if column > 0 {
		b.WriteString("\n\n")
	}
}

// cutTurn returns the first turn in the notation and the moves after it. Dots stand for a placement before the
// start of the game.
func cutTurn(moves []rules.Move) (turn string, rest []rules.Move) {
	switch {
	case moves[0].IsSlide():
		return "... " + moves[0].String(), moves[1:]
	case len(moves) == 1:
		return moves[0].String(), nil
	default:
		return moves[0].String() + " " + moves[1].String(), moves[2:]
	}
}

// Reader reads games in the text form, one after another.
//
// A line that begins with [ is a tag. The tags come first and end at a blank line; a later tag begins the next
// game. All tags may be left out: the rules are then gpcc2015, the board is 4x4 and empty, and the ending is
// mate if the defender is mated after the last move, else unfinished. Turn numbers may be left out as well. A
// comment goes from ; to the end of the line.
type Reader struct {
	in   *bufio.Reader
	line int // lines read so far
}

// maxLine is the length in bytes of the longest line. The longest game fits into one.
const maxLine = 4 << 20

// NewReader returns a Reader of the games in r. It buffers: it may read more from r
// than the games it has returned.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReader(plain.WithoutBOM(r))}
}

// Read reads and replays the next game. It returns io.EOF after the last game. It returns an *Error for an invalid
// game, and the next call then reads the game after that. It returns another error, with the number of the line, if
// the underlying reader fails or if a line is longer than 4 MiB.
func (rr *Reader) Read() (Record, error) {
	d := draft{turn: 1}
	for {
		next, err := rr.in.Peek(1)
		if err == io.EOF || err == nil && next[0] == '[' && d.tagsOver {
			return d.record()
		}
		if err != nil {
			return Record{}, fmt.Errorf("record, line %d: %w", rr.line+1, err)
		}
		line, err := plain.ReadLine(rr.in, maxLine)
		if err != nil && err != io.EOF {
			return Record{}, fmt.Errorf("record, line %d: %w", rr.line+1, err)
		}
		rr.line++
		d.add(strings.TrimRight(string(line), "\r\n"), rr.line)
	}
}

// Parse reads a text that holds one game, as Reader does. It returns an *Error for
// an invalid game, and another error if there is no game or more than one.
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
	_, err = rr.Read()
	if err == io.EOF {
		return r, nil
	}
	if invalid := (*Error)(nil); err != nil && !errors.As(err, &invalid) {
		return Record{}, err
	}
	return Record{}, fmt.Errorf("record, line %d: a second game begins, want one", first+1)
}

// Error is an error in a game in the text form, with its place in the text.
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

// Unwrap returns the error without its place.
func (e *Error) Unwrap() error { return e.Err }

// draft is a game in the text form that has been read in part.
type draft struct {
	form     recordForm
	tags     map[string]location // of each tag
	moves    []location          // of each move
	tagsOver bool
	turn     int    // number of the turn that is being read
	placed   bool   // whether this turn's placement, or dots in its place, have been read
	err      *Error // the first error
}

// location is a place in a text.
type location struct{ line, column, turn int }

func (at location) wrap(err error) *Error {
	return &Error{Line: at.line, Column: at.column, Turn: at.turn, Err: err}
}

// turnToken matches a turn number, or else everything up to the next space.
var turnToken = regexp.MustCompile(`[0-9]+\.|[^\s]+`)

// add reads a line.
func (d *draft) add(line string, number int) {
	if strings.HasPrefix(line, "[") {
		at := location{line: number, column: 1}
		d.note(at, d.addTag(line, at))
		return
	}
	text, _, commented := strings.Cut(line, ";")
	for end := 0; d.err == nil; {
		span := turnToken.FindStringIndex(text[end:])
		if span == nil {
			break
		}
		at := location{number, end + span[0] + 1, d.turn}
		d.note(at, d.addToken(text[end+span[0]:end+span[1]], at))
		end += span[1]
	}
	// The tags are over after a line of turns, and after a blank line that follows a tag.
	blank := strings.TrimSpace(text) == ""
	if !blank || !commented && (len(d.tags) > 0 || d.err != nil) {
		d.tagsOver = true
	}
}

// note keeps the first error.
func (d *draft) note(at location, err error) {
	if d.err == nil && err != nil {
		d.err = at.wrap(err)
	}
}

func (d *draft) addTag(line string, at location) error {
	name, value, err := parseTag(line)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range d.form.tags() {
		if t.name == name {
			return d.setTag(t, value, at)
		}
		names = append(names, t.name)
	}
	return fmt.Errorf("tag %q: want one of %v", name, names)
}

func (d *draft) setTag(t tag, value string, at location) error {
	if first, twice := d.tags[t.name]; twice {
		return fmt.Errorf("tag %q appears on line %d already, want it once", t.name, first.line)
	}
	if d.tags == nil {
		d.tags = make(map[string]location)
	}
	d.tags[t.name] = at
	*t.value = value
	return nil
}

// parseTag reads a line such as [Event "..."], with the value quoted as in Go.
func parseTag(line string) (name, value string, err error) {
	name, rest, _ := strings.Cut(line[1:], " ")
	rest = strings.TrimLeft(rest, " ")
	quoted, err := strconv.QuotedPrefix(rest)
	if err == nil && quoted[0] == '"' {
		end, _, _ := strings.Cut(rest[len(quoted):], ";")
		if strings.TrimSpace(end) == "]" {
			value, err = strconv.Unquote(quoted)
			return name, value, err
		}
	}
	return "", "", fmt.Errorf("tag %.200q: want [Name \"value\"]", line)
}

// addToken reads a turn number, a move, or the dots that stand for a placement before the start of the game.
func (d *draft) addToken(token string, at location) error {
	switch {
	case token[0] >= '0' && token[0] <= '9':
		return d.addNumber(token)
	case token == "..." && len(d.moves) == 0 && !d.placed:
		d.placed = true
		return nil
	}
	m, err := rules.ParseMove(token)
	if err != nil {
		return err
	}
	if len(d.moves) == MaxPlies {
		return fmt.Errorf("move %v: no game has more than %d plies", m, MaxPlies)
	}
	if !m.IsSlide() && d.placed {
		return fmt.Errorf("placement %v: want the slide of this turn, N, S, W or E", m)
	}
	d.form.Moves = append(d.form.Moves, token)
	d.moves = append(d.moves, at)
	d.placed = !m.IsSlide()
	if m.IsSlide() {
		d.turn++
	}
	return nil
}

func (d *draft) addNumber(token string) error {
	if want := fmt.Sprintf("%d.", d.turn); token != want {
		return fmt.Errorf("turn number %q: want %q", token, want)
	}
	if d.placed {
		return fmt.Errorf("turn number %q inside the turn: want its slide, N, S, W or E", token)
	}
	return nil
}

// record returns the game that was read, or io.EOF if there was none.
func (d *draft) record() (Record, error) {
	if d.err != nil {
		return Record{}, d.err
	}
	if len(d.tags) == 0 && !d.tagsOver {
		return Record{}, io.EOF
	}
	r, err := d.form.record()
	var wrong *formError
	switch {
	case !errors.As(err, &wrong):
		return r, err
	case wrong.tag == "":
		return r, d.moves[wrong.move].wrap(wrong.err)
	default:
		return r, d.tags[wrong.tag].wrap(wrong.err)
	}
}
