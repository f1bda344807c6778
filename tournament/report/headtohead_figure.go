package report

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Figure is a statistic that may be absent: it is never NaN or infinite. In
// JSON it is a number, or null where it is absent.
type Figure struct {
	Value float64
	Needs string // what it would take to have a value, "needs 2 games"; "" if there is one
}

// Absent tells that there is no value.
func (f Figure) Absent() bool { return f.Needs != "" }

// Text is the value with so many decimals, or "-" where it is absent.
func (f Figure) Text(decimals int) string {
	if f.Absent() {
		return "-"
	}
	text := strconv.FormatFloat(f.Value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-") // what rounds to 0 has no sign
	}
	return text
}

// Percent is a share of 0 to 1 as the paper prints it, such as "63.8%", or "-".
func (f Figure) Percent() string {
	// A share such as 51/80 is a little off in binary, which must not decide
	// how 63.75% is rounded.
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

// UnmarshalJSON reads a number or null, which does not say what was needed.
func (f *Figure) UnmarshalJSON(text []byte) error {
	*f = Figure{}
	if string(text) == "null" {
		f.Needs = "needs more games"
		return nil
	}
	return json.Unmarshal(text, &f.Value)
}

// meanOf is the mean of x, which counts what unit names.
func meanOf(x []float64, unit string) Figure {
	if len(x) < 1 {
		return Figure{Needs: "needs 1 " + unit}
	}
	return Figure{Value: stat.Mean(x, nil)}
}

// deviationOf is the sample standard deviation of x.
func deviationOf(x []float64, unit string) Figure {
	if len(x) < 2 {
		return Figure{Needs: "needs 2 " + unit + "s"}
	}
	return Figure{Value: stat.StdDev(x, nil)}
}

// maxOf is the largest of x.
func maxOf(x []float64, unit string) Figure {
	if len(x) < 1 {
		return Figure{Needs: "needs 1 " + unit}
	}
	return Figure{Value: slices.Max(x)}
}

// minOf is the smallest of x.
func minOf(x []float64, unit string) Figure {
	if len(x) < 1 {
		return Figure{Needs: "needs 1 " + unit}
	}
	return Figure{Value: slices.Min(x)}
}
