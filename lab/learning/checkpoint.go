package learning

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"versus2048/internal/disk"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// A checkpoint's file has the settings, the progress, and the state of a trainer: the weights (with temporal
// coherence also the sums of their errors), their average if there is one, the earlier selves, each as the file
// of a network, and the boards that later games may begin from.

var checkpoint = disk.Sealed{
	Magic: "versus 2048 n-tuple checkpoint\n", Version: 1, Name: "a checkpoint of lab train", Remedy: "learn from the beginning",
}

// checkpointHeader is the header of a checkpoint's file. It has the numbers of bytes of the parts of the body:
// the packed weights, their packed average, each earlier self, and the boards of earlier games.
type checkpointHeader struct {
	Settings Settings `json:"settings"`
	Progress progress `json:"progress"`
	Weights  int      `json:"weights"`
	Average  int      `json:"average,omitzero"`
	Averaged uint64   `json:"averaged,omitzero"` // the number of games when weights were last added to the average
	Earlier  []int    `json:"earlier"`
	Past     int      `json:"past,omitzero"`
}

// WriteFile writes a checkpoint, so that Open can continue from it. If the process is killed meanwhile, the file is
// the old one or the new one, never a part of it.
func (t *Trainer) WriteFile(path string) error {
	weights, err := t.weights.pack()
	if err != nil {
		return err
	}
	h := checkpointHeader{Settings: t.settings, Progress: t.progress, Weights: len(weights)}
	body := [][]byte{weights}
	if t.average != nil {
		average, err := t.average.pack()
		if err != nil {
			return err
		}
		h.Average, h.Averaged = len(average), t.average.games
		body = append(body, average)
	}
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
	err = disk.Write(path, true, func(w io.Writer) error { return checkpoint.Write(w, h, body...) })
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return nil
}

// Open returns a trainer that continues from a checkpoint. With one thread it learns the same weights as
// without the interruption.
func Open(path string) (*Trainer, error) {
	content, err := disk.Read(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	t, err := read(content)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return t, nil
}

// errDamaged is the error for a checkpoint with parts that do not fit its header.
var errDamaged = errors.New("it is damaged: " + checkpoint.Remedy)

// read returns the trainer in the content of a checkpoint's file.
func read(content []byte) (*Trainer, error) {
	var h checkpointHeader
	body, err := checkpoint.Read(content, &h)
	if err != nil {
		return nil, err
	}
	if err := h.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("its settings are invalid: %w: %s", err, checkpoint.Remedy)
	}
	p, whole := h.divide(body)
	if stride := h.Progress.Stride; !whole || stride == 0 || stride > MostGames || !powerOfTwo(stride) {
		return nil, errDamaged
	}
	return h.trainer(p)
}

// parts are the parts of a checkpoint's body.
type parts struct {
	weights, average []byte // packed
	earlier          [][]byte
	past             []byte
}

// divide returns the parts of a body. whole is false if there are too many earlier selves, or the body is too
// short for its parts.
func (h checkpointHeader) divide(body []byte) (p parts, whole bool) {
	if len(h.Earlier) > mostEarlier {
		return p, false
	}
	whole = true
	take := func(length int) (part []byte) {
		if length < 0 || length > len(body) {
			whole = false
			return nil
		}
		part, body = body[:length], body[length:]
		return part
	}
	p.weights, p.average = take(h.Weights), take(h.Average)
	for _, length := range h.Earlier {
		p.earlier = append(p.earlier, take(length))
	}
	p.past = take(h.Past)
	return p, whole
}

// trainer returns the trainer that was written as these parts.
func (h checkpointHeader) trainer(p parts) (*Trainer, error) {
	state, err := unpack(p.weights, p.average, h)
	if err != nil {
		return nil, errDamaged
	}
	t, err := New(h.Settings)
	if err != nil {
		return nil, err
	}
	t.progress = h.Progress
	t.restore(state, h.Averaged)
	if t.earlier, err = readEarlier(p.earlier, h.Settings.Size); err != nil {
		return nil, err
	}
	if t.past == nil && h.Past > 0 || t.past != nil && t.past.unpack(p.past, h.Settings.Size) != nil {
		return nil, errDamaged
	}
	return t, nil
}

// restore sets the weights of a new trainer, and their average. averaged is the number of games when weights
// were last added to the average.
func (t *Trainer) restore(s state, averaged uint64) {
	restore(s.values, func(i int, value uint32) { t.weights.all[i].value = math.Float32frombits(value) })
	var shared []uint32
	restore(s.errors, func(i int, both uint64) {
		shared = t.weights.features.Shared(shared[:0], uint32(i))
		for _, i := range shared { // older checkpoints have the sums only at the least of these numbers
			one := &t.weights.all[i]
			one.errors, one.absolute = math.Float32frombits(uint32(both)), math.Float32frombits(uint32(both>>32))
		}
	})
	if t.average != nil {
		t.average.games = averaged
		restore(s.average, func(i int, weight float32) { t.average.weights[i] = weight })
	}
}

