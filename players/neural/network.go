package neural

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"versus2048/rules"
)

// Network has the weights of a neural network, and its functions, ready to compute. It does not change and is safe for
// concurrent use. Each goroutine that computes has its own Evaluator.
type Network struct {
	method      string
	rules       rules.Ruleset
	size        rules.Size
	description Description
	recipe      Recipe
	weights     []Tensor
	functions   map[string]*function

	buffers []int      // the number of numbers in each buffer of an Evaluator for one board
	taps    []layerTap // the tap for each list of rows in an Evaluator
	picks   int        // the most picks that an Evaluator has for one board
}

// Recipe describes how a network was learned, so that somebody else can do it again.
type Recipe struct {
	Command string  `json:"command"`
	Config  string  `json:"config"` // the text of the run's TOML file
	Seed    int64   `json:"seed"`
	Steps   int64   `json:"steps"`
	Games   int64   `json:"games"`
	Seconds float64 `json:"seconds"`
	// Processor is the processor time of all cores together, in seconds; 0 if the file does not have it.
	Processor float64           `json:"processor,omitzero"`
	Versions  map[string]string `json:"versions"`          // of Python and its libraries
	Teacher   string            `json:"teacher,omitempty"` // checksum of the file of games that cnn learned from
}

// Header is the content of a file besides the weights.
type Header struct {
	Method      string // the learning method, which determines the functions: td, dqn, cnn, ppo, az or muzero
	Rules       rules.Ruleset
	Size        rules.Size
	Description Description
	Recipe      Recipe
}

// function is a function that is ready to compute.
type function struct {
	name        string
	in, out     shape
	fromBoard   bool
	from        *function // the function that gives the input, nil if none does
	inputBuffer int       // the buffer of the input, unless that is the board
	layers      passes
}

// layerTap is a tap of a layer. An Evaluator has rows for each tap.
type layerTap struct {
	layer  *linear
	index  int // of the tap in the layer
	images int // the number of images of each board that the layer sees
}

func (t layerTap) tap() *tap { return &t.layer.taps[t.index] }

// New returns a network with these tensors of weights. It returns an error if the tensors do not fit the description,
// if the description does not fit the method, or if a limit is exceeded.
func New(h Header, weights []Tensor) (*Network, error) {
	n := &Network{
		method: h.Method, rules: h.Rules, size: h.Size, description: h.Description, recipe: h.Recipe,
		weights: weights, functions: map[string]*function{},
	}
	outputs, err := shapesOf(h.Description, h.Size)
	if err != nil {
		return nil, err
	}
	c := compiler{
		shapes: shapes{h.Description, h.Size, outputs, map[string]bool{}}, tensors: newTensors(weights), network: n, images: 1,
	}
	for _, name := range slices.Sorted(maps.Keys(h.Description.Functions)) {
		if n.functions[name], err = c.function(name); err != nil {
			return nil, err
		}
	}
	for name, f := range n.functions {
		f.from = n.functions[h.Description.Functions[name].From.Function]
	}
	if err := c.tensors.allTaken(); err != nil {
		return nil, err
	}
	if need := n.EvaluatorBytes(1); need > mostBoardBytes {
		return nil, fmt.Errorf("its layers take %d bytes for a board: want at most %d", need, mostBoardBytes)
	}
	return n, n.checkMethod()
}

// checkMethod returns an error unless the network has the functions that its method needs, with the right inputs and
// outputs.
func (n *Network) checkMethod() error {
	m, ok := methods[n.method]
	if !ok {
		return fmt.Errorf("method %.40q: want %v", n.method, slices.Sorted(maps.Keys(methods)))
	}
	for _, name := range m.functions {
		if !n.Has(name) {
			return fmt.Errorf("method %s: there is no function %s", n.method, name)
		}
	}
	if len(m.either) > 0 && !slices.ContainsFunc(m.either, n.Has) {
		return fmt.Errorf("method %s: want one of the functions %v", n.method, m.either)
	}
	for name, f := range n.functions {
		if want := n.description.outputs(n.method, name, n.size); want != 0 && f.out.numbers() != want {
			return fmt.Errorf("method %s: function %s has %d outputs: want %d", n.method, name, f.out.numbers(), want)
		}
	}
	return n.checkInputs()
}

