package learning

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"versus2048/internal/sealed"
	"versus2048/internal/wholefile"
	"versus2048/players/ntuple"
)

// A checkpoint's file has the settings, what was done, and the state of a trainer: the weights, with
// temporal coherence the sums of their errors, and the earlier selves, each as the file of a network.

var checkpoint = sealed.Kind{
	Magic: "versus 2048 n-tuple checkpoint\n", Version: 1, Name: "a checkpoint of arena train", Remedy: "learn from the beginning",
}

// checkpointHeader is the header of a checkpoint's file. The body begins with as many bytes as it says
// for the packed weights and for each earlier self.
type checkpointHeader struct {
	Settings Settings `json:"settings"`
	Progress progress `json:"progress"`
	Weights  int      `json:"weights"`
	Earlier  []int    `json:"earlier"`
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
	if err := h.Settings.Validate(); err != nil || !ok || len(h.Earlier) > mostEarlier || h.Progress.Stride == 0 {
		return nil, errors.Join(wrong, err)
	}
	if err := h.Settings.fits(packed); err != nil {
		return nil, err
	}
	t, err := New(h.Settings)
	if err != nil {
		return nil, err
	}
	t.progress = h.Progress
	if err := t.weights.unpack(packed); err != nil {
		return nil, wrong
	}
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
	return t, nil
}

// The bytes of a weight in a checkpoint, and of the sums of its errors.
const (
	valueBytes  = 4
	errorsBytes = 8
)

// fits returns an error if a body cannot hold the weights, before memory is taken for them. DEFLATE makes
// nothing smaller than this.
func (s Settings) fits(packed []byte) error {
	structure, err := ntuple.Named(s.Structure, s.Size)
	if err != nil {
		return err
	}
	const mostRatio = 1032
	if valueBytes*structure.Weights() > mostRatio*len(packed) {
		return errors.New("its weights are incomplete: " + checkpoint.Remedy)
	}
	return nil
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
const portion = 1 << 14

func writeAll[T uint32 | uint64](w io.Writer, numbers []T) error {
	for len(numbers) > 0 {
		n := min(portion, len(numbers))
		if err := binary.Write(w, binary.LittleEndian, numbers[:n]); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}

// unpack reads the state of the weights.
func (w *weights) unpack(packed []byte) error {
	reader := flate.NewReader(bytes.NewReader(packed))
	if err := errors.Join(readAll(reader, w.values), readAll(reader, w.errors)); err != nil {
		return err
	}
	if n, err := reader.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return errors.New("more weights than the structure has")
	}
	return nil
}

func readAll[T uint32 | uint64](r io.Reader, numbers []T) error {
	for len(numbers) > 0 {
		n := min(portion, len(numbers))
		if err := binary.Read(r, binary.LittleEndian, numbers[:n]); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	return nil
}
