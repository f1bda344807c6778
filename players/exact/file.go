package exact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/edsrzf/mmap-go"

	"versus2048/internal/disk"
	"versus2048/rules"
)

// A table's file is a header, a directory with one entry for each layer, the layers by increasing sum, and a CRC-32C of
// everything before it. A layer is its index, its keys and its worths: see tableLayer. Numbers are little-endian.

// magic begins every table, whatever its version.
const magic = "versus 2048 exact values\n"

// version is the version of the format. Other versions are rejected.
const version = 1

// fileHeader is the beginning of a file.
type fileHeader struct {
	Magic         [len(magic)]byte
	Version       uint8
	Rules         [8]byte // the name, padded with zeros
	Width, Height uint8
	_             [4]byte
	Layers        uint32
	Start         uint64 // the board that all games start from: always 0, the empty board
	States        uint64
	FileBytes     uint64
}

// The sizes in bytes of the header, of a layer's entry in the directory and of the
// checksum. An entry has the layer's number of states and the number of bytes of its keys.
const (
	headerBytes    = len(magic) + 1 + 8 + 2 + 4 + 4 + 8 + 8 + 8
	directoryEntry = 8
	checksumBytes  = 4
)

// castagnoli is the table of CRC-32C, which processors compute with an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// DamagedError is the error for a file that is not a usable table.
type DamagedError struct{ Path, Reason string }

func (e *DamagedError) Error() string {
	return fmt.Sprintf("table %s: %s", e.Path, e.Reason)
}

// Bytes returns the size of the table's file.
func (t *Table) Bytes() int {
	n := headerBytes + checksumBytes
	for _, l := range t.layers {
		n += directoryEntry + len(l.index) + len(l.keys) + len(l.worths)
	}
	return n
}

// WriteFile writes the table to a file, which appears only when it is complete. If replace is false and the
// file exists, it returns an error that wraps fs.ErrExist.
func (t *Table) WriteFile(path string, replace bool) error {
	if err := disk.Write(path, replace, t.Encode); err != nil {
		return fmt.Errorf("table %s: %w", path, err)
	}
	return nil
}

// Encode writes the content of the table's file.
func (t *Table) Encode(w io.Writer) error {
	sum := crc32.New(castagnoli)
	summed := io.MultiWriter(w, sum)
	parts := [][]byte{t.header(), t.directory()}
	for _, l := range t.layers {
		parts = append(parts, l.index, l.keys, l.worths)
	}
	for _, part := range parts {
		if _, err := summed.Write(part); err != nil {
			return err
		}
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// header returns the first part of the table's file.
func (t *Table) header() []byte {
	h := fileHeader{
		Version:   version,
		Width:     t.game.Size.Width,
		Height:    t.game.Size.Height,
		Layers:    uint32(len(t.layers)),
		States:    uint64(t.States()),
		FileBytes: uint64(t.Bytes()),
	}
	copy(h.Magic[:], magic)
	copy(h.Rules[:], t.game.Rules.String())
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		panic(err) // cannot happen: the header has a fixed size
	}
	return b.Bytes()
}

// directory returns the second part of the table's file.
func (t *Table) directory() []byte {
	var b []byte
	for _, l := range t.layers {
		b = binary.LittleEndian.AppendUint32(b, uint32(l.states))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(l.keys)))
	}
	return b
}

// noTable is the reason to refuse a file of another kind.
const noTable = "it is not a table of exact values"

// Open maps the table in a file into memory and verifies its checksum. It returns a *DamagedError for a file
// that is not a complete table. The file must not change until the table is closed; WriteFile replaces the file
// instead of changing it.
func Open(path string) (*Table, error) {
	file, size, err := disk.Open(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, &DamagedError{path, noTable}
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	defer file.Close() // the mapping remains
	if size < int64(headerBytes) {
		return nil, &DamagedError{path, noTable}
	}
	content, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", path, err)
	}
	t, err := Read(content)
	if err != nil {
		return nil, errors.Join(&DamagedError{path, err.Error()}, content.Unmap())
	}
	t.close = content.Unmap
	return t, nil
}

// Read returns the table in the content of a file. It verifies the checksum. The content must not change later.
func Read(content []byte) (*Table, error) {
	h, g, err := readHeader(content)
	if err != nil {
		return nil, err
	}
	t, rest := newTable(g, int(h.Layers)), content[headerBytes:]
	end := len(content) - checksumBytes
	if want := binary.LittleEndian.Uint32(content[end:]); crc32.Checksum(content[:end], castagnoli) != want {
		return nil, errors.New("it is damaged: its checksum is wrong; make it again with lab solve")
	}
	directory := rest[:len(t.layers)*directoryEntry]
	rest = rest[len(directory) : len(rest)-checksumBytes]
	for i := range t.layers {
		if rest, err = t.layers[i].read(t.game, directory[i*directoryEntry:], rest); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, errors.New("it is damaged: bytes follow its last layer; make it again with lab solve")
	}
	if states := uint64(t.States()); states != h.States {
		return nil, fmt.Errorf("it is damaged: its header counts %d states, its layers have %d; make it again with lab solve", h.States, states)
	}
	return t, nil
}

// readHeader returns the header of a file, and its game.
func readHeader(content []byte) (h fileHeader, g Game, err error) {
	_, err = binary.Decode(content, binary.LittleEndian, &h)
	switch {
	case err != nil || string(h.Magic[:]) != magic:
		return h, g, errors.New(noTable)
	case h.Version != version:
		return h, g, fmt.Errorf("its format has version %d, this program reads version %d: make it again with lab solve", h.Version, version)
	case h.FileBytes != uint64(len(content)):
		return h, g, fmt.Errorf("it has %d bytes instead of %d, a part is missing or was added; make it again with lab solve", len(content), h.FileBytes)
	}
	g, err = h.game()
	if err != nil || h.Start != 0 || h.FileBytes < uint64(headerBytes)+uint64(h.Layers)*directoryEntry+checksumBytes {
		return h, g, errors.New("it is damaged: its header is invalid; make it again with lab solve")
	}
	return h, g, nil
}

func (h *fileHeader) game() (Game, error) {
	r, err := rules.ParseRuleset(string(bytes.TrimRight(h.Rules[:], "\x00")))
	if err != nil {
		return Game{}, err
	}
	s, err := rules.ParseSize(rules.Size{Width: h.Width, Height: h.Height}.String())
	if err != nil {
		return Game{}, err
	}
	return Game{r, s}, Solvable(s)
}

// read reads a layer from the beginning of content, as its directory entry describes it, and returns the rest
// of content.
func (l *tableLayer) read(g Game, entry, content []byte) (rest []byte, err error) {
	l.states = int(binary.LittleEndian.Uint32(entry))
	blocks := (l.states + blockStates - 1) / blockStates
	lengths := []int{blocks * indexEntry, int(binary.LittleEndian.Uint32(entry[4:])), l.states * g.worthBytes()}
	for i, part := range []*[]byte{&l.index, &l.keys, &l.worths} {
		if lengths[i] > len(content) {
			return nil, errors.New("it is damaged: its directory is invalid; make it again with lab solve")
		}
		*part, content = content[:lengths[i]], content[lengths[i]:]
	}
	return content, nil
}
