package report

import (
	"fmt"
	"math"

	"versus2048/tournament/rating"
)

// Interval is an estimate with its interval at [rating.Level]. Value or an end is
// absent where there are too few results, or where they set it no limit.
type Interval struct {
	Value Figure `json:"value"`
	Low   Figure `json:"low"`
	High  Figure `json:"high"`
}

// unlimited is what an end without limit needs, and so does its value.
const unlimited = "needs matches that set it a limit"

// newInterval is the interval, absent if it is not ok.
func newInterval(i rating.Interval, ok bool, needs string) Interval {
	if !ok {
		none := Figure{Needs: needs}
		return Interval{none, none, none}
	}
	return Interval{limited(i.Value), limited(i.Low), limited(i.High)}
}

// limited is the number, absent if it is infinite.
func limited(x float64) Figure {
	if math.IsInf(x, 0) {
		return Figure{Needs: unlimited}
	}
	return Figure{Value: x}
}

// Text writes the value and its ends, such as "40.0% [29.9%, 51.0%]", each as
// figure does.
func (i Interval) Text(figure func(Figure) string) string {
	return fmt.Sprintf("%s [%s, %s]", figure(i.Value), figure(i.Low), figure(i.High))
}

// text is the value with half the interval's width, as engine testers write it,
// or as much as there is of it.
func (i Interval) text(decimals int) string {
	value, low, high := i.Value.Text(decimals), i.Low.Text(decimals), i.High.Text(decimals)
	switch {
	case !i.Low.Absent() && !i.High.Absent():
		return fmt.Sprintf("%s +/- %.*f", value, decimals, (i.High.Value-i.Low.Value)/2)
	case !i.Low.Absent() && i.Value.Absent():
		return "above " + low
	case !i.High.Absent() && i.Value.Absent():
		return "below " + high
	case i.Value.Absent():
		return fmt.Sprintf("- (%s)", i.Value.Needs)
	}
	return fmt.Sprintf("%s [%s, %s]", value, low, high)
}
