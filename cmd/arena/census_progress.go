package main

import (
	"fmt"
	"math"
	"time"

	"versus2048/analysis/census"
)

// censusLine is such as "ply 84 of 100 [=====     ] 4.9M of 11.8M positions,
// 21.3M placements/s, 0:05 left, about 1:20 in all".
func censusLine(p census.Progress) string {
	line := fmt.Sprintf("ply %d of %d %s %s of %s positions", p.Plies, p.Of, bar(int(1000*p.Expanded/max(1, p.Positions)), 1000),
		short(p.Expanded), short(p.Positions))
	if seconds := p.Elapsed.Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %s placements/s", short(int64(float64(p.Placements)/seconds)))
	}
	if p.Expanded > 0 {
		left := time.Duration(float64(p.InLayer) * float64(p.Positions-p.Expanded) / float64(p.Expanded))
		line += fmt.Sprintf(", %s left, about %s in all", clock(left), clock(left+laterLayers(p, p.InLayer+left)))
	}
	return line
}

// laterLayers guesses how long the layers after this one take, which takes so
// long.
func laterLayers(p census.Progress, this time.Duration) (all time.Duration) {
	for plies := p.Plies + 2; plies <= p.Of; plies += 2 {
		this = time.Duration(float64(this) * likelyGrowth(plies))
		all += this
	}
	return all
}

// likelyGrowth is about the growth over two plies on the 4x4 board, as it was
// measured: 1.27 at ply 60, 1.16 at ply 84.
func likelyGrowth(plies int) float64 { return 1 + 0.27*math.Exp(-float64(plies-60)/48) }

// short writes a number in three digits and k, M or G.
func short(n int64) string {
	x, suffix := float64(n), ""
	for _, s := range []string{"k", "M", "G"} {
		if x >= 999.5 {
			x, suffix = x/1000, s
		}
	}
	return fmt.Sprintf("%.3g%s", x, suffix)
}