// readEarlier returns the earlier selves. Each part is the file of one of them.
func readEarlier(parts [][]byte, size rules.Size) (earlier []*ntuple.Network, err error) {
	for _, part := range parts {
		n, err := ntuple.Read(part)
		if err != nil {
			return nil, err
		}
		if n.Size() != size {
			return nil, errDamaged
		}
		earlier = append(earlier, n)
	}
	return earlier, nil
}

// pack returns the weights, with temporal coherence also the sums of their errors. It compresses them by DEFLATE, since
// most are 0.
func (w *weights) pack() ([]byte, error) {
	value := func(i int) uint32 { return math.Float32bits(w.all[i].value) }
	both := func(i int) uint64 {
		return uint64(math.Float32bits(w.all[i].errors)) | uint64(math.Float32bits(w.all[i].absolute))<<32
	}
	return deflate(func(to io.Writer) error {
		if err := writeAll(to, len(w.all), value); err != nil || !w.coherent {
			return err
		}
		return writeAll(to, len(w.all), both)
	})
}

// pack returns the average, compressed in the same way.
func (a *average) pack() ([]byte, error) {
	return deflate(func(to io.Writer) error {
		return writeAll(to, len(a.weights), func(i int) float32 { return a.weights[i] })
	})
}

// deflate returns everything that write writes, compressed by DEFLATE.
func deflate(write func(io.Writer) error) ([]byte, error) {
	var packed bytes.Buffer
	writer, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(write(writer), writer.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// portion is the number of numbers that are written or read at once.
const portion = 1 << 12

// writeAll writes n numbers in portions: a byte 1 and the numbers, or a byte 0 if all are 0.
func writeAll[T uint32 | uint64 | float32](w io.Writer, n int, number func(i int) T) error {
	room := make([]T, portion)
	for from := 0; from < n; from += portion {
		part, mark := room[:min(portion, n-from)], byte(0)
		for i := range part {
			if part[i] = number(from + i); part[i] != 0 {
				mark = 1
			}
		}
		if _, err := w.Write([]byte{mark}); err != nil {
			return err
		}
		if mark == 0 {
			continue
		}
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// state is the state of weights in portions. A portion that is all 0 is nil.
type state struct {
	values  [][]uint32
	errors  [][]uint64
	average [][]float32
}

// unpack undoes pack, for the weights and for their average. The portions take at most 1,100 times the packed size, and
// each list of portions about a megabyte at most. The trainer's own weights are made later, when the packed ones are
// known to be complete.
func unpack(weights, average []byte, h checkpointHeader) (s state, err error) {
	structure, err := h.Settings.structure()
	if err != nil {
		return s, err
	}
	n := structure.Weights()
	err = inflate(weights, func(from io.Reader) (err error) {
		if s.values, err = readAll[uint32](from, n); err == nil && h.Settings.Coherence {
			s.errors, err = readAll[uint64](from, n)
		}
		return err
	})
	switch averaged := h.Settings.Average > 0; {
	case err != nil:
		return s, err
	case averaged != (len(average) > 0):
		return s, errors.New("the settings have an average and the body has none, or the reverse")
	case h.Averaged > h.Progress.Games:
		return s, errors.New("an average of more games than were played")
	case !averaged:
		return s, nil
	}
	err = inflate(average, func(from io.Reader) (err error) {
		s.average, err = readAll[float32](from, n)
		return err
	})
	return s, err
}

// inflate decompresses the output of deflate for read. It returns an error if read leaves something unread.
func inflate(packed []byte, read func(io.Reader) error) error {
	reader := flate.NewReader(bytes.NewReader(packed))
	if err := read(reader); err != nil {
		return err
	}
	if n, err := reader.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return errors.New("more weights than the structure has")
	}
	return nil
}

// readAll reads n numbers in portions, as writeAll wrote them.
func readAll[T uint32 | uint64 | float32](r io.Reader, n int) (parts [][]T, err error) {
	mark := make([]byte, 1)
	for ; n > 0; n -= portion {
		if _, err := io.ReadFull(r, mark); err != nil {
			return nil, err
		}
		var part []T
		if mark[0] != 0 {
			part = make([]T, min(n, portion))
			if err := binary.Read(r, binary.LittleEndian, part); err != nil {
				return nil, err
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// restore sets the numbers of portions that are not 0.
func restore[T uint32 | uint64 | float32](parts [][]T, set func(i int, number T)) {
	for at, part := range parts {
		for i, number := range part {
			if number != 0 {
				set(at*portion+i, number)
			}
		}
	}
}
