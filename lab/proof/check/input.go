package check

// This file reads certificates.

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
)

// An input reads a certificate, with a checksum of the bytes so far.
type input struct {
	*bufio.Reader
	stopped func() error // returns an error once the check is to end
	sum     hash.Hash
	unsum   []byte // the last bytes, which are not in sum yet
}

// coarse reports whether the certificate is one from coarse boards.
func (in *input) coarse() bool {
	begin, _ := in.Peek(len(coarseBegin))
	return string(begin) == coarseBegin
}

// firstLine reads a line that fits the buffer.
func (in *input) firstLine() (string, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("%w: no first line", ErrTruncated)
	case errors.Is(err, bufio.ErrBufferFull):
		err = fmt.Errorf("%w: no first line", ErrClaim)
	}
	return string(line), err
}

// number reads a varint: in the buffer or, near the end of the file, byte by byte.
func (in *input) number() (uint64, error) {
	if ahead, err := in.Peek(binary.MaxVarintLen64); err == nil {
		n, size := binary.Uvarint(ahead)
		if size <= 0 {
			return 0, fmt.Errorf("%w: a number of more than 64 bits", ErrDamaged)
		}
		in.summed(ahead[:size])
		_, err = in.Discard(size)
		return n, err
	}
	n, err := binary.ReadUvarint(in)
	return n, truncated(err)
}

// next reads the code that follows codes in a sum. The file has the step to it from the last code, or the code plus 1 if
// there are no codes before. more is false at the end of the sum.
func (in *input) next(codes []uint64) (code uint64, more bool, err error) {
	if err := in.stopped(); err != nil {
		return 0, false, err
	}
	step, err := in.number()
	if err != nil || step == 0 {
		return 0, false, err
	}
	if len(codes) > 0 {
		code = codes[len(codes)-1] + 1
	}
	if code+step < step || len(codes) == mostCodes {
		return 0, false, fmt.Errorf("%w: a step of %d", ErrOrder, step)
	}
	return code + step - 1, true, nil
}

// ReadByte reads a byte and adds it to the checksum.
func (in *input) ReadByte() (byte, error) {
	b, err := in.Reader.ReadByte()
	if err == nil {
		in.summed([]byte{b})
	}
	return b, err
}

// summed adds bytes that were read to the checksum.
func (in *input) summed(bytes []byte) {
	if in.unsum = append(in.unsum, bytes...); len(in.unsum) >= 1<<12 {
		in.checksum()
	}
}

// checksum returns the checksum of the bytes so far.
func (in *input) checksum() []byte {
	in.sum.Write(in.unsum)
	in.unsum = in.unsum[:0]
	return in.sum.Sum(nil)
}

// truncated returns ErrTruncated in place of an error at the end of the file.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}
