package ntuple_test

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/disk"
	"versus2048/internal/testkit"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// tiny is a structure with few weights.
var tiny = ntuple.Structure{Name: "tiny", Size: rules.Size{Width: 2, Height: 2}, Tuples: [][]int{{0}, {0, 1}}}

// staged is tiny with three stages.
var staged = ntuple.Structure{Name: "staged", Size: tiny.Size, Tuples: tiny.Tuples, Stages: []int{8, 512}}

func written(t testing.TB, s ntuple.Structure, packed bool) (path string, content []byte) {
	t.Helper()
	_, n := drawn(t, s)
	path = filepath.Join(t.TempDir(), "a.ntuple")
	if err := n.WriteFile(path, packed, false); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestRoundTrip(t *testing.T) {
	for _, packed := range []bool{false, true} {
		for _, s := range append(small()[:2], tiny, staged) {
			path, _ := written(t, s, packed)
			_, want := drawn(t, s)
			n, err := ntuple.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(4, 4))
			for range 256 {
				if b := drawBoard(random, s.Size); n.Of(b) != want.Of(b) {
					t.Fatalf("%s on %v: %x is worth %d, want %d", s.Name, s.Size, b, n.Of(b), want.Of(b))
				}
			}
			if n.Recipe() != want.Recipe() {
				t.Errorf("recipe %v, want %v", n.Recipe(), want.Recipe())
			}
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A network that has learned next to nothing comes back. Its file has all weights: a file of the weights that are not 0
// would be refused as too small.
func TestNearlyEmpty(t *testing.T) {
	s := ntuple.Structures(rules.Size{Width: 3, Height: 3})[0]
	weights := make([]float32, s.Weights())
	weights[0] = math.MaxInt16 // then the scale is 1
	want, err := ntuple.New(s, weights, 5, ntuple.Recipe{Rules: rules.GPCC2015})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := want.Write(&file); err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for b := range rules.Board(256) {
		if n.Of(b) != want.Of(b) {
			t.Fatalf("%x is worth %d, want %d", b, n.Of(b), want.Of(b))
		}
	}
}

// Files of earlier programs have all weights, packed.
func TestDense(t *testing.T) {
	path, content := written(t, tiny, false)
	var header map[string]any
	body, err := format.Read(content, &header)
	if err != nil {
		t.Fatal(err)
	}
	header["packed"] = true
	var file bytes.Buffer
	if err := format.Write(&file, header, deflated(t, body)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	_, want := drawn(t, tiny)
	for b := range rules.Board(256) {
		if n.Of(b) != want.Of(b) {
			t.Fatalf("%x is worth %d, want %d", b, n.Of(b), want.Of(b))
		}
	}
}

func deflated(t testing.TB, text []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// A network with any bit changed, or cut off anywhere, is refused with an error of one line that names the file.
func TestDamage(t *testing.T) {
	for _, packed := range []bool{false, true} {
		path, content := written(t, tiny, packed)
		refused := func(what string, damaged []byte) {
			t.Helper()
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := ntuple.Open(path)
			if reason := new(ntuple.UnusableError); !errors.As(err, &reason) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
				t.Fatalf("%s: %v", what, err)
			}
		}
		for i := range content {
			damaged := bytes.Clone(content)
			damaged[i] ^= 1 << (i % 8)
			refused("a bit changed", damaged)
			refused("cut", content[:i])
		}
		refused("longer", append(bytes.Clone(content), 0))
		refused("foreign", bytes.Repeat([]byte("notes of mine\n"), 100))
	}
}

// format is the format of a network's file.
var format = disk.Sealed{Magic: "versus 2048 n-tuple network\n", Version: 1}

// hostile returns files with the right checksum but without a network, each with a part of the error.
func hostile(t testing.TB) map[string][]byte {
	t.Helper()
	type fields map[string]any
	structure := fields{"size": "2x2", "tuples": [][]int{{0}}}
	file := func(header any, body string) []byte {
		var content bytes.Buffer
		if err := format.Write(&content, header, []byte(body)); err != nil {
			t.Fatal(err)
		}
		return content.Bytes()
	}
	huge := fields{"size": "4x4", "tuples": [][]int{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}}}
	return map[string][]byte{
		"header is invalid":      file([]int{1}, ""),
		"structure is invalid":   file(fields{}, ""),
		"size \"9x9\"":           file(fields{"structure": fields{"size": "9x9"}}, ""),
		"bytes of weights":       file(fields{"structure": structure, "scale": 1}, "12"),
		"its scale is 0":         file(fields{"structure": structure, "scale": 0}, strings.Repeat("x", 32)),
		"its base is 1e+300":     file(fields{"structure": structure, "scale": 1, "base": 1e300}, strings.Repeat("x", 32)),
		"incomplete":             file(fields{"structure": structure, "scale": 1, "packed": true}, strings.Repeat("x", 32)),
		"or too many":            file(fields{"structure": structure, "scale": 1, "packed": true, "sparse": true}, string(deflated(t, wrongSparse["more than the weights"]))),
		"weights are incomplete": file(fields{"structure": huge, "scale": 1, "packed": true}, strings.Repeat("x", 32)),
	}
}

// wrongSparse has texts of sparse weights that a structure with 16 weights does not have: the number of the weights,
// their low and their high bytes, and their gaps.
var wrongSparse = map[string][]byte{
	"nothing":                  {},
	"an endless number":        bytes.Repeat([]byte{0xFF}, 11),
	"2^62 weights":             {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40},
	"more than the weights":    append([]byte{17}, bytes.Repeat([]byte{1}, 3*17)...),
	"no high byte":             {1, 7},
	"no gap":                   {1, 7, 0},
	"a gap of 0":               {2, 7, 7, 0, 0, 1, 0},
	"a gap beyond the weights": {1, 7, 0, 17},
	"two gaps beyond":          {2, 7, 7, 0, 0, 9, 8},
	"a gap of 2^64 - 1":        {2, 7, 7, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1},
	"more than its gaps":       {1, 7, 0, 16, 0},
}

// Sparse weights may end with the last one of the structure, but not beyond.
func TestSparse(t *testing.T) {
	read := func(text []byte) (*ntuple.Network, error) {
		var content bytes.Buffer
		header := map[string]any{"structure": map[string]any{"size": "2x2", "tuples": [][]int{{0}}}, "scale": 1, "packed": true, "sparse": true}
		if err := format.Write(&content, header, deflated(t, text)); err != nil {
			t.Fatal(err)
		}
		return ntuple.Read(content.Bytes())
	}
	n, err := read([]byte{2, 7, 9, 0, 0, 1, 15})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := n.Of(0xF), 9+3*7; got != want {
		t.Errorf("the board with one largest tile is worth %d, want %d", got, want)
	}
	for what, text := range wrongSparse {
		if n, err := read(text); err == nil || !strings.Contains(err.Error(), "incomplete or too many") {
			t.Errorf("%s: %v, error %v", what, n, err)
		}
	}
}

func TestHostile(t *testing.T) {
	for want, content := range hostile(t) {
		testkit.CheckAllocation(t, len(content), 2000, func() {
			if n, err := ntuple.Read(content); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, %v, want it to say %s", n, err, want)
			}
		})
	}
}

func TestOpenNothing(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(folder, "none"): "no such file", folder: "not an n-tuple network", empty: "not an n-tuple network"} {
		if _, err := ntuple.Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FuzzRead reads files with any header and body, and the right checksum. pack packs the body first, so that changes of
// it are changes of weights.
func FuzzRead(f *testing.F) {
	for _, packed := range []bool{false, true} {
		for _, s := range []ntuple.Structure{tiny, staged} {
			_, content := written(f, s, packed)
			addContent(f, content)
		}
	}
	for _, content := range hostile(f) {
		addContent(f, content)
	}
	for _, text := range wrongSparse {
		f.Add(`{"structure":{"size":"2x2","tuples":[[0]]},"scale":1,"packed":true,"sparse":true}`, text, true)
	}
	f.Fuzz(func(t *testing.T, header string, body []byte, pack bool) {
		if pack {
			body = deflated(t, body)
		}
		var content bytes.Buffer
		if format.Write(&content, json.RawMessage(header), body) != nil {
			return // the header is not JSON
		}
		testkit.CheckAllocation(t, content.Len(), 2000, func() {
			if n, err := ntuple.Read(content.Bytes()); err == nil {
				n.Of(0x11)
			}
		})
	})
}

func addContent(f *testing.F, content []byte) {
	f.Helper()
	var header json.RawMessage
	body, err := format.Read(content, &header)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(header), body, false)
}
