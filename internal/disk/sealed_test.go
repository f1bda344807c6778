package disk_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"versus2048/internal/disk"
)

var kind = disk.Sealed{Magic: "notes\n", Version: 3, Name: "a note", Remedy: "write it again"}

func written(t *testing.T, k disk.Sealed, header any, body ...[]byte) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := k.Write(&file, header, body...); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, body := range []string{"", "x", strings.Repeat("long", 1000)} {
		var header map[string]int
		got, err := kind.Read(written(t, kind, map[string]int{"a": 1}, []byte(body), []byte("!")), &header)
		if err != nil || string(got) != body+"!" || header["a"] != 1 {
			t.Errorf("%q: got %q and %v, %v", body, got, header, err)
		}
	}
}

// Whatever bit is changed, and wherever it is cut, the file is refused.
func TestDamage(t *testing.T) {
	content := written(t, kind, "head", []byte("body"))
	for i := range content {
		for bit := range 8 {
			damaged := bytes.Clone(content)
			damaged[i] ^= 1 << bit
			if body, err := kind.Read(damaged, new(string)); err == nil {
				t.Errorf("bit %d of byte %d: read %q", bit, i, body)
			}
		}
		if body, err := kind.Read(content[:i], new(string)); err == nil {
			t.Errorf("cut at %d: read %q", i, body)
		}
	}
}

func TestRefuses(t *testing.T) {
	later, other := kind, kind
	later.Version, other.Magic = 4, "votes\n"
	for want, content := range map[string][]byte{
		"not a note":         written(t, other, "head"),
		"format has version": written(t, later, "head"),
		"header is invalid":  written(t, kind, 17),
	} {
		if _, err := kind.Read(content, new(string)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %s", err, want)
		}
	}
	for _, header := range []any{make(chan int), strings.Repeat("x", disk.MaxHeader)} {
		if err := kind.Write(&bytes.Buffer{}, header); err == nil {
			t.Error("a header that cannot be read again was written")
		}
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	if err := kind.Write(&file, []int{1, 2}, []byte("body")); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, content []byte) {
		var header json.RawMessage
		if body, err := kind.Read(content, &header); err == nil && len(body) > len(content) {
			t.Errorf("%d bytes of body in %d", len(body), len(content))
		}
	})
}
