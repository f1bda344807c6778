package results

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The file of an event is checked to its end: one that is cut off, changed or none at all is refused.
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
		"changed":  {strings.Replace(text, `"leg":1`, `"leg":2`, 1), ErrBroken},
		"followed": {text + "{}\n", ErrBroken},
	} {
		if _, err := CheckFile(strings.NewReader(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
