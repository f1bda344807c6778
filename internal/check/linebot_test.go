package check

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/protocol/stdio"
)

// printed is a program that has printed a text.
type printed struct {
	program
	text string
}

func (p printed) stdout() io.Reader { return strings.NewReader(p.text) }

// A line has at most the bytes that an arena takes, its spaces included. The line after a longer one is read as it is.
func TestLongestLine(t *testing.T) {
	long := stdio.ErrTooLong.Error()
	for name, c := range map[string]struct {
		line string
		want []string // the problems of the lines
	}{
		"longest":              {strings.Repeat("x", stdio.MaxLine), []string{"", ""}},
		"one byte more":        {strings.Repeat("x", stdio.MaxLine+1), []string{long, ""}},
		"two bytes more":       {strings.Repeat("x", stdio.MaxLine+2), []string{long, ""}},
		"more than the buffer": {strings.Repeat("x", 3*stdio.MaxLine), []string{long, ""}},
		"spaces":               {strings.Repeat(" ", stdio.MaxLine), []string{""}},
		"too many spaces":      {strings.Repeat(" ", stdio.MaxLine+1), []string{long, ""}},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			bot := newLineChannel(printed{text: c.line + end + "move N" + end}, func() time.Duration { return 0 })
			var problems []string
			for r := range bot.texts() {
				problems = append(problems, r.problem)
			}
			if !slices.Equal(problems, c.want) {
				t.Errorf("%s, with the end %q: the problems are %q, want %q", name, end, problems, c.want)
			}
		}
	}
}
