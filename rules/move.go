package rules

import (
	"fmt"
	"strings"
)

// Move is one ply: a placement or a slide. Values 0 to 31 are placements: the four
// low bits hold the cell's index, the fifth is set for a 4. The slides follow.
type Move uint8

// The slides.
const (
	North Move = 0x20 + iota
	South
	West
	East
)

const fourBit Move = 0x10

// Place returns the placement of a 2 (four false) or a 4 (four true) on cell i, 0 to 15, of the 4x4 grid.
func Place(i int, four bool) Move {
	m := Move(i & 15)
	if four {
		m |= fourBit
	}
	return m
}

// IsSlide reports whether the move is a slide.
func (m Move) IsSlide() bool { return m >= North }

// Cell returns the index of a placement's cell, 0 to 15.
func (m Move) Cell() int { return int(m & 15) }

// IsFour reports whether the move places a 4.
func (m Move) IsFour() bool { return m < North && m&fourBit != 0 }

// String writes the move in the notation: "N", "S", "W", "E", "(X,Y)" for a 2
// and "(X,Y,4)" for a 4, column then row, both from 1.
func (m Move) String() string {
	switch {
	case m > East:
		return fmt.Sprintf("Move(%d)", uint8(m))
	case m.IsSlide():
		return "NSWE"[m-North : m-North+1]
	}
	x, y := byte('1'+m.Cell()&3), byte('1'+m.Cell()>>2)
	if m.IsFour() {
		return string([]byte{'(', x, ',', y, ',', '4', ')'})
	}
	return string([]byte{'(', x, ',', y, ')'})
}

// NotationError is the error for a text that is not a move in the notation.
type NotationError struct{ Text string }

func (e *NotationError) Error() string {
	return fmt.Sprintf("move %.40q: want N, S, W, E, (X,Y) or (X,Y,4) with X and Y from 1 to 4", e.Text)
}

// ParseMove reads a move in the notation. It returns a *NotationError for anything else.
func ParseMove(text string) (Move, error) {
	if len(text) == 1 {
		if i := strings.IndexByte("NSWE", text[0]); i >= 0 {
			return North + Move(i), nil
		}
	}
	for _, form := range []string{"(x,y)", "(x,y,4)"} {
		if cell, ok := matchPlacement(form, text); ok {
			return Place(cell, len(form) > 5), nil
		}
	}
	return 0, &NotationError{text}
}

// matchPlacement compares text with form. The letters x and y in form stand for any digit from 1 to 4.
func matchPlacement(form, text string) (cell int, ok bool) {
	if len(text) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		digit := int(text[i]) - '1'
		switch inRange := digit >= 0 && digit < 4; {
		case form[i] == 'x' && inRange:
			cell += digit
		case form[i] == 'y' && inRange:
			cell += 4 * digit
		case form[i] == 'x' || form[i] == 'y' || form[i] != text[i]:
			return 0, false
		}
	}
	return cell, true
}

// MarshalText writes the move as String does.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the move as ParseMove does.
func (m *Move) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMove(string(text))
	return err
}
