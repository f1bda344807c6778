package experiment

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/tournament/report"
)

// wilson is the interval of the share of games that reached 2048.
func wilson(s Scores) report.Interval { return ShareInterval(float64(s.Reached), s.Games, "game") }

// ShareInterval is the score interval of a share of so many games or matches, as unit
// says (Wilson 1927).
func ShareInterval(count float64, of int, unit string) report.Interval {
	if of < 1 {
		needs := report.Figure{Needs: "needs 1 " + unit}
		return absent(needs, needs.Needs)
	}
	n := float64(of)
	p := count / n
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	reach := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low, high := middle-reach, middle+reach
	if p == 0 {
		low = 0 // exactly, without what rounding leaves
	}
	if p == 1 {
		high = 1
	}
	return around(p, low, high)
}

// newcombe is the interval of the difference of two shares, made of their Wilson
// intervals (Newcombe 1998, method 10).
func newcombe(a, b report.Interval) report.Interval {
	if needs := cmp.Or(a.Low.Needs, b.Low.Needs); needs != "" {
		return absent(report.Figure{Needs: needs}, needs)
	}
	value := a.Value.Value - b.Value.Value
	below := math.Hypot(a.Value.Value-a.Low.Value, b.High.Value-b.Value.Value)
	above := math.Hypot(a.High.Value-a.Value.Value, b.Value.Value-b.Low.Value)
	return around(value, value-below, value+above)
}
