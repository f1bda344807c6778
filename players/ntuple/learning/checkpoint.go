package learning

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"versus2048/internal/sealed"
	"versus2048/internal/wholefile"
	"versus2048/players/ntuple"
)

// A checkpoint's file has the settings, what was done, and the state of a trainer: the weights, with
// temporal coherence the sums of their errors, the earlier selves, each as the file of a network, and the
// boards from which games begin.

var checkpoint = sealed.Kind{
	Magic: "versus 2048 n-tuple checkpoint\n", Version: 1, Name: "a checkpoint of arena train", Remedy: "learn from the beginning",
}

// checkpointHeader is the header of a checkpoint's file. The body begins with as many bytes as it says
// for the packed weights, for each earlier self and for the boards of earlier games.
type checkpointHeader struct {
	Settings Settings `json:"settings"`
	Progress progress `json:"progress"`
	Weights  int      `json:"weights"`
	Earlier  []int    `json:"earlier"`
	Past     int      `json:"past,omitzero"`
}

// WriteFile writes a checkpoint, from which Open continues. The file appears, or is replaced, only when
// it is complete: whenever the process is killed, there is the old one or the new one.
func (t *Trainer) WriteFile(path string) error {
	weights, err := t.weights.pack()
	if err != nil {
		return err
	}
	h := checkpointHeader{Settings: t.settings, Progress: t.progress, Weights: len(weights)}
	body := [][]byte{weights}
	for _, n := range t.earlier {
		var content bytes.Buffer
		if err := n.Write(&content); err != nil {
			return err
		}
		h.Earlier = append(h.Earlier, content.Len())
		body = append(body, content.Bytes())
	}
	if t.past != nil {
		boards := t.past.pack()
		h.Past = len(boards)
		body = append(body, boards)
	}
	err = wholefile.Write(path, true, func(w io.Writer) error { return checkpoint.Write(w, h, body...) })
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return nil
}

// Open returns a trainer that continues from a checkpoint. With one thread it learns what it would have
// learned without the interruption.
func Open(path string) (*Trainer, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	t, err := read(content)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return t, nil
}

// read returns the trainer in the content of a checkpoint's file.
func read(content []byte) (*Trainer, error) {
	var h checkpointHeader
	body, err := checkpoint.Read(content, &h)
	if err != nil {
		return nil, err
	}
	wrong := errors.New("it is damaged: " + checkpoint.Remedy)
	take := func(length int) (part []byte, ok bool) {
		if length < 0 || length > len(body) {
			return nil, false
		}
		part, body = body[:length], body[length:]
		return part, true
	}
	packed, ok := take(h.Weights)
	if err := h.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("its settings are invalid: %w: %s", err, checkpoint.Remedy)
	}
	if !ok || len(h.Earlier) > mostEarlier || h.Progress.Stride == 0 {
		return nil, wrong
	}
	state, err := unpack(packed, h.Settings)
	if err != nil {
		return nil, wrong
	}
	t, err := New(h.Settings)
	if err != nil {
		return nil, err
	}
	t.progress = h.Progress
	restore(t.weights.values, state.values)
	restore(t.weights.errors, state.errors)
	for _, length := range h.Earlier {
		part, ok := take(length)
		if !ok {
			return nil, wrong
		}
		n, err := ntuple.Read(part)
		if err != nil {
			return nil, err
		}
		if n.Size() != h.Settings.Size {
			return nil, wrong
		}
		t.earlier = append(t.earlier, n)
	}
	if boards, ok := take(h.Past); !ok || t.past == nil && h.Past > 0 || t.past != nil && t.past.unpack(boards, h.Settings.Size) != nil {
		return nil, wrong
	}
	return t, nil
}

// pack returns the state of the weights, by DEFLATE: most of them are 0.
func (w *weights) pack() ([]byte, error) {
	var packed bytes.Buffer
	writer, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(writeAll(writer, w.values), writeAll(writer, w.errors), writer.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// portion is how many numbers are written or read at once.
const portion = 1 << 12

// writeAll writes numbers in portions: a byte 1 and the numbers, or a byte 0 if all are 0.
func writeAll[T uint32 | uint64](w io.Writer, numbers []T) error {
	for part := range slices.Chunk(numbers, portion) {
		some := slices.ContainsFunc(part, func(n T) bool { return n != 0 })
		if _, err := w.Write([]byte{map[bool]byte{true: 1}[some]}); err != nil {
			return err
		}
		if !some {
			continue
		}
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// state is the state of weights in portions, nil for those that are all 0.
type state struct {
	values [][]uint32
	errors [][]uint64
}

// unpack returns the state that was packed. What it allocates is bounded by 1,100 times the packed state:
// the weights themselves are made when it is known to be whole.
func unpack(packed []byte, settings Settings) (s state, err error) {
	structure, err := ntuple.Named(settings.Structure, settings.Size)
	if err != nil {
		return s, err
	}
	reader := flate.NewReader(bytes.NewReader(packed))
	if s.values, err = readAll[uint32](reader, structure.Weights()); err != nil {
		return s, err
	}
	if settings.Coherence {
		if s.errors, err = readAll[uint64](reader, structure.Weights()); err != nil {
			return s, err
		}
	}
	if n, err := reader.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return s, errors.New("more weights than the structure has")
	}
	return s, nil
}

// readAll reads what writeAll wrote of n numbers, in portions.
func readAll[T uint32 | uint64](r io.Reader, n int) (parts [][]T, err error) {
	some := make([]byte, 1)
	for ; n > 0; n -= portion {
		if _, err := io.ReadFull(r, some); err != nil {
			return nil, err
		}
		var part []T
		if some[0] != 0 {
			part = make([]T, min(n, portion))
			err = binary.Read(r, binary.LittleEndian, part)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// restore copies portions to the numbers that they are of, which are 0.
func restore[T uint32 | uint64](numbers []T, parts [][]T) {
	for i, part := range parts {
		copy(numbers[i*portion:], part)
	}
}