// checkInputs returns an error unless the functions of a method have the right inputs, and dynamics as many outputs as
// representation.
func (n *Network) checkInputs() error {
	if n.method != "muzero" {
		for name, f := range n.functions {
			if !f.seesBoard() {
				return fmt.Errorf("method %s: function %s does not come from the board", n.method, name)
			}
		}
		return nil
	}
	latent, after, codes := n.Outputs("representation"), n.Outputs("afterstate"), n.Outputs("chance")
	for _, c := range []struct {
		name   string
		inputs int
	}{
		{"policy", latent},
		{"value", latent},
		{"afterstate", latent + slides},
		{"chance", after},
		{"afterstate_value", after},
		{"dynamics", after + codes},
		{"reward", after},
	} {
		f := n.functions[c.name]
		if f.seesBoard() {
			return fmt.Errorf("method muzero: function %s comes from the board: want it from %d numbers", c.name, c.inputs)
		}
		if inputs := f.root().in.numbers(); inputs != c.inputs {
			return fmt.Errorf("method muzero: function %s comes from %d numbers: want %d", c.name, inputs, c.inputs)
		}
	}
	if !n.functions["representation"].seesBoard() {
		return errors.New("method muzero: function representation does not come from the board")
	}
	if outputs := n.Outputs("dynamics"); outputs != latent {
		return fmt.Errorf("method muzero: function dynamics has %d outputs: want %d, like representation", outputs, latent)
	}
	return nil
}

// root returns the first function of the chain of functions that ends with f.
func (f *function) root() *function {
	for f.from != nil {
		f = f.from
	}
	return f
}

// seesBoard reports whether the function comes from the board, directly or through other functions.
func (f *function) seesBoard() bool { return f.root().fromBoard }

// Method returns the method that learned the network: td, dqn, cnn, ppo, az or muzero.
func (n *Network) Method() string { return n.method }

// Rules returns the rule set that the network has learned.
func (n *Network) Rules() rules.Ruleset { return n.rules }

// Size returns the size of the boards that the network sees.
func (n *Network) Size() rules.Size { return n.size }

// Recipe returns the recipe of the network.
func (n *Network) Recipe() Recipe { return n.recipe }

// Description returns the description of the network. The caller must not change it.
func (n *Network) Description() Description { return n.description }

// Has reports whether the network has a function.
func (n *Network) Has(name string) bool { return n.functions[name] != nil }

// Outputs returns the number of outputs of a function for a board. The network must have the function.
func (n *Network) Outputs(name string) int { return n.functions[name].out.numbers() }

// Points returns the points that the outputs of a value function for one board stand for. It returns 0 if the
// outputs are not numbers.
func (n *Network) Points(outputs []float32) float64 { return n.description.Value.Points(outputs) }

// Transform returns the transform of values, without the scale.
func (n *Network) Transform() Transform { return n.description.Value.Transform }

// Parameters returns the number of weights.
func (n *Network) Parameters() int {
	sum := 0
	for _, w := range n.weights {
		sum += len(w.Values)
	}
	return sum
}

// Bytes returns the memory of the network in bytes: its weights as numbers of 32 bits, once in the order of the tensors
// and once as the products need them.
func (n *Network) Bytes() uint64 {
	sum := 4 * n.Parameters()
	for _, t := range n.taps {
		sum += t.tap().weights.Bytes()
	}
	return uint64(sum)
}

// EvaluatorBytes returns the memory in bytes of an Evaluator for batches of up to batch boards.
func (n *Network) EvaluatorBytes(batch int) uint64 {
	sum := 0
	for _, numbers := range n.buffers {
		sum += 4 * numbers
	}
	for _, t := range n.taps {
		sum += 8 * t.images * len(t.tap().pairs)
	}
	for _, f := range n.functions {
		sum += 4 * f.out.numbers()
	}
	return uint64(batch) * uint64(sum+8*n.picks+16*n.size.Cells())
}
