package exact

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"versus2048/rules"
)

//go:embed puzzles.txt
var ownPuzzles string

// OwnPuzzles returns the puzzles that come with the program.
func OwnPuzzles() (*PuzzleBook, error) { return ParsePuzzles(ownPuzzles) }

// PuzzleBook is a list of puzzles. The puzzle in place i has the number i+1.
type PuzzleBook struct{ Puzzles []Puzzle }

// ParsePuzzles reads puzzles. A puzzle is a line with the rules, the position, the depth and the scores, separated by
// tabs; the scores are separated by spaces. A line that begins with # is a comment, such as the command that made them.
func ParsePuzzles(text string) (*PuzzleBook, error) {
	b := &PuzzleBook{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "#") {
			continue
		}
		p, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of the puzzles: %w", number, err)
		}
		p.Number = len(b.Puzzles) + 1
		b.Puzzles = append(b.Puzzles, p)
	}
	if len(b.Puzzles) == 0 {
		return nil, fmt.Errorf("a file of puzzles without a puzzle")
	}
	return b, nil
}

func parseLine(line string) (p Puzzle, err error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 4 {
		return p, fmt.Errorf("%d fields between tabs: want rules, position, depth and scores", len(fields))
	}
	r, err := rules.ParseRuleset(fields[0])
	if err != nil {
		return p, err
	}
	if p.Position, err = rules.ParsePosition(r, fields[1]); err != nil {
		return p, err
	}
	if p.Depth, err = strconv.Atoi(fields[2]); err != nil {
		return p, fmt.Errorf("depth: %w", err)
	}
	for field := range strings.FieldsSeq(fields[3]) {
		score, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return p, fmt.Errorf("score: %w", err)
		}
		p.Scores = append(p.Scores, score)
	}
	return p, p.check()
}

// Write writes the puzzles after a comment of one line. It returns an error if a puzzle is wrong.
func (b *PuzzleBook) Write(w io.Writer, comment string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", comment)
	for i := range b.Puzzles {
		p := &b.Puzzles[i]
		if err := p.check(); err != nil {
			return fmt.Errorf("puzzle %d, %v: %w", i+1, p.Position, err)
		}
		scores := make([]string, len(p.Scores))
		for i, score := range p.Scores {
			scores[i] = strconv.FormatFloat(score, 'f', -1, 64)
		}
		fmt.Fprintf(out, "%v\t%v\t%d\t%s\n", p.Position.Rules(), p.Position, p.Depth, strings.Join(scores, " "))
	}
	return out.Flush()
}

// Numbered returns the puzzle with a number, from 1.
func (b *PuzzleBook) Numbered(n int) (*Puzzle, error) {
	if n < 1 || n > len(b.Puzzles) {
		return nil, fmt.Errorf("there is no puzzle %d: want 1 to %d", n, len(b.Puzzles))
	}
	return &b.Puzzles[n-1], nil
}

// Sizes lists the boards that have puzzles.
func (b *PuzzleBook) Sizes() []rules.Size {
	return slices.DeleteFunc(rules.Sizes(), func(s rules.Size) bool {
		return !slices.ContainsFunc(b.Puzzles, func(p Puzzle) bool { return p.Position.Size() == s })
	})
}

// Daily returns the puzzle of a day, the same for everybody: the days in UTC take the puzzles one by one.
func (b *PuzzleBook) Daily(t time.Time) *Puzzle {
	const day = 24 * 60 * 60
	n := int64(len(b.Puzzles))
	return &b.Puzzles[((t.Unix()/day)%n+n)%n]
}

// Next returns the first chosen puzzle after a number. After the last puzzle it looks from the beginning. ok is false
// if no puzzle is chosen. after may be any number.
func (b *PuzzleBook) Next(after int, chosen rules.Variants) (p *Puzzle, ok bool) {
	n := len(b.Puzzles)
	first := max(0, min(after, n))
	for i := range n {
		p := &b.Puzzles[(first+i)%n]
		if at := p.Position; chosen.Allows(at.Rules(), at.Size(), at.SideToMove()) {
			return p, true
		}
	}
	return nil, false
}
