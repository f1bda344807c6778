package certificate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"versus2048/rules"
)

// A Reader reads a certificate, position by position, in constant memory. It checks that the file is complete; package
// versus2048/lab/proof/check decides whether the certificate proves its claim.
type Reader struct {
	header    Header
	in        *bufio.Reader
	hash      hash.Hash
	code      uint64 // code of the last board, plus 1; 0 before the first board of each sum of tiles
	positions uint64
	err       error // the first error, or io.EOF after the end
}

// FirstLine reads the first line of a file. It returns a *FormatError if there is none or it is too long.
func FirstLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, bufio.ErrBufferFull):
		err = &FormatError{"it has no first line"}
	case err != nil:
		err = fmt.Errorf("reading a certificate: %w", err)
	}
	return string(line), err
}

// NewReader reads the header of a certificate. It returns a *FormatError for a file that is not a certificate.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{in: bufio.NewReader(r), hash: sha256.New()}
	line, err := FirstLine(c.in)
	if err != nil {
		return nil, err
	}
	c.hash.Write([]byte(line))
	c.header, err = parseHeader(line)
	return c, err
}

// Header returns the claim of the certificate.
func (r *Reader) Header() Header { return r.header }

// Next returns the next position. It returns io.EOF after the last one if the number of positions and the checksum are
// right. Otherwise it returns a *FormatError for a damaged file, and the file's own error if it cannot be read.
func (r *Reader) Next() (Covered, error) {
	if r.err != nil {
		return Covered{}, r.err
	}
	c, err := r.next()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = &FormatError{fmt.Sprintf("it ends within position %d", r.positions)}
	}
	r.err = err
	return c, err
}

func (r *Reader) next() (c Covered, err error) {
	step, err := number(r)
	if err == nil && step == 0 && r.positions > 0 { // the end of the boards with one sum of tiles
		r.code = 0
		step, err = number(r)
	}
	if err != nil {
		return c, err
	}
	if step == 0 {
		return c, r.end()
	}
	if r.code += step; r.code < step {
		return c, errTooLarge
	}
	r.positions++
	c.Board = Unpack(r.code-1, r.header.Size)
	c.Gain = r.header.goal()*Unit - c.Board.Potential()
	if r.header.Rules.Fours() {
		gain, err := number(r)
		if err != nil {
			return c, err
		}
		if gain > MostScore/Unit {
			return c, &FormatError{fmt.Sprintf("board %x has a gain of %d times %d: want at most %d", uint64(c.Board), gain, Unit, MostScore)}
		}
		c.Gain = int(gain) * Unit
	}
	if r.header.Claimant == rules.Attacker {
		m, err := r.ReadByte()
		if err != nil {
			return c, unexpectedEOF(err)
		}
		w := int(r.header.Size.Width)
		c.Move = rules.Place(int(m&15)%w+int(m&15)/w*4, m&16 != 0)
	}
	return c, nil
}

// end checks the end of the file, after the positions.
func (r *Reader) end() error {
	count, err := number(r)
	if err != nil {
		return err
	}
	if count != r.positions {
		return &FormatError{fmt.Sprintf("the file counts %d positions, and has %d", count, r.positions)}
	}
	want := r.hash.Sum(nil)
	have, err := io.ReadAll(io.LimitReader(r.in, sha256.Size+1))
	if err != nil {
		return err
	}
	switch {
	case len(have) < sha256.Size:
		return io.ErrUnexpectedEOF
	case !bytes.Equal(have, want):
		return &FormatError{"the checksum is wrong"}
	}
	return io.EOF
}

// errTooLarge is the error for a number, or the code of a board, of more than 64 bits.
var errTooLarge = &FormatError{"it has a number of more than 64 bits"}

// number reads a number, which must be there. It returns a *FormatError for a number of more than 64 bits.
func number(r io.ByteReader) (uint64, error) {
	var code [binary.MaxVarintLen64]byte
	for i := range code {
		b, err := r.ReadByte()
		if err != nil {
			return 0, unexpectedEOF(err)
		}
		code[i] = b
		if b < 0x80 { // the last byte
			break
		}
	}
	n, length := binary.Uvarint(code[:])
	if length <= 0 {
		return 0, errTooLarge
	}
	return n, nil
}

// unexpectedEOF replaces io.EOF by the error for a file that ends too early.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ReadByte implements io.ByteReader for the file's numbers. It updates the checksum.
func (r *Reader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.hash.Write([]byte{b})
	}
	return b, err
}

// Unpack is the inverse of Pack. It ignores bits beyond the cells of the size.
func Unpack(code uint64, s rules.Size) (b rules.Board) {
	row := uint64(1)<<(4*s.Width) - 1
	for y := range int(s.Height) {
		b |= rules.Board(code >> (4 * int(s.Width) * y) & row << (16 * y))
	}
	return b
}
