package census

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// Verify finds any changed byte of a census that is kept whole, and changes nothing.
func TestVerifyCensus(t *testing.T) {
	s := keptCensus(t.TempDir())
	s.Keep = true
	runCensus(t, s)
	before := contents(t, s.Folder)
	v, err := Verify(t.Context(), s.Folder)
	if err != nil || v.Layers != 16 || v.Files != 15 || !v.Sealed || v.Bytes == 0 {
		t.Fatalf("%+v, error %v", v, err)
	}
	random := rand.New(rand.NewPCG(2, 0))
	for name, content := range before {
		if name == lockName {
			continue
		}
		path := filepath.Join(s.Folder, name)
		for range 5 {
			changed := []byte(content)
			changed[random.IntN(len(changed))] ^= 1 << random.IntN(8)
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if damaged := new(DamagedError); !errors.As(second(Verify(t.Context(), s.Folder)), &damaged) || damaged.Path != path {
				t.Errorf("%s: error %v", name, damaged)
			}
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(s.Folder, "layer-010")); err != nil {
		t.Fatal(err)
	}
	if damaged := new(DamagedError); !errors.As(second(Verify(t.Context(), s.Folder)), &damaged) {
		t.Error("a missing file goes unnoticed")
	}
}

// A state that no census can have recorded is damage. Its verification takes no memory, and no census goes on from it.
func TestImpossibleStates(t *testing.T) {
	plies := func(all ...int) (layers []recordedLayer) {
		for _, n := range all {
			layers = append(layers, recordedLayer{Layer: Layer{Plies: n, Positions: 1}})
		}
		layers[len(layers)-1].File = true
		return layers
	}
	late := position(t, "2048,0/0,2 D")
	for name, s := range map[string]state{
		"other rules":       {Rules: rules.GPCC2016, Start: empty.String(), Layers: plies(0, 2)},
		"no position":       {Start: "somewhere", Layers: plies(0, 2)},
		"enormous tiles":    {Start: strings.Repeat("65536,65536,65536,65536/", 3) + "65536,65536,65536,65536 D", Layers: plies(1, 3)},
		"many layers":       {Start: empty.String(), Layers: plies(make([]int, 5000)...)},
		"the same plies":    {Start: empty.String(), Layers: plies(make([]int, 50)...)},
		"a gap":             {Start: empty.String(), Layers: plies(0, 4)},
		"another beginning": {Start: late.String(), Layers: plies(late.Ply(), late.Ply()+2)},
	} {
		text, err := s.seal()
		if err != nil {
			t.Fatal(err)
		}
		c := keptCensus(t.TempDir())
		path := filepath.Join(c.Folder, stateName)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		took := testkit.Allocated(func() { err = second(Verify(t.Context(), c.Folder)) })
		if damaged := new(DamagedError); !errors.As(err, &damaged) || damaged.Path != path || took > 32<<20 {
			t.Errorf("%s: verifying takes %d bytes, error %v", name, took, err)
		}
		if start, err := rules.ParsePosition(s.Rules, s.Start); err == nil {
			c.Start = start
		}
		c.Plies = 10
		if _, err := Run(t.Context(), c); err == nil {
			t.Errorf("%s: a census goes on from there", name)
		}
	}
}

// An index with a piece larger than the file is damage, and takes no memory for the piece.
func TestForgedIndex(t *testing.T) {
	c := keptCensus(t.TempDir())
	runCensus(t, c)
	forgeLayer(t, c, func(path string, last *recordedLayer) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		index := content[last.Bytes:]
		binary.LittleEndian.PutUint32(index[4:], 1<<31)
		last.Checksum = crc32.Checksum(index, castagnoli)
		return os.WriteFile(path, content, 0o600)
	})
	var err error
	took := testkit.Allocated(func() { err = second(Verify(t.Context(), c.Folder)) })
	if damaged := new(DamagedError); !errors.As(err, &damaged) || damaged.Path != lastLayer(c) || took > 32<<20 {
		t.Errorf("verifying takes %d bytes, error %v", took, err)
	}
}

// A layer with a rank that no board has is damaged, whatever its checksums say. The last rank is not.
func TestForgedRank(t *testing.T) {
	for beyond := range uint32(2) {
		c := keptCensus(t.TempDir())
		runCensus(t, c)
		forgeLayer(t, c, func(path string, last *recordedLayer) error {
			s := newHalves(15).space(15)
			return writeLayer(path, s, last, uint32(s.ranks(s.pieces()-1))-1+beyond)
		})
		verified := second(Verify(t.Context(), c.Folder))
		c.Plies = 32
		_, counted := Run(t.Context(), c)
		for _, err := range []error{verified, counted} {
			if beyond == 0 && err != nil {
				t.Errorf("the last rank: error %v", err)
			}
			if damaged := new(DamagedError); beyond == 1 && (!errors.As(err, &damaged) || damaged.Path != lastLayer(c)) {
				t.Errorf("one beyond the last rank: error %v", err)
			}
		}
	}
}

// A layer whose file is shortened after it was opened is damaged.
func TestShortenedLayer(t *testing.T) {
	path, s := filepath.Join(t.TempDir(), "layer"), newHalves(15).space(15)
	var l recordedLayer
	if err := writeLayer(path, s, &l, 0); err != nil {
		t.Fatal(err)
	}
	layer, err := openSet(path, s, l.Bytes, l.Checksum)
	if err == nil {
		err = os.Truncate(path, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = layer.appendPiece(nil, s.pieces()-1, new([]byte))
	if damaged := new(DamagedError); !errors.As(err, &damaged) || damaged.Path != path {
		t.Errorf("error %v", err)
	}
	if err := layer.store.release(); err != nil {
		t.Error(err)
	}
}

// writeLayer writes a layer that has one number, in its last piece.
func writeLayer(path string, s *space, last *recordedLayer, number uint32) error {
	f, err := createFile(path)
	if err != nil {
		return err
	}
	layer := set{space: s, store: f}
	for range s.pieces() - 1 {
		if err := layer.append(nil, 0); err != nil {
			return err
		}
	}
	if err := layer.append(appendRice(nil, []uint32{number}, riceBits(1, s.shift)), 1); err != nil {
		return err
	}
	err = f.finish(&layer)
	last.Positions, last.Bytes, last.Checksum = 1, layer.size, f.indexChecksum
	return errors.Join(err, f.disk.Close())
}

// forgeLayer changes the file of a census's last layer, and makes census.json fit it.
func forgeLayer(t *testing.T, c Config, change func(path string, last *recordedLayer) error) {
	t.Helper()
	path := filepath.Join(c.Folder, stateName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseState(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := change(lastLayer(c), &s.Layers[len(s.Layers)-1]); err != nil {
		t.Fatal(err)
	}
	if text, err = s.seal(); err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lastLayer returns the path of the last layer that a census of 30 plies keeps.
func lastLayer(c Config) string { return filepath.Join(c.Folder, "layer-030") }

func second(_ Verification, err error) error { return err }
