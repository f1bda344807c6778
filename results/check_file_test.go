package results

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// CheckFile reads the file of an event to its end. It refuses a file that is cut off, changed or of another kind.
func TestCheckFile(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	var file bytes.Buffer
	want, err := s.Export(t.Context(), &file, 1)
	if err != nil {
		t.Fatal(err)
	}
	want.Event = 0 // a file has no number
	if got, err := CheckFile(bytes.NewReader(file.Bytes())); err != nil || got != want {
		t.Errorf("%+v, want %+v (%v)", got, want, err)
	}
	text := file.String()
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":    {"", ErrTruncated},
		"another":  {"{}\n", ErrNoEvent},
		"cut off":  {text[:strings.LastIndex(text, `{"end"`)], ErrTruncated},
		"newer":    {strings.Replace(text, `"version":1`, `"version":2`, 1), ErrNewer},
		"changed":  {strings.Replace(text, `"leg":1`, `"leg":2`, 1), ErrBroken},
		"followed": {text + "{}\n", ErrBroken},
	} {
		if _, err := CheckFile(strings.NewReader(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
