package record

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"versus2048/rules"
)

// recordDraft is a game in the text form of which some lines are read.
type recordDraft struct {
	form     recordForm
	tags     map[string]place // where each tag stands
	moves    []place          // where each move stands
	tagsOver bool
	turn     int    // the number of the turn that is being read
	placed   bool   // its placement is read, or dots instead of one
	err      *Error // the first one
}

// place is where something stands in a text.
type place struct{ line, column, turn int }

func (at place) wrap(err error) *Error {
	return &Error{Line: at.line, Column: at.column, Turn: at.turn, Err: err}
}

// turnToken is a turn's number or anything else up to the next space.
var turnToken = regexp.MustCompile(`[0-9]+\.|[^\s]+`)

// add reads a line.
func (d *recordDraft) add(line string, number int) {
	if strings.HasPrefix(line, "[") {
		at := place{line: number, column: 1}
		d.note(at, d.addTag(line, at))
		return
	}
	text, _, commented := strings.Cut(line, ";")
	for _, span := range turnToken.FindAllStringIndex(text, -1) {
		d.tagsOver = true
		at := place{number, span[0] + 1, d.turn}
		d.note(at, d.addToken(text[span[0]:span[1]], at))
	}
	if strings.TrimSpace(text) == "" && !commented && len(d.tags) > 0 {
		d.tagsOver = true
	}
}

// note keeps the first error.
func (d *recordDraft) note(at place, err error) {
	if d.err == nil && err != nil {
		d.err = at.wrap(err)
	}
}

func (d *recordDraft) addTag(line string, at place) error {
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

func (d *recordDraft) setTag(t tag, value string, at place) error {
	if first, twice := d.tags[t.name]; twice {
		return fmt.Errorf("tag %q stands in line %d already, want it once", t.name, first.line)
	}
	if d.tags == nil {
		d.tags = make(map[string]place)
	}
	d.tags[t.name] = at
	*t.value = value
	return nil
}

// parseTag reads a line such as [Event "..."], its value quoted as in Go.
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

// addToken reads a turn's number, a move, or the dots that stand for a
// placement before the game's start.
func (d *recordDraft) addToken(token string, at place) error {
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

func (d *recordDraft) addNumber(token string) error {
	if want := fmt.Sprintf("%d.", d.turn); token != want {
		return fmt.Errorf("turn number %q: want %q", token, want)
	}
	if d.placed {
		return fmt.Errorf("turn number %q inside the turn: want its slide, N, S, W or E", token)
	}
	return nil
}

// record is the game that was read, or io.EOF if there was none.
func (d *recordDraft) record() (Record, error) {
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
