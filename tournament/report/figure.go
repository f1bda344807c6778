package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"versus2048/tournament/rating"
)

// Figure is a statistic that may be absent: it is never NaN or infinite. In JSON it is a number, or
// null if it is absent.
type Figure struct {
	Value float64
	Needs string // the reason why it is absent, such as "needs 2 games"; "" if it has a value
}

// Absent reports whether there is no value.
func (f Figure) Absent() bool { return f.Needs != "" }

func (f *Figure) explain(needs string) {
	if f.Absent() {
		f.Needs = needs
	}
}

// Text returns the value with that many decimals, or "-" if it is absent.
func (f Figure) Text(decimals int) string {
	if f.Absent() {
		return "-"
	}
	text := strconv.FormatFloat(f.Value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-") // no sign for a number that rounds to 0
	}
	return text
}

// Percent returns a share, 0 to 1, in percent, such as "63.8%", or "-" if it is absent.
func (f Figure) Percent() string {
	// A share such as 51/80 is a little off in binary, which must not decide how 63.75% is rounded.
	f.Value = math.Round(f.Value*1e12) / 1e10
	if f.Absent() {
		return f.Text(1)
	}
	return f.Text(1) + "%"
}

// MarshalJSON writes the value, or null.
func (f Figure) MarshalJSON() ([]byte, error) {
	if f.Absent() {
		return []byte("null"), nil
	}
	return json.Marshal(f.Value)
}

// UnmarshalJSON reads a number or null. Since null does not give the reason why the figure is
// absent, Needs is then a general text.
func (f *Figure) UnmarshalJSON(text []byte) error {
	*f = Figure{}
	if string(text) == "null" {
		f.Needs = "needs more games"
		return nil
	}
	return json.Unmarshal(text, &f.Value)
}

// Interval is an estimate with its interval at [rating.Level]. Value or an end is
// absent if there are too few results, or if they do not limit it.
type Interval struct {
	Value Figure `json:"value"`
	Low   Figure `json:"low"`
	High  Figure `json:"high"`
}

// Ends returns the ends of the interval. An absent one is infinite.
func (i Interval) Ends() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if !i.Low.Absent() {
		low = i.Low.Value
	}
	if !i.High.Absent() {
		high = i.High.Value
	}
	return low, high
}

// widen returns the range from low to high, widened to hold the interval.
func (i Interval) widen(low, high float64) (float64, float64) {
	for _, f := range []Figure{i.Low, i.Value, i.High} {
		if !f.Absent() {
			low, high = min(low, f.Value), max(high, f.Value)
		}
	}
	return low, high
}

// Within returns the interval with its ends limited to the range from low to high. The estimated
// quantity cannot leave that range, but the ends may, since Student's t does not know the range.
func (i Interval) Within(low, high float64) Interval {
	for _, end := range []*Figure{&i.Low, &i.High} {
		if !end.Absent() {
			end.Value = min(max(end.Value, low), high)
		}
	}
	return i
}

func (i *Interval) explain(needs string) {
	for _, f := range []*Figure{&i.Value, &i.Low, &i.High} {
		f.explain(needs)
	}
}

// unlimited is the Needs of an infinite value or end of an interval.
const unlimited = "needs matches that limit it"

// IntervalOf converts an interval.
func IntervalOf(i rating.Interval) Interval {
	return Interval{limited(i.Value), limited(i.Low), limited(i.High)}
}

// intervalOf converts an interval. If ok is false, the figures of the result are absent.
func intervalOf(i rating.Interval, ok bool) Interval {
	if none := figureOf(0, false); !ok {
		return Interval{none, none, none}
	}
	return IntervalOf(i)
}

// limited returns the number, or an absent figure if it is infinite.
func limited(x float64) Figure {
	if math.IsInf(x, 0) {
		return Figure{Needs: unlimited}
	}
	return Figure{Value: x}
}

// Text returns the value and its ends, such as "40.0% [29.9%, 51.0%]". figure formats each of them.
func (i Interval) Text(figure func(Figure) string) string {
	return fmt.Sprintf("%s [%s, %s]", figure(i.Value), figure(i.Low), figure(i.High))
}

// Rounded returns the value and its ends with that many decimals, such as "40.0 [29.9, 51.0]".
func (i Interval) Rounded(decimals int) string {
	return i.Text(func(f Figure) string { return f.Text(decimals) })
}

// Percent returns a share and its ends, such as "40.0% [29.9%, 51.0%]".
func (i Interval) Percent() string { return i.Text(Figure.Percent) }

// text returns the value with half the interval's width, as engine testers write it, or only the
// limited parts of the interval.
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
