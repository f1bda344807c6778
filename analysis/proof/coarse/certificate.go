package coarse

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"versus2048/analysis/proof/certificate"
	"versus2048/rules"
)

// A Layer has the lost boards of a sum of tiles, in order: those from which the attacker
// is not shown to keep the defender from its tile.
type Layer struct {
	Sum  int
	Lost []rules.Board // coarse boards, of those that are equal under a symmetry the smallest
}

// firstLine is that of certificates and of states: the rules, the size, the smallest large tile, the one
// that the attacker prevents.
const firstLine = "versus2048 coarse certificate 1 %v %v large %d prevents %d\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Writer writes a certificate, layer by layer. docs/PROOFS.md has the format.
type Writer struct {
	size   rules.Size
	out    io.Writer
	buffer []byte
	boards int
}

// NewWriter begins the certificate of a proof on w. The caller closes the Writer, and then w.
func NewWriter(w io.Writer, c Config) (*Writer, error) {
	_, err := fmt.Fprintf(w, firstLine, c.Rules, c.Size, 1<<c.Large, 1<<c.Tile)
	return &Writer{size: c.Size, out: w}, err
}

// Boards returns how many lost boards were written.
func (w *Writer) Boards() int { return w.boards }

// Write adds a layer that has boards. Layers come by falling sums.
func (w *Writer) Write(l Layer) error {
	w.buffer = binary.AppendUvarint(w.buffer[:0], uint64(l.Sum)) // #nosec G115 -- not negative
	last := uint64(0)
	for _, b := range l.Lost {
		code := certificate.Pack(b, w.size) + 1
		w.buffer = binary.AppendUvarint(w.buffer, code-last)
		last = code
	}
	w.buffer = append(w.buffer, 0)
	w.boards += len(l.Lost)
	return w.flush()
}

// Close ends the certificate with the number of boards.
func (w *Writer) Close() error {
	w.buffer = binary.AppendUvarint([]byte{0}, uint64(w.boards)) // #nosec G115 -- a count
	return w.flush()
}

// flush writes the buffer and its checksum at once, so that what is in a file has an end that is easily told.
func (w *Writer) flush() error {
	w.buffer = binary.BigEndian.AppendUint32(w.buffer, crc32.Checksum(w.buffer, castagnoli))
	_, err := w.out.Write(w.buffer)
	return err
}

// A Reader reads what a Writer has written. It checks that nothing is damaged; package check decides
// whether it is a proof.
type Reader struct {
	config Config
	in     *bufio.Reader
	sum    uint32 // of the bytes of the part that is read
	read   int64  // bytes of whole parts
	part   int64  // bytes of this one
	boards int
}

// NewReader reads the first line. It returns a *certificate.FormatError for a file that has another one.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{in: bufio.NewReaderSize(r, 1<<16)}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, &certificate.FormatError{Reason: "it has no first line"}
	}
	var ruleset, size string
	var large, tile int
	text := string(line)
	if n, _ := fmt.Sscanf(text, "versus2048 coarse certificate 1 %s %s large %d prevents %d\n", &ruleset, &size, &large, &tile); n < 4 {
		return nil, &certificate.FormatError{Reason: fmt.Sprintf("its first line is %q", text)}
	}
	c.config = Config{Large: exponent(large), Tile: exponent(tile), Threads: 1}
	if c.config.Rules, err = rules.ParseRuleset(ruleset); err != nil {
		return nil, err
	}
	if c.config.Size, err = rules.ParseSize(size); err != nil {
		return nil, err
	}
	c.read = int64(len(line))
	return c, c.config.Validate()
}

// exponent returns k for 2^k, and 0 for another number.
func exponent(tile int) int {
	for k := 1; k <= MostTile; k++ {
		if tile == 1<<k {
			return k
		}
	}
	return 0
}

// Config returns what is proven, with one thread.
func (r *Reader) Config() Config { return r.config }

// Next returns the next layer. It returns io.EOF after the last one if the file has its
// end and the number of boards is right, io.ErrUnexpectedEOF if the file ends before, and
// a *certificate.FormatError for a damaged file.
func (r *Reader) Next() (l Layer, err error) {
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
		l.Lost = append(l.Lost, certificate.Unpack(code-1, r.config.Size))
	}
	r.boards += len(l.Lost)
	return l, r.checksum()
}

// end checks what follows the layers.
func (r *Reader) end() error {
	count, err := r.number()
	if err != nil {
		return err
	}
	if err := r.checksum(); err != nil {
		return err
	}
	if count != uint64(r.boards) { // #nosec G115 -- a count
		return &certificate.FormatError{Reason: fmt.Sprintf("it says that it has %d boards, and has %d", count, r.boards)}
	}
	return io.EOF
}

func (r *Reader) checksum() error {
	want := r.sum
	var have [4]byte
	if _, err := io.ReadFull(r.in, have[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	r.read += r.part + int64(len(have))
	if binary.BigEndian.Uint32(have[:]) != want {
		return &certificate.FormatError{Reason: fmt.Sprintf("a checksum is wrong, before byte %d", r.read)}
	}
	return nil
}

func (r *Reader) number() (uint64, error) {
	n, err := binary.ReadUvarint(r)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// ReadByte implements io.ByteReader for the file's numbers; it keeps the checksum.
func (r *Reader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.part++
		r.sum = crc32.Update(r.sum, castagnoli, []byte{b})
	}
	return b, err
}
