package opening

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"versus2048/rules"
	"versus2048/rules/record"
)

// maxFile is how many bytes of a file are read: more than the longest list of
// openings that an event may have, in any form but long records.
const maxFile = 64 << 20

// Read reads openings of a game in the package's file format. It returns an
// error, with the line, for one that is no position of that game, and for a file
// without any.
func Read(r io.Reader, g Variant) ([]rules.Position, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	read := g.readLines
	if hasTags(string(text)) {
		read = g.readRecords
	}
	positions, err := read(string(text))
	if err == nil && len(positions) == 0 {
		err = errors.New("no opening: want positions such as 0,2/0,0 D 0 1, moves such as (1,2) N, or records")
	}
	return positions, err
}

// hasTags tells whether a text is one of records.
func hasTags(text string) bool {
	return strings.HasPrefix(text, "[") || strings.Contains(text, "\n[")
}

func (g Variant) readLines(text string) (positions []rules.Position, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, ";")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		p, err := g.readLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		positions = append(positions, p)
	}
	return positions, nil
}

// readLine reads a position or moves.
func (g Variant) readLine(line string) (rules.Position, error) {
	if strings.Contains(line, "/") {
		p, err := rules.ParsePosition(g.Rules, line)
		if err != nil {
			return p, err
		}
		return p, g.check(p)
	}
	game, err := record.Parse(fmt.Sprintf("[Rules %q]\n[Size %q]\n\n%s\n", g.Rules, g.Size, line))
	if wrong := (*record.Error)(nil); errors.As(err, &wrong) {
		err = wrong.Err // where it stands is known better here
	}
	if err != nil {
		return rules.Position{}, err
	}
	return g.last(&game)
}

func (g Variant) readRecords(text string) (positions []rules.Position, err error) {
	records := record.NewReader(bufio.NewReader(strings.NewReader(text)))
	for {
		game, err := records.Read()
		if err == io.EOF {
			return positions, nil
		}
		var p rules.Position
		if err == nil {
			p, err = g.last(&game)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", len(positions)+1, err)
		}
		positions = append(positions, p)
	}
}

// last is the position after a record's moves.
func (g Variant) last(r *record.Record) (rules.Position, error) {
	p, err := r.Replay()
	if err != nil {
		return p, err
	}
	return p, g.check(p)
}

// check says why a position can't be an opening of the game.
func (g Variant) check(p rules.Position) error {
	switch {
	case p.Rules() != g.Rules || p.Size() != g.Size:
		return fmt.Errorf("a position of %v %v: want one of %v %v", p.Rules(), p.Size(), g.Rules, g.Size)
	case p.Over():
		return fmt.Errorf("position %v: the defender is mated", p)
	}
	return nil
}
