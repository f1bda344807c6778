package main

import (
	"fmt"
	"time"

	"versus2048/analysis/exact"
)

// solveDisplay shows how far a solver is.
type solveDisplay struct {
	computation
	begin   time.Time // of enumerating, then of solving
	solving bool
}

// progress shows p: a line each tenth of the sums, or of the positions.
func (d *solveDisplay) progress(p exact.Progress) {
	if p.Solving != d.solving {
		d.begin, d.solving = time.Now(), p.Solving
	}
	tenths := 10 * p.Sum / p.Largest
	if p.Solving {
		tenths = 10 * p.Done / p.Total
	}
	d.draw([2]any{p.Solving, tenths}, solveLine(p, time.Since(d.begin)))
}

// solveLine is such as "solving [=====>    ] 12/24 positions, 4.1 M/s, 0:12 left".
// How many there will be is not known while they are enumerated.
func solveLine(p exact.Progress, elapsed time.Duration) string {
	rate := float64(p.Done) / max(elapsed.Seconds(), 1e-3) / 1e6
	if !p.Solving {
		return fmt.Sprintf("enumerating %s sum %d/%d, %d positions, %.1f M/s", bar(p.Sum, p.Largest), p.Sum, p.Largest, p.Done, rate)
	}
	left := time.Duration(float64(elapsed) * float64(p.Total-p.Done) / float64(max(1, p.Done)))
	return fmt.Sprintf("solving %s %d/%d positions, %.1f M/s, %s left", bar(p.Done, p.Total), p.Done, p.Total, rate, clock(left))
}
