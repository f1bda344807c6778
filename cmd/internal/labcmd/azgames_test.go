package labcmd

import (
	"context"
	"testing"

	"versus2048/lab/chore"
)

// An interrupt after the last game loses none.
func TestCutShort(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	s := chore.SelfPlaySettings{Games: 2}
	if cutShort(ended, make([]chore.Game, 2), s) || !cutShort(ended, make([]chore.Game, 1), s) || cutShort(t.Context(), nil, s) {
		t.Error("an interrupt after the last of two games cuts short, or one before it does not")
	}
}
