package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"
)

// withTally shows how far work is that reports how much of it is done.
func withTally(c *cli.Context, title string, work func(report func(done, total int)) error) error {
	show := newDisplay(c.App.ErrWriter, c.Bool("quiet"))
	defer show.end()
	begin, drawn := time.Now(), time.Time{}
	return work(func(done, total int) {
		now := time.Now()
		if show.terminal && now.Sub(drawn) < time.Second/10 && done != total {
			return
		}
		drawn = now
		show.draw(10*done/total, tallyLine(title, done, total, now.Sub(begin)))
	})
}

// tallyLine is such as "random (1 of 3) [=====>    ] 200/800 positions, 0:12 left".
func tallyLine(title string, done, total int, elapsed time.Duration) string {
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(max(1, done)))
	return fmt.Sprintf("%s %s %d/%d positions, %s left", title, bar(done, total), done, total, clock(left))
}
