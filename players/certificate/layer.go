package certificate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"versus2048/rules"
)

// A Layer has boards of a sum of tiles, in order.
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

// NewLayerWriter writes layers of boards of a size on w, after a first line, "" if the file has one. The caller closes the LayerWriter, and then w.
func NewLayerWriter(w io.Writer, size rules.Size, firstLine string) (*LayerWriter, error) {
	_, err := io.WriteString(w, firstLine)
	return &LayerWriter{size: size, out: w}, err
}

// Bytes returns how many bytes the layers that were written take.
func (w *LayerWriter) Bytes() int64 { return w.bytes }

// Boards returns how many boards were written.
func (w *LayerWriter) Boards() int { return w.boards }

// Write adds a layer that has boards. Layers come by falling sums.
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

// flush writes the buffer and its checksum at once, so that what is in a file has an end that is easily told.
func (w *LayerWriter) flush() error {
	w.buffer = binary.BigEndian.AppendUint32(w.buffer, crc32.Checksum(w.buffer, castagnoli))
	n, err := w.out.Write(w.buffer)
	w.bytes += int64(n)
	return err
}

// A LayerReader reads what a LayerWriter has written. It checks that nothing is damaged.
type LayerReader struct {
	size   rules.Size
	in     *bufio.Reader
	sum    uint32 // of the bytes of the part that is read
	read   int64  // bytes of whole parts
	part   int64  // bytes of this one
	boards int
}

// NewLayerReader reads what comes after the first line, on boards of a size. Offset counts from first, how many bytes
// were read before.
func NewLayerReader(r io.Reader, size rules.Size, first int64) *LayerReader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(r, 1<<16)
	}
	return &LayerReader{size: size, in: in, read: first}
}

// Offset returns how many bytes the whole layers take that were read, and what comes before them.
func (r *LayerReader) Offset() int64 { return r.read }

// Next returns the next layer. It returns io.EOF after the last one if the file has its
// end and the number of boards is right, io.ErrUnexpectedEOF if the file ends before, a
// *FormatError for a damaged file, and the file's own error if it cannot be read.
func (r *LayerReader) Next() (l Layer, err error) {
	r.sum, r.part = 0, 0
	sum, err := r.number()
	if err != nil {
		return l, err
	}
	if sum == 0 {
		return l, r.end()
	}
	l.Sum = int(sum) // #nosec G115 -- the checker decides what it means
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

// end checks what follows the layers.
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

// ReadByte implements io.ByteReader for the file's numbers; it keeps the checksum.
func (r *LayerReader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.part++
		r.sum = crc32.Update(r.sum, castagnoli, []byte{b})
	}
	return b, err
}
