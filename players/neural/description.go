package neural

import (
	"encoding/json"
	"fmt"

	"versus2048/rules"
)

// Description describes the functions of a network, and the coding of boards and values. It is the JSON in a
// file of weights; docs/NETWORKS.md describes it.
type Description struct {
	Planes    int                 `json:"planes"` // of a cell: for empty, 2, 4, ...; the last one is for all larger tiles, too
	Side      bool                `json:"side"`   // one more plane, with 1 in all cells if the attacker is to move
	Functions map[string]Function `json:"functions"`
	Value     Value               `json:"value"`
}

// Function is one function of a network: a sequence of layers.
type Function struct {
	From   Source  `json:"from"`
	Layers []Layer `json:"layers"`
}

// Source is the input of a function: the board, the output of another function, or numbers from the caller.
type Source struct {
	Function string // a function's name, or "board"; "" for numbers
	Numbers  int    // the number of numbers from the caller
}

// board is the name of the board as a Source.
const board = "board"

// MarshalJSON writes a name or a number.
func (s Source) MarshalJSON() ([]byte, error) {
	if s.Function == "" {
		return json.Marshal(s.Numbers)
	}
	return json.Marshal(s.Function)
}

// UnmarshalJSON reads the form that MarshalJSON writes.
func (s *Source) UnmarshalJSON(data []byte) error {
	*s = Source{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &s.Function)
	}
	if err := json.Unmarshal(data, &s.Numbers); err != nil {
		return fmt.Errorf("from %.40s: want a function's name, board or a whole number", data)
	}
	return nil
}

// The kinds of layers.
const (
	Conv       = "conv"       // a convolution with stride 1; data are rows, columns, channels
	Dense      = "dense"      // connects all inputs to all outputs; the inputs are flattened row by row
	ReLU       = "relu"       // max(0, x)
	Tanh       = "tanh"       // the hyperbolic tangent
	Norm       = "norm"       // layer normalisation over the channels (Ba, Kiros and Hinton 2016), epsilon 1e-5
	Residual   = "residual"   // x + f(x); f is the layers within it
	Symmetries = "symmetries" // the layers see each symmetric board, and their outputs are joined
	Canonical  = "canonical"  // the layers see the greatest symmetric board, compared cell by cell by the planes
)

// The values of cells beyond the board in a convolution.
const (
	After  = "after"  // zeros at the right and below, so that the size stays the same (Kondo and Matsuzaki 2020)
	Around = "around" // zeros on all sides; the kernel is odd, and the size stays the same
	NoPad  = "none"   // there are no cells beyond the board: the result is smaller
)

// Layer is one layer. Its kind determines the fields that matter.
type Layer struct {
	Kind     string  `json:"kind"`
	Kernel   []int   `json:"kernel,omitempty"`   // of a conv: rows, columns
	In       int     `json:"in,omitempty"`       // channels of a conv, numbers of a dense
	Out      int     `json:"out,omitempty"`      // the same of the output
	Padding  string  `json:"padding,omitempty"`  // of a conv
	Channels int     `json:"channels,omitempty"` // of a norm
	Layers   []Layer `json:"layers,omitempty"`   // of residual, symmetries and canonical
}

// seesImages reports whether the layer sees symmetric boards. Only the first layer of a function from the board can see
// them.
func (l Layer) seesImages() bool { return l.Kind == Symmetries || l.Kind == Canonical }

// method lists the functions that a network of a learning method must have.
type method struct {
	functions []string // all of these
	either    []string // and one of these
}

// methods lists the learning methods by their names.
var methods = map[string]method{
	"td":     {functions: []string{"value"}},
	"dqn":    {functions: []string{"q"}},
	"cnn":    {functions: []string{"policy"}},
	"ppo":    {functions: []string{"value"}, either: []string{"policy", "preference"}},
	"az":     {functions: []string{"policy", "value"}},
	"muzero": {functions: []string{"representation", "policy", "value", "afterstate", "chance", "afterstate_value", "dynamics", "reward"}},
}

const slides = 4

// outputs returns the number of outputs that a function of a method must have, or 0 for any number.
func (d Description) outputs(method, function string, s rules.Size) int {
	switch function {
	case "value", "afterstate_value", "reward":
		return d.Value.Outputs()
	case "q":
		return slides * d.Value.Outputs()
	case "preference":
		return 1
	case "policy":
		if method == "az" {
			return slides + 2*s.Cells()
		}
		return slides
	}
	return 0
}
