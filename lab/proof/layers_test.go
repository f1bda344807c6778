package proof_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

var size = rules.Size{Width: 3, Height: 3}

// randomBoards returns different boards with a tile, in order.
func randomBoards(random *rand.Rand, n int) (all []rules.Board) {
	for range n {
		b := rules.Board(0).With(random.IntN(3), 1+random.IntN(5))
		for i := range 6 {
			b = b.With(4+i/3*4+i%3, random.IntN(9))
		}
		all = append(all, b)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	for _, n := range []int{0, 1, 2, 3, 100, 20000} {
		boards := randomBoards(random, n)
		n = len(boards)
		in, s := map[rules.Board]bool{}, certificate.NewBoardSet(slices.Clone(boards))
		for _, b := range boards {
			in[b] = true
			if !s.Has(b) {
				t.Fatalf("%d boards: %x is not in the set", n, uint64(b))
			}
		}
		for _, b := range randomBoards(random, 1000) {
			if s.Has(b) != in[b] {
				t.Fatalf("%d boards: %x in the set: %v", n, uint64(b), !in[b])
			}
		}
		if s.Len() != len(boards) || !slices.Equal(s.Boards(n/3, s.Len()), boards[n/3:]) || s.Bytes() > int64(24*len(boards)+32) {
			t.Errorf("%d boards: other boards, or %d bytes", n, s.Bytes())
		}
	}
}

func TestCollect(t *testing.T) {
	boards := randomBoards(rand.New(rand.NewPCG(3, 4)), 30000) // #nosec G404 -- a test
	twice := func(found, part []rules.Board) []rules.Board { return append(append(found, part...), part...) }
	for threads := 1; threads <= 3; threads++ {
		mixed := slices.Clone(boards)
		slices.Reverse(mixed)
		all, err := proof.Collect(t.Context(), threads, proof.Chunks(mixed, twice))
		if err != nil || !slices.Equal(all, boards) {
			t.Errorf("%d threads: %d boards, error %v; want %d", threads, len(all), err, len(boards))
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := proof.Collect(ctx, 2, proof.Chunks(boards, twice)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
}

// FirstTwos finds the boards that a look at each 2, and at the board without it, finds.
func TestFirstTwos(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8)) // #nosec G404 -- a test
	for _, size := range rules.Sizes() {
		twos, found := proof.NewFirstTwos(size), 0
		for range 500 {
			var b rules.Board
			for cells := b.Empty(size); cells != 0; cells &= cells - 1 {
				b |= rules.Board(random.IntN(4)) << bits.TrailingZeros64(cells)
			}
			var have, want []rules.Board
			twos.Before(b, func(b rules.Board) { have = append(have, b) })
			for cell := range 16 {
				if b.Exponent(cell) != 1 {
					continue
				}
				before := (b &^ (15 << (4 * cell))).Canonical(size)
				first := bits.TrailingZeros64(before.Empty(size)) / 4
				if before.With(first, 1).Canonical(size) == b.Canonical(size) {
					want = append(want, before)
				}
			}
			if found += len(want); !slices.Equal(have, want) {
				t.Fatalf("%v, board %x: %x, want %x", size, uint64(b), have, want)
			}
		}
		if found == 0 {
			t.Errorf("%v: no board was found", size)
		}
	}
}

func someLayers() []certificate.Layer {
	random := rand.New(rand.NewPCG(5, 6)) // #nosec G404 -- a test
	return []certificate.Layer{{Sum: 40, Boards: randomBoards(random, 3)}, {Sum: 38, Boards: randomBoards(random, 200)}, {Sum: 2, Boards: randomBoards(random, 1)}}
}

func TestFile(t *testing.T) {
	var file bytes.Buffer
	out, err := certificate.NewLayerWriter(&file, size, "first\n")
	if err != nil {
		t.Fatal(err)
	}
	want := someLayers()
	for _, l := range want {
		if err := out.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	whole := int64(file.Len())
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	in := certificate.NewLayerReader(bytes.NewReader(file.Bytes()[len("first\n"):]), size, int64(len("first\n")))
	var have []certificate.Layer
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if have = append(have, l); len(have) == len(want) && in.Offset() != whole {
			t.Errorf("the layers end at %d, want %d", in.Offset(), whole)
		}
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("read %v, want %v", have, want)
	}
}

// Wherever a file cannot be read, the reader says that, and not that the file ends there.
func TestUnreadableFile(t *testing.T) {
	var file bytes.Buffer
	out, err := certificate.NewLayerWriter(&file, size, "")
	if err == nil {
		err = errors.Join(out.Write(someLayers()[0]), out.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Len() {
		for end, want := range map[error]error{syscall.EIO: syscall.EIO, io.EOF: io.ErrUnexpectedEOF} {
			in := certificate.NewLayerReader(io.MultiReader(bytes.NewReader(file.Bytes()[:i]), iotest.ErrReader(end)), size, 0)
			var err error
			for err == nil {
				_, err = in.Next()
			}
			if !errors.Is(err, want) {
				t.Errorf("%v after %d bytes: error %v, want %v", end, i, err, want)
			}
		}
	}
}

// A state gives back each layer, also after it was opened again, and to one process at a time.
func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	want := someLayers()
	for i := range want {
		ends := []int64{int64(len("first\n"))}
		s, err := proof.OpenLayers(path, size, "first\n", func(l certificate.Layer, end int64) error {
			if !reflect.DeepEqual(l, want[len(ends)-1]) {
				t.Errorf("opened %d times: layer %v, want %v", i, l, want[len(ends)-1])
			}
			ends = append(ends, end)
			return nil
		})
		if err != nil || len(ends) != i+1 {
			t.Fatalf("opened %d times: %d layers, error %v", i, len(ends)-1, err)
		}
		_, err = proof.OpenLayers(path, size, "first\n", nil)
		if inUse := (*proof.StateError)(nil); !errors.As(err, &inUse) {
			t.Errorf("opened twice at once: error %v", err)
		}
		end, err := s.Add(want[i])
		if err != nil {
			t.Fatal(err)
		}
		for j, end := range append(ends[1:], end) {
			begin := int64(len("first\n"))
			if j > 0 {
				begin = ends[j]
			}
			if l, err := s.Read(begin, end); err != nil || !reflect.DeepEqual(l, want[j]) {
				t.Errorf("read layer %d: %v, error %v", j, l, err)
			}
		}
		if _, err := s.Read(2, end); err == nil {
			t.Error("what is no layer was read")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A certificate begins like a state, but has an end: it is refused, and stays as it is.
func TestCertificateIsNoState(t *testing.T) {
	var file bytes.Buffer
	out, err := certificate.NewLayerWriter(&file, size, "first\n")
	if err == nil {
		err = errors.Join(out.Write(someLayers()[0]), out.Close())
	}
	path := filepath.Join(t.TempDir(), "certificate")
	if err = errors.Join(err, os.WriteFile(path, file.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err = proof.OpenLayers(path, size, "first\n", func(certificate.Layer, int64) error { return nil })
	if wrong := (*proof.StateError)(nil); !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Reason, "it is a finished certificate") {
		t.Errorf("error %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file.Bytes()) {
		t.Errorf("the certificate has changed, or error %v", err)
	}
}
