package claims

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// figure reads the figure in an output. unit is a figure that has the same unit.
func (r Reading) figure(output string, unit Measurement) (Measurement, error) {
	if r.Pattern != "" {
		return r.match(output, unit)
	}
	var value any
	if err := json.Unmarshal([]byte(output), &value); err != nil {
		return Measurement{}, fmt.Errorf("the output is no JSON: %w", err)
	}
	if value = find(value, r.JSON); value == nil {
		return Measurement{}, fmt.Errorf("the output has no %s", r.JSON)
	}
	figure, err := measurement(value, unit)
	if err != nil {
		return Measurement{}, fmt.Errorf("%s: %w", r.JSON, err)
	}
	return figure, nil
}

// measurement returns a value of an output, which is a number or an object with value, low and high. unit is a figure
// that has the same unit.
func measurement(value any, unit Measurement) (Measurement, error) {
	if number, ok := value.(float64); ok {
		return unit.with(number, number, number), nil
	}
	var ends [3]float64
	for i, key := range []string{"value", "low", "high"} {
		number, ok := child(value, key).(float64)
		if !ok {
			return Measurement{}, fmt.Errorf("there is no number %s", key)
		}
		ends[i] = number
	}
	return unit.with(ends[0], ends[1], ends[2]), nil
}

// find returns the value at a path such as goals.0.reached, or nil.
func find(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		value = child(value, key)
	}
	return value
}

// match reads a number, or a number with its interval, by the pattern.
func (r Reading) match(output string, unit Measurement) (Measurement, error) {
	pattern, err := regexp.Compile(r.Pattern)
	if err != nil {
		return Measurement{}, err
	}
	found := pattern.FindStringSubmatch(output)
	if len(found) < 2 {
		return Measurement{}, errors.New("the output does not match the pattern " + r.Pattern)
	}
	var ends [3]float64
	for i := range ends {
		text := found[min(i+1, len(found)-1)] // without an interval all three are the number
		if ends[i], err = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err != nil {
			return Measurement{}, err
		}
	}
	return unit.with(ends[0], ends[1], ends[2]), nil
}

// child returns the value of a key of an object, or the element of a list at an index; nil if there is none.
func child(value any, key string) any {
	switch value := value.(type) {
	case map[string]any:
		return value[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(value) {
			return value[i]
		}
	}
	return nil
}

// tolerance is the largest relative difference of figures that count as equal: files have rounded decimal numbers.
const tolerance = 1e-6

// agrees reports whether a figure that was measured again confirms the claim. A timed figure has to meet or miss the
// bound as before, or to have an interval that overlaps the earlier one. Other figures have to be the same.
func (c Claim) agrees(now Measurement) bool {
	if c.Timed {
		low, high := c.Figure.Ends()
		nowLow, nowHigh := now.Ends()
		return nowLow <= high && low <= nowHigh || c.Condition.verdict(now) == c.Condition.verdict(c.Figure)
	}
	return c.Figure.same(now)
}

// same reports whether two figures are equal, but for the rounding of files.
func (f Measurement) same(other Measurement) bool {
	low, high := f.Ends()
	otherLow, otherHigh := other.Ends()
	return same(f.Value, other.Value) && same(low, otherLow) && same(high, otherHigh)
}

func same(a, b float64) bool { return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b)) }

// ratioInterval returns the geometric mean of ratios with Student's t interval of their logarithms.
func ratioInterval(ratios []float64) (value, low, high float64) {
	logs := make([]float64, len(ratios))
	for i, r := range ratios {
		logs[i] = math.Log(r)
	}
	mean, deviation := stat.MeanStdDev(logs, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(logs) - 1)}
	reach := t.Quantile(1-significance/2) * stat.StdErr(deviation, float64(len(logs)))
	return math.Exp(mean), math.Exp(mean - reach), math.Exp(mean + reach)
}
