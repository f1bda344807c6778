package neural

import (
	"fmt"
	"math"
	"slices"
)

// Tensor is the weights of one kind in one layer.
type Tensor struct {
	Name   string // FUNCTION.LAYER.weight or .bias, such as trunk.0.weight
	Shape  []int
	Values []float32 // the last index of the shape changes fastest
	Half   bool      // whether a file stores them as numbers of 16 bits
}

// numbers returns the number of values in a tensor of a shape, or -1 if the shape is impossible.
func numbers(shape []int) int {
	product := 1
	for _, n := range shape {
		if n < 1 || n > mostBytes || product > mostBytes/n {
			return -1
		}
		product *= n
	}
	return product
}

// tensors are the weights that layers can take.
type tensors struct {
	named map[string]Tensor
	taken map[string]bool
}

func newTensors(list []Tensor) tensors {
	t := tensors{map[string]Tensor{}, map[string]bool{}}
	for _, w := range list {
		t.named[w.Name] = w
	}
	return t
}

// take returns the values of a tensor, which must have the given shape.
func (t tensors) take(name string, shape ...int) ([]float32, error) {
	w, ok := t.named[name]
	if !ok {
		return nil, fmt.Errorf("tensor %s is missing", name)
	}
	if !slices.Equal(w.Shape, shape) {
		return nil, fmt.Errorf("tensor %s has the shape %v: want %v", name, w.Shape, shape)
	}
	if n := numbers(shape); len(w.Values) != n {
		return nil, fmt.Errorf("tensor %s has %d values: want %d", name, len(w.Values), n)
	}
	for i, v := range w.Values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("tensor %s: weight %d is %v", name, i, v)
		}
		if w.Half && math.Abs(float64(v)) >= halfOverflow {
			return nil, fmt.Errorf("tensor %s: weight %d is %v, which 16 bits do not hold: store it with 32", name, i, v)
		}
	}
	t.taken[name] = true
	return w.Values, nil
}

// allTaken returns an error if there is a tensor that no layer takes.
func (t tensors) allTaken() error {
	for name := range t.named {
		if !t.taken[name] {
			return fmt.Errorf("tensor %.80q belongs to no layer", name)
		}
	}
	return nil
}
