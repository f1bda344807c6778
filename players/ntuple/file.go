package ntuple

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/edsrzf/mmap-go"

	"versus2048/internal/disk"
	"versus2048/rules"
)

// Recipe describes how a network was learned, so that somebody else can do it again.
type Recipe struct {
	Rules   rules.Ruleset `json:"rules"`
	Command string        `json:"command"` // the command that learns it again, limited by the games instead of a time
	Games   uint64        `json:"games"`
	Plies   uint64        `json:"plies"`
	Time    time.Duration `json:"nanoseconds"` // the time of learning
}

// file is the kind of a network's file. Its body is the weights of the stages and tuples in their order, as
// little-endian numbers of 16 bits, packed or not. Packed files of earlier programs are not sparse.
var file = disk.Sealed{
	Magic: "versus 2048 n-tuple network\n", Version: 1, Name: "an n-tuple network", Remedy: "learn it again with lab train",
}

// header is the header of a network's file.
type header struct {
	Structure Structure `json:"structure"`
	Recipe    Recipe    `json:"recipe"`
	Base      float64   `json:"base"`
	Scale     float64   `json:"scale"`
	Packed    bool      `json:"packed"`           // by DEFLATE: see pack
	Sparse    bool      `json:"sparse,omitempty"` // packed without the weights that are 0: see sparse
}

// UnusableError is the error for a file that has no usable network.
type UnusableError struct{ Path, Reason string }

func (e *UnusableError) Error() string { return fmt.Sprintf("network %s: %s", e.Path, e.Reason) }

// WriteFile writes the network to a file, which appears only when it is complete. A packed file is small, since
// most weights are 0, but the network then takes its full size in memory. A file that is not packed is mapped
// into memory. If replace is false and the file exists, WriteFile returns an error that wraps fs.ErrExist.
func (n *Network) WriteFile(path string, packed, replace bool) error {
	err := disk.Write(path, replace, func(w io.Writer) error { return n.write(w, packed) })
	if err != nil {
		return fmt.Errorf("network %s: %w", path, err)
	}
	return nil
}

// Write writes the network's file, packed. It returns w's error.
func (n *Network) Write(w io.Writer) error { return n.write(w, true) }

func (n *Network) write(w io.Writer, packed bool) error {
	h := header{Structure: n.structure, Recipe: n.recipe, Base: n.base, Scale: n.scale, Packed: packed}
	if !packed {
		var tables [][]byte
		for _, s := range n.stages {
			tables = append(tables, s.tables...)
		}
		return file.Write(w, h, tables...)
	}
	body, sparse, err := n.pack()
	if err != nil {
		return err
	}
	h.Sparse = sparse
	return file.Write(w, h, body)
}

// noNetwork is the reason to refuse a file that is not regular, or an empty one, which cannot be mapped.
const noNetwork = "it is not an n-tuple network"

// Open opens the network in a file. A network that is not packed stays in the file, so the file must not change
// until the network is closed. Open returns an *UnusableError for a file that has no usable network.
func Open(path string) (*Network, error) {
	f, size, err := disk.Open(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, &UnusableError{path, noNetwork}
	}
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close() // the mapping remains
	if size == 0 {
		return nil, &UnusableError{path, noNetwork}
	}
	content, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("network %s: %w", path, err)
	}
	n, shared, err := read(content)
	if err != nil {
		return nil, errors.Join(&UnusableError{path, err.Error()}, content.Unmap())
	}
	if shared {
		n.close = content.Unmap
		return n, nil
	}
	return n, content.Unmap()
}

// Read returns the network in the content of a file, which must not change. It returns an error for any other
// content. It allocates at most 1,800 times the size of the content, and at most twice MostBytes.
func Read(content []byte) (*Network, error) {
	n, _, err := read(content)
	return n, err
}

// read returns the network in the content of a file. shared reports whether the weights of the network are a part
// of the content.
func read(content []byte) (n *Network, shared bool, err error) {
	var h header
	body, err := file.Read(content, &h)
	if err == nil {
		err = h.check()
	}
	if err != nil {
		return nil, false, err
	}
	if bytes := weightBytes * h.Structure.Weights(); h.Packed {
		body, err = unpack(body, h.Structure, h.Sparse)
	} else if len(body) != bytes {
		err = fmt.Errorf("it has %d bytes of weights instead of %d: %s", len(body), bytes, file.Remedy)
	}
	if err != nil {
		return nil, false, err
	}
	n = newNetwork(h.Structure, h.Recipe)
	n.base, n.scale = h.Base, h.Scale
	n.divide(body)
	if h.Packed {
		n.mirror()
	}
	return n, !h.Packed, nil
}

// mostPoints is more than the score of any game.
const mostPoints = 1e8

func (h header) check() error {
	if err := h.Structure.Validate(); err != nil {
		return fmt.Errorf("its structure is invalid: %w", err)
	}
	if !(math.Abs(h.Base) <= mostPoints) {
		return fmt.Errorf("its base is %g: want %g to %g: %s", h.Base, -mostPoints, mostPoints, file.Remedy)
	}
	if !(h.Scale > 0 && h.Scale <= mostPoints) {
		return fmt.Errorf("its scale is %g: want more than 0, and at most %g: %s", h.Scale, mostPoints, file.Remedy)
	}
	return nil
}
