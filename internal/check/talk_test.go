package check

import (
	"fmt"
	"strings"
	"testing"
)

// A long line is cut between two characters. A line of other bytes is cut, too.
func TestLongLineIsCutBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		text string
		kept int // bytes
	}{
		{strings.Repeat("x", widest) + "x", widest},
		{strings.Repeat("x", widest-1) + "é", widest - 1},
		{strings.Repeat("x", widest-3) + "😀", widest - 3},
		{strings.Repeat("\x80", 2*widest), widest - 4},
	} {
		var conversation talk
		conversation.note(fromBot, c.text, 0)
		want := fmt.Sprintf("%s... (%d bytes)", c.text[:c.kept], len(c.text))
		if got := conversation.lines[0].Text; got != want {
			t.Errorf("the line is %q, want %q", got, want)
		}
	}
}
