package neural

import (
	"fmt"
	"math"
)

// Transform squeezes points into the smaller numbers that networks learn.
type Transform string

// The transforms.
const (
	None Transform = "none" // points as they are
	Sqrt Transform = "sqrt" // sign(x) (sqrt(|x|+1) - 1) + 0.001 x: MuZero (Schrittwieser et al. 2020), appendix F
	Log  Transform = "log"  // sign(x) log(1+|x|)
)

// slope is the share of x itself in Sqrt. It bounds the slope of the inverse, to 1/slope.
const slope = 0.001

// Of returns the transformed points.
func (t Transform) Of(points float64) float64 {
	size := math.Abs(points)
	switch t {
	case Sqrt:
		return math.Copysign(math.Sqrt(size+1)-1+slope*size, points)
	case Log:
		return math.Copysign(math.Log1p(size), points)
	}
	return points
}

// Points undoes Of.
func (t Transform) Points(v float64) float64 {
	size := math.Abs(v)
	switch t {
	case Sqrt:
		root := (math.Sqrt(1+4*slope*(size+1+slope)) - 1) / (2 * slope)
		return math.Copysign(root*root-1, v)
	case Log:
		return math.Copysign(math.Expm1(size), v)
	}
	return v
}

// Value describes the conversion from the output of a value function to points.
type Value struct {
	Transform Transform `json:"transform"`
	Scale     float64   `json:"scale"` // factor for the output before the transform is undone
	// Bins is 0 if the output is one number. Otherwise it is the number of logits in the output. The logits belong to
	// numbers that are evenly spaced from Low to High. The output stands for the mean of these numbers, weighted by the
	// softmax of the logits.
	Bins int     `json:"bins"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Outputs returns the number of outputs that make up a value.
func (v Value) Outputs() int { return max(1, v.Bins) }

// Points returns the points that the outputs stand for, from -mostPoints to mostPoints. It returns 0 if the outputs are
// not numbers.
func (v Value) Points(outputs []float32) float64 {
	points := v.Transform.Points(v.Scale * v.mean(outputs))
	if math.IsNaN(points) {
		return 0
	}
	return max(-mostPoints, min(points, mostPoints))
}

// mostPoints is more than the score of any game. It keeps the values of a badly trained network within the
// limits of search reports.
const mostPoints = 1e8

// mean returns the number that the outputs stand for, before Scale.
func (v Value) mean(outputs []float32) float64 {
	if v.Bins == 0 {
		return float64(outputs[0])
	}
	most := outputs[0]
	for _, o := range outputs[1:v.Bins] {
		most = max(most, o)
	}
	step := (v.High - v.Low) / float64(v.Bins-1)
	sum, total := 0.0, 0.0
	for i, o := range outputs[:v.Bins] {
		share := math.Exp(float64(o - most))
		total += share
		sum += share * (v.Low + step*float64(i))
	}
	return sum / total
}

// The limits of a Value.
const (
	mostBins      = 4096
	mostMagnitude = 1e9
)

// check returns an error unless the numbers make sense.
func (v Value) check() error {
	switch v.Transform {
	case None, Sqrt, Log:
	default:
		return fmt.Errorf("value: transform %.40q: want none, sqrt or log", v.Transform)
	}
	if !(v.Scale > 0 && v.Scale <= mostMagnitude) {
		return fmt.Errorf("value: scale %v: want more than 0, and at most %g", v.Scale, float64(mostMagnitude))
	}
	if v.Bins == 0 {
		return nil
	}
	if v.Bins < 2 || v.Bins > mostBins {
		return fmt.Errorf("value: %d bins: want 0, or 2 to %d", v.Bins, mostBins)
	}
	if !(v.Low < v.High) {
		return fmt.Errorf("value: bins from %v to %v: want the lower number first", v.Low, v.High)
	}
	if v.Low < -mostMagnitude || v.High > mostMagnitude {
		return fmt.Errorf("value: bins from %v to %v: want numbers from %g to %g", v.Low, v.High, -mostMagnitude, mostMagnitude)
	}
	return nil
}
