package axes

import (
	"math"
	"strconv"
)

// Tick is a number on an axis with its label, which may be empty.
type Tick struct {
	At    float64
	Label string
}

// Ticks returns ticks at round numbers from low to high. Their number is most+1 or less.
func Ticks(low, high, most float64) (ticks []Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/most)))
	for _, times := range []float64{1, 2, 5, 10} {
		if (high-low)/(times*step) <= most {
			step *= times
			break
		}
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step))))
	for k := math.Ceil(low/step) + 0; k*step <= high; k++ { // no negative zero
		ticks = append(ticks, Tick{k * step, strconv.FormatFloat(k*step, 'f', decimals, 64)})
	}
	return ticks
}
