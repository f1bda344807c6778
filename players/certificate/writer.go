package certificate

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"versus2048/rules"
)

// A Writer writes a certificate, position by position, in constant memory.
type Writer struct {
	header    Header
	out       *bufio.Writer
	hash      hash.Hash
	sum       int    // sum of the tiles of the last board
	code      uint64 // code of the last board, plus 1; 0 before the first board of each sum
	positions int
	buffer    []byte
}

// NewWriter begins a certificate on w. The caller closes the Writer, and then w.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	sum := sha256.New()
	c := &Writer{header: h, out: bufio.NewWriter(io.MultiWriter(w, sum)), hash: sum}
	_, err := c.out.WriteString(magic + h.String() + "\n")
	return c, err
}

// Positions returns the number of written positions.
func (w *Writer) Positions() int { return w.positions }

// Write adds a position. Positions must be in the order of their sums of tiles and then of their boards, with the empty
// board first. Write returns an error for another order, for a position that no certificate can have, and if writing
// fails.
func (w *Writer) Write(c Covered) error {
	if err := w.objection(c); err != nil {
		return fmt.Errorf("certificate, position %d: %w", w.positions, err)
	}
	w.buffer = w.buffer[:0]
	code, sum := Pack(c.Board, w.header.Size)+1, c.Board.Sum()
	if sum > w.sum {
		w.buffer = append(w.buffer, 0) // the end of the boards with one sum of tiles
		w.code, w.sum = 0, sum
	}
	w.buffer = binary.AppendUvarint(w.buffer, code-w.code)
	if w.header.Rules.Fours() {
		w.buffer = binary.AppendUvarint(w.buffer, uint64(c.Gain/Unit)) // #nosec G115 -- at least 1
	}
	if w.header.Claimant == rules.Attacker {
		w.buffer = append(w.buffer, packPlacement(c.Move, w.header.Size))
	}
	w.code = code
	w.positions++
	_, err := w.out.Write(w.buffer)
	return err
}

// objection returns an error if the next position is not valid.
func (w *Writer) objection(c Covered) error {
	code, sum := Pack(c.Board, w.header.Size)+1, c.Board.Sum()
	switch {
	case w.positions == 0 && c.Board != 0:
		return fmt.Errorf("board %x comes first: want the empty board", uint64(c.Board))
	case sum < w.sum || sum == w.sum && code <= w.code:
		return fmt.Errorf("board %x is not in order", uint64(c.Board))
	case c.Board.Canonical(w.header.Size) != c.Board:
		return fmt.Errorf("board %x is not the smallest of its symmetries", uint64(c.Board))
	case c.Gain < Unit || c.Gain%Unit != 0:
		return fmt.Errorf("gain %d: want a positive multiple of %d", c.Gain, Unit)
	case !w.header.Rules.Fours() && c.Gain != w.header.goal()*Unit-c.Board.Potential():
		return fmt.Errorf("gain %d: want %d, the rest of the score for board %x", c.Gain, w.header.goal()*Unit-c.Board.Potential(), uint64(c.Board))
	}
	return nil
}

// Close ends the certificate with the number of positions and the checksum.
func (w *Writer) Close() error {
	end := binary.AppendUvarint([]byte{0, 0}, uint64(w.positions)) // #nosec G115 -- a count
	if _, err := w.out.Write(end); err != nil {
		return err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.out.Write(w.hash.Sum(nil)); err != nil {
		return err
	}
	return w.out.Flush()
}

// Pack returns the cells of a board of size s as a number, 4 bits each, without the gaps
// between the rows of smaller boards. The order of boards stays the same.
func Pack(b rules.Board, s rules.Size) (code uint64) {
	row := uint64(1)<<(4*s.Width) - 1
	for y := range int(s.Height) {
		code |= uint64(b) >> (16 * y) & row << (4 * int(s.Width) * y)
	}
	return code
}

// packPlacement packs a placement: its cell, counted as in Pack, and 16 more for a 4.
func packPlacement(m rules.Move, s rules.Size) byte {
	cell := m.Cell()&3 + m.Cell()>>2*int(s.Width)
	if m.IsFour() {
		cell += 16
	}
	return byte(cell)
}
