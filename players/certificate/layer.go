package certificate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"versus2048/rules"
)

// A Layer has the boards with one sum of tiles, in order.
type Layer struct {
	Sum    int
	Boards []rules.Board
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A LayerWriter writes the layers of a certificate from coarse boards. docs/PROOFS.md has the format.
type LayerWriter struct {
	size   rules.Size
	out    io.Writer
	buffer []byte
	boards int
	bytes  int64
}

// NewLayerWriter writes layers of boards of a size on w, after the given first line. firstLine is "" if the
// file already has one. The caller closes the LayerWriter, and then w.
func NewLayerWriter(w io.Writer, size rules.Size, firstLine string) (*LayerWriter, error) {
	_, err := io.WriteString(w, firstLine)
	return &LayerWriter{size: size, out: w}, err
}

// Bytes returns the size of the written layers in bytes.
func (w *LayerWriter) Bytes() int64 { return w.bytes }

// Boards returns the number of written boards.
func (w *LayerWriter) Boards() int { return w.boards }

// Write adds a layer, which must have boards. The sums of the layers must fall.
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

// Close ends the file with the number of boards.
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
	sum    uint32 // checksum of the current part up to the last byte that was read
	read   int64  // bytes of whole parts
	part   int64  // bytes of the current part
	boards int
}

// NewLayerReader reads the layers after the first line, on boards of a size. first is the number of bytes
// before the layers; Offset includes it.
func NewLayerReader(r io.Reader, size rules.Size, first int64) *LayerReader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(r, 1<<16)
	}
	return &LayerReader{size: size, in: in, read: first}
}

// Offset returns the number of bytes up to the end of the last complete layer that was read.
func (r *LayerReader) Offset() int64 { return r.read }

// Next returns the next layer. It returns io.EOF after the last one if the file is complete and the number of
// boards is right, io.ErrUnexpectedEOF for an incomplete file, a *FormatError for a damaged file, and the
// file's own error if it cannot be read.
func (r *LayerReader) Next() (l Layer, err error) {
	r.sum, r.part = 0, 0
	sum, err := r.number()
	if err != nil {
		return l, err
	}
	if sum == 0 {
		return l, r.end()
	}
	l.Sum = int(sum) // #nosec G115 -- the checker decides whether it makes sense
	for code := uint64(0); ; {
		step, err := r.number()
		if err != nil {
			return l, err
		}
		if step == 0 {
			break
		}
		code += step
		l.Boards = append(l.Boards, Unpack(code-1, r.size))
	}
	r.boards += len(l.Boards)
	return l, r.checksum()
}

// end checks the end of the file, after the layers.
func (r *LayerReader) end() error {
	count, err := r.number()
	if err != nil {
		return err
	}
	if err := r.checksum(); err != nil {
		return err
	}
	if count != uint64(r.boards) { // #nosec G115 -- a count
		return &FormatError{Reason: fmt.Sprintf("it says that it has %d boards, and has %d", count, r.boards)}
	}
	return io.EOF
}

func (r *LayerReader) checksum() error {
	want := r.sum
	var have [4]byte
	if _, err := io.ReadFull(r.in, have[:]); err != nil {
		return early(err)
	}
	r.read += r.part + int64(len(have))
	if binary.BigEndian.Uint32(have[:]) != want {
		return &FormatError{Reason: fmt.Sprintf("a checksum is wrong, before byte %d", r.read)}
	}
	return nil
}

func (r *LayerReader) number() (uint64, error) {
	n, err := binary.ReadUvarint(r)
	return n, early(err)
}

// ReadByte implements io.ByteReader for the file's numbers. It updates the checksum.
func (r *LayerReader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.part++
		r.sum = crc32.Update(r.sum, castagnoli, []byte{b})
	}
	return b, err
}
