package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/exact"
	"versus2048/arena"
)

// solveDisplay shows how far a solver is.
type solveDisplay struct {
	*display
	begin   time.Time // of enumerating, then of solving
	solving bool
	drawn   time.Time // when the line was last drawn
}

func newSolveDisplay(c *cli.Context) *solveDisplay {
	return &solveDisplay{display: newDisplay(c.App.ErrWriter, c.Bool("quiet")), begin: time.Now()}
}

// progress shows p, on a terminal at most ten times a second.
func (d *solveDisplay) progress(p exact.Progress) {
	now := time.Now()
	if p.Solving != d.solving {
		d.begin, d.solving = now, p.Solving
	}
	if d.terminal && now.Sub(d.drawn) < time.Second/10 && p.Done != p.Total {
		return
	}
	d.drawn = now
	done, total := p.Done, p.Total
	if !p.Solving {
		done, total = p.Sum, p.Largest
	}
	d.show(arena.Progress{Done: done, Total: total}, solveLine(p, now.Sub(d.begin)))
}

// solveLine is such as "solving [=====>    ] 12/24 positions, 4.1 M/s, 0:12 left".
// How many there will be is not known while they are enumerated.
func solveLine(p exact.Progress, elapsed time.Duration) string {
	rate := float64(p.Done) / max(elapsed.Seconds(), 1e-3) / 1e6
	if !p.Solving {
		return fmt.Sprintf("enumerating [%s] sum %d/%d, %d positions, %.1f M/s", bar(p.Sum, p.Largest), p.Sum, p.Largest, p.Done, rate)
	}
	left := time.Duration(float64(elapsed) * float64(p.Total-p.Done) / float64(max(1, p.Done)))
	return fmt.Sprintf("solving [%s] %d/%d positions, %.1f M/s, %s left", bar(p.Done, p.Total), p.Done, p.Total, rate, clock(left))
}
