package plain_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"versus2048/internal/text/plain"
)

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "\ufeff": "", "\ufeffa\ufeff": "a\ufeff", "\ufeff\ufeffa": "\ufeffa", "\xef\xbb": "\xef\xbb", "\xef\xbb\xbe": "\xef\xbb\xbe",
	} {
		if got := plain.TrimBOM(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := string(plain.TrimBOM([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(plain.WithoutBOM(r)); err != nil || string(got) != want {
				t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
			}
		}
	}
}

// Errors come as they are, before and after the mark.
func TestErrors(t *testing.T) {
	failure := errors.New("broken")
	for _, text := range []string{"", "\ufeff", "\ufeffa"} {
		r := plain.WithoutBOM(io.MultiReader(strings.NewReader(text), iotest.ErrReader(failure)))
		if got, err := io.ReadAll(r); string(got) != plain.TrimBOM(text) || !errors.Is(err, failure) {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
}

// The first byte of a text that has no mark is enough.
func TestNoWaiting(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go func() { _, _ = w.Write([]byte("v")) }()
	if n, err := plain.WithoutBOM(r).Read(make([]byte, 9)); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
