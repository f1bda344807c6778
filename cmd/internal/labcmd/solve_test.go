package labcmd

import (
	"testing"
	"time"

	"versus2048/lab/retrograde"
)

func TestSolveLine(t *testing.T) {
	for want, p := range map[string]retrograde.Progress{
		"enumerating [=====               ] sum 15/60, 2000000 positions, 1.0 M/s":     {Sum: 15, Largest: 60, Done: 2_000_000},
		"solving [==========          ] 1000000/2000000 positions, 0.5 M/s, 0:02 left": {Solving: true, Done: 1_000_000, Total: 2_000_000},
	} {
		if got := solveLine(p, 2*time.Second); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
