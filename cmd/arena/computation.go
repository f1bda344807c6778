package main

import (
	"io"
	"time"
)

// patience is how long a computation may take before it is said how far it is.
const patience = 2 * time.Second

// computation is the display of one that may be over at once: then it shows
// nothing.
type computation struct {
	*display
	began time.Time
}

func newComputation(out io.Writer, quiet bool) computation {
	return computation{newDisplay(out, quiet), time.Now()}
}

// draw shows a line as a display does, if the computation takes its time.
func (c computation) draw(mark any, line string) {
	if time.Since(c.began) >= patience {
		c.display.draw(mark, line)
	}
}
