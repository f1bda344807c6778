package rules

import "fmt"

// Size is the size of a board in cells, 2 to 4 each way. A smaller board is
// the top left part of the 4x4 grid; the cells outside it stay empty.
type Size struct{ Width, Height uint8 }

// Full is the 4x4 board of the published game.
var Full = Size{4, 4}

// Sizes lists every supported size, smallest width first.
func Sizes() []Size {
	var all []Size
	for w := uint8(2); w <= 4; w++ {
		for h := uint8(2); h <= 4; h++ {
			all = append(all, Size{w, h})
		}
	}
	return all
}

// ParseSize reads a size as String writes it, columns first: "4x4", "3x2". It
// returns an error for any other text and for a size that is not supported.
func ParseSize(text string) (Size, error) {
	for _, s := range Sizes() {
		if s.String() == text {
			return s, nil
		}
	}
	return Size{}, fmt.Errorf("board size %q: want WIDTHxHEIGHT with both from 2 to 4, such as 4x4", text)
}

// String writes the size as columns x rows, such as "3x2".
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// MarshalText writes the size as String does.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the size as ParseSize does.
func (s *Size) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSize(string(text))
	return err
}

// Cells returns the number of cells, 4 to 16.
func (s Size) Cells() int { return int(s.Width) * int(s.Height) }

// Square reports whether the board is as wide as it is high, so that it has eight symmetries instead of four.
func (s Size) Square() bool { return s.Width == s.Height }

// cell returns the index of the cell at column x, row y, both from 1. ok is false outside the board.
func (s Size) cell(x, y int) (index int, ok bool) {
	ok = x >= 1 && x <= int(s.Width) && y >= 1 && y <= int(s.Height)
	return 4*(y-1) + x - 1, ok
}

// holds reports whether cell i of the 4x4 grid belongs to the board.
func (s Size) holds(i int) bool { return i&3 < int(s.Width) && i>>2 < int(s.Height) }

// ones returns the cells of the board as a mask: bit 4i is set for cell i.
func (s Size) ones() uint64 {
	row := uint64(0x1111) & (1<<(4*s.Width) - 1)
	return row * 0x0001_0001_0001_0001 & (1<<(16*s.Height) - 1)
}
