package labcmd

import (
	"io"
	"strings"
	"testing"
)

// page is a document of some Markdown.
type page string

func (p page) WriteMarkdown(w io.Writer) error {
	_, err := io.WriteString(w, string(p))
	return err
}

func (p page) WritePlot(w io.Writer, _ string) error { return p.WriteMarkdown(w) }

// A paragraph wraps once, whatever the width of its lines; tables and lists keep their lines.
func TestFitted(t *testing.T) {
	const text = "one two three\nfour five\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nsix\n- seven\n- eight\nnine\nten"
	for width, want := range map[int]string{
		0:  text,
		20: "one two three four\n  five\n\na  b\n1  2\n\nsix\n- seven\n- eight\nnine ten\n",
	} {
		var got strings.Builder
		if err := fitted(width, page(text))(&got); err != nil || got.String() != want {
			t.Errorf("width %d: %q, %v; want %q", width, got.String(), err, want)
		}
	}
}

// A spec that is wrong is no bot, and the error names it.
func TestBotsOf(t *testing.T) {
	if _, err := botsOf([]string{"random", "nobody"}); err == nil || !strings.HasPrefix(err.Error(), "bot nobody: ") {
		t.Errorf("error %v", err)
	}
	for _, specs := range [][]string{learners, yardsticks} {
		if bots, err := botsOf(specs); err != nil || len(bots) != len(specs) {
			t.Errorf("%d bots of %v, %v", len(bots), specs, err)
		}
	}
}
