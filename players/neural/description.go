package neural

import (
	"encoding/json"
	"fmt"

	"versus2048/rules"
)

// Description says what a network computes: its functions, and how boards and values are coded. It is the
// JSON in a file of weights; docs/NETWORKS.md describes it.
type Description struct {
	Planes    int                 `json:"planes"` // of a cell: for empty, 2, 4, ...; the last one is for all larger tiles, too
	Side      bool                `json:"side"`   // one more plane, which is 1 everywhere if the attacker is to move
	Functions map[string]Function `json:"functions"`
	Value     Value               `json:"value"`
}

// Function is one function of a network: layers that follow each other.
type Function struct {
	From   Source  `json:"from"`
	Layers []Layer `json:"layers"`
}

// Source is the input of a function: the board, the output of another function, or numbers that the caller
// gives.
type Source struct {
	Function string // a function's name, or "board"; "" for numbers
	Numbers  int    // how many numbers, if they are given
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

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Source) UnmarshalJSON(data []byte) error {
	*s = Source{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &s.Function)
	}
	if err := json.Unmarshal(data, &s.Numbers); err != nil {
		return fmt.Errorf("from %.40s: want a function's name, board, or how many numbers", data)
	}
	return nil
}

// The kinds of layers.
const (
	Conv       = "conv"       // a convolution with stride 1; data are rows, columns, channels
	Dense      = "dense"      // all inputs to all outputs, the inputs flattened row by row
	ReLU       = "relu"       // max(0, x)
	Tanh       = "tanh"       // the hyperbolic tangent
	Norm       = "norm"       // layer normalisation over the channels (Ba, Kiros and Hinton 2016), epsilon 1e-5
	Residual   = "residual"   // x + f(x), where f are the layers within it
	Symmetries = "symmetries" // the layers see each symmetric board, and their outputs are joined
	Canonical  = "canonical"  // the layers see the symmetric board with the greatest planes, cell by cell
)

// How a convolution goes on beyond the board.
const (
	After  = "after"  // zeros at the right and below, so that the size is kept (Kondo and Matsuzaki 2020)
	Around = "around" // zeros on all sides; the kernel is odd, and the size is kept
	NoPad  = "none"   // nowhere: the result is smaller
)

// Layer is one layer. Which fields count depends on its kind.
type Layer struct {
	Kind     string  `json:"kind"`
	Kernel   []int   `json:"kernel,omitempty"`   // of a conv: rows, columns
	In       int     `json:"in,omitempty"`       // channels of a conv, numbers of a dense
	Out      int     `json:"out,omitempty"`      // the same of its output
	Padding  string  `json:"padding,omitempty"`  // of a conv
	Channels int     `json:"channels,omitempty"` // of a norm
	Layers   []Layer `json:"layers,omitempty"`   // of residual, symmetries and canonical
}

// seesImages reports whether the layer looks at symmetric boards, which only the first layer of a function
// from the board can.
func (l Layer) seesImages() bool { return l.Kind == Symmetries || l.Kind == Canonical }

// method says what a network of a learning method must have.
type method struct {
	functions []string // all of these
	either    []string // and one of these
}

// methods has what the methods need, by name.
var methods = map[string]method{
	"td":     {functions: []string{"value"}},
	"dqn":    {functions: []string{"q"}},
	"cnn":    {functions: []string{"policy"}},
	"ppo":    {functions: []string{"value"}, either: []string{"policy", "preference"}},
	"az":     {functions: []string{"policy", "value"}},
	"muzero": {functions: []string{"representation", "policy", "value", "afterstate", "chance", "afterstate_value", "dynamics", "reward"}},
}

// slides is how many slides there are.
const slides = 4

// outputs returns how many outputs a function of a method must have, or 0 if that is free.
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
