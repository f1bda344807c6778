package certificate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"versus2048/rules"
)

// A Layer has the boards with one sum of tiles, in ascending order.
type Layer struct {
	Sum    int
	Boards []rules.Board
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A LayerWriter writes the layers of a certificate from coarse boards (see Coarse). docs/PROOFS.md has the format.
type LayerWriter struct {
	size   rules.Size
	out    io.Writer
	buffer []byte
	boards int
	bytes  int64
}

// NewLayerWriter returns a writer of layers to w, for boards of a size. It first writes firstLine, which is "" if
// the file already has one. The caller closes the LayerWriter, and then w.
func NewLayerWriter(w io.Writer, size rules.Size, firstLine string) (*LayerWriter, error) {
	_, err := io.WriteString(w, firstLine)
	return &LayerWriter{size: size, out: w}, err
}

// Bytes returns the size of the written layers in bytes.
func (w *LayerWriter) Bytes() int64 { return w.bytes }

// Boards returns the number of written boards.
func (w *LayerWriter) Boards() int { return w.boards }

// Write adds a layer, which must have boards. Its sum must be smaller than the sum of the layer before. It returns
// the error of the underlying writer.
func (w *LayerWriter) Write(l Layer) error {
	w.buffer = binary.AppendUvarint(w.buffer[:0], uint64(l.Sum)) // #nosec G115 -- not negative
	last := uint64(0)
	for _, b := range l.Boards {
		code := Pack(b, w.size) + 1
		w.buffer = binary.AppendUvarint(w.buffer, code-last)
		last = code
	}
	w.buffer = append(w.buffer, 0)
	w.boards += len(l.Boards)
	return w.flush()
}

// Close ends the file with the number of boards. It returns the error of the underlying writer, and does not close
// it.
func (w *LayerWriter) Close() error {
	w.buffer = binary.AppendUvarint([]byte{0}, uint64(w.boards)) // #nosec G115 -- a count
	return w.flush()
}

// flush writes the buffer and its checksum at once, so that an incomplete layer at the end of a file is easy to
// detect.
func (w *LayerWriter) flush() error {
	w.buffer = binary.BigEndian.AppendUint32(w.buffer, crc32.Checksum(w.buffer, castagnoli))
	n, err := w.out.Write(w.buffer)
	w.bytes += int64(n)
	return err
}

// A LayerReader reads the output of a LayerWriter. It checks that nothing is damaged.
type LayerReader struct {
	size   rules.Size
	in     *bufio.Reader
	boards int

	// A part is a layer or the end of the file, with its checksum.
	offset   int64  // of the end of the last complete part in the file
	partSize int64  // number of bytes of the current part that were read
	partCRC  uint32 // checksum of these bytes without the unsummed ones
	unsummed []byte // the last of these bytes
}

// NewLayerReader returns a reader of layers with boards of a size. r begins with the first layer, which is at the
// given offset in its file.
func NewLayerReader(r io.Reader, size rules.Size, offset int64) *LayerReader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(r, 1<<16)
	}
	return &LayerReader{size: size, in: in, offset: offset}
}

// Offset returns the offset in the file of the end of the last complete layer that was read, even if its checksum is
// wrong.
func (r *LayerReader) Offset() int64 { return r.offset }

// Next returns the next layer. It returns io.EOF after the last one if the number of boards is right and the file ends
// there. Otherwise it returns io.ErrUnexpectedEOF for an incomplete file, a *FormatError for a damaged file, and the
// file's own error if it cannot be read.
func (r *LayerReader) Next() (l Layer, err error) {
	r.partCRC, r.partSize, r.unsummed = 0, 0, r.unsummed[:0]
	sum, err := number(r)
	if err != nil {
		return l, err
	}
	if sum == 0 {
		return l, r.end()
	}
	l.Sum = int(sum) // #nosec G115 -- the checker decides whether it makes sense
	for code := uint64(0); ; {
		step, err := number(r)
		if err != nil {
			return l, err
		}
		if step == 0 {
			break
		}
		if code += step; code < step {
			return l, errTooLarge
		}
		l.Boards = append(l.Boards, Unpack(code-1, r.size))
	}
	r.boards += len(l.Boards)
	return l, r.verifyChecksum()
}

// end checks the end of the file, after the layers.
func (r *LayerReader) end() error {
	count, err := number(r)
	if err != nil {
		return err
	}
	if err := r.verifyChecksum(); err != nil {
		return err
	}
	if count != uint64(r.boards) { // #nosec G115 -- a count
		return &FormatError{Reason: fmt.Sprintf("the file counts %d boards, and has %d", count, r.boards)}
	}
	if _, err := r.in.ReadByte(); err != nil {
		return err // io.EOF: nothing follows
	}
	return &FormatError{Reason: "bytes follow its end"}
}

func (r *LayerReader) verifyChecksum() error {
	r.updateChecksum()
	var checksum [4]byte
	if _, err := io.ReadFull(r.in, checksum[:]); err != nil {
		return unexpectedEOF(err)
	}
	r.offset += r.partSize + int64(len(checksum))
	if binary.BigEndian.Uint32(checksum[:]) != r.partCRC {
		return &FormatError{Reason: fmt.Sprintf("the checksum that ends at byte %d is wrong", r.offset)}
	}
	return nil
}

// ReadByte implements io.ByteReader for the file's numbers. It updates the checksum.
func (r *LayerReader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.partSize++
		if r.unsummed = append(r.unsummed, b); len(r.unsummed) == 1<<12 {
			r.updateChecksum()
		}
	}
	return b, err
}

// updateChecksum brings the checksum up to the last byte.
func (r *LayerReader) updateChecksum() {
	r.partCRC = crc32.Update(r.partCRC, castagnoli, r.unsummed)
	r.unsummed = r.unsummed[:0]
}
