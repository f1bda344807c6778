package exact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"versus2048/rules"
)

// magic begins every table, whatever its version.
const magic = "versus 2048 exact values\n"

// version is that of the format: readers know no other.
const version = 1

// fileHeader is what a file begins with.
type fileHeader struct {
	Magic         [len(magic)]byte
	Version       uint8
	Rules         [8]byte // the name, filled up with zeros
	Width, Height uint8
	_             [4]byte
	Layers        uint32
	Start         uint64 // the board from which all others are reached
	States        uint64
	FileBytes     uint64
}

// headerBytes and directoryEntry are the sizes in bytes of the header, and of
// what the directory says of a layer: states, and bytes of keys.
const (
	headerBytes    = len(magic) + 1 + 8 + 2 + 4 + 4 + 8 + 8 + 8
	directoryEntry = 8
)

// States is how many positions with the attacker to move the table holds, equal
// ones under a symmetry counted once. All other values follow from theirs.
func (t *Table) States() int {
	n := 0
	for _, l := range t.layers {
		n += l.states
	}
	return n
}

// Bytes is the size of the table's file.
func (t *Table) Bytes() int {
	n := headerBytes + checksumBytes
	for _, l := range t.layers {
		n += directoryEntry + len(l.index) + len(l.keys) + len(l.worths)
	}
	return n
}

// header is the first part of the table's file.
func (t *Table) header() []byte {
	h := fileHeader{
		Version:   version,
		Width:     t.size.Width,
		Height:    t.size.Height,
		Layers:    uint32(len(t.layers)),
		States:    uint64(t.States()),
		FileBytes: uint64(t.Bytes()),
	}
	copy(h.Magic[:], magic)
	copy(h.Rules[:], t.rules.String())
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		panic(err) // the header has a fixed size
	}
	return b.Bytes()
}

// directory is the second part.
func (t *Table) directory() []byte {
	var b []byte
	for _, l := range t.layers {
		b = binary.LittleEndian.AppendUint32(b, uint32(l.states))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(l.keys)))
	}
	return b
}

// readHeader makes the table that a file's header describes, still without its
// layers, and returns what follows the header.
func readHeader(content []byte) (*Table, []byte, error) {
	var h fileHeader
	n, err := binary.Decode(content, binary.LittleEndian, &h)
	switch {
	case err != nil || string(h.Magic[:]) != magic:
		return nil, nil, errors.New("it is not a table of exact values")
	case h.Version != version:
		return nil, nil, fmt.Errorf("its format has version %d, this program knows %d: make it again with arena solve", h.Version, version)
	case h.FileBytes != uint64(len(content)):
		return nil, nil, fmt.Errorf("it has %d bytes instead of %d, a part is missing or added; make it again with arena solve", len(content), h.FileBytes)
	}
	g, err := h.game()
	if err != nil || h.FileBytes < uint64(n)+uint64(h.Layers)*directoryEntry+checksumBytes {
		return nil, nil, errors.New("it is damaged: its header makes no sense; make it again with arena solve")
	}
	return newTable(g, int(h.Layers)), content[n:], nil
}

func (h *fileHeader) game() (game, error) {
	r, err := rules.ParseRuleset(string(bytes.TrimRight(h.Rules[:], "\x00")))
	if err != nil {
		return game{}, err
	}
	s, err := rules.ParseSize(rules.Size{Width: h.Width, Height: h.Height}.String())
	if err != nil {
		return game{}, err
	}
	return game{r, s}, Solvable(s)
}

// read takes the layer that the directory's entry describes off a file's
// content.
func (l *tableLayer) read(g game, entry, content []byte) (rest []byte, err error) {
	l.states = int(binary.LittleEndian.Uint32(entry))
	blocks := (l.states + blockStates - 1) / blockStates
	lengths := []int{blocks * indexEntry, int(binary.LittleEndian.Uint32(entry[4:])), l.states * g.worthBytes()}
	for i, part := range []*[]byte{&l.index, &l.keys, &l.worths} {
		if lengths[i] > len(content) {
			return nil, errors.New("it is damaged: its directory makes no sense; make it again with arena solve")
		}
		*part, content = content[:lengths[i]], content[lengths[i]:]
	}
	return content, nil
}
