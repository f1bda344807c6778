package puct

import (
	"fmt"

	"versus2048/players/neural"
	"versus2048/rules"
)

// Network rates positions by a network of method az. Only one goroutine may use it.
type Network struct {
	evaluator *neural.Evaluator
	size      rules.Size
	boards    []rules.Board // of a batch, kept to reuse their memory
	attackers []bool
	ratings   []Rating
}

// NewNetwork returns a Network that computes up to batch positions at once, at least 1. It returns an
// error for a network of another method.
func NewNetwork(n *neural.Network, batch int) (*Network, error) {
	if n.Method() != "az" {
		return nil, fmt.Errorf("its network was learned by the method %s: want az", n.Method())
	}
	return &Network{
		evaluator: n.Evaluator(batch), size: n.Size(),
		boards: make([]rules.Board, 0, batch), attackers: make([]bool, 0, batch), ratings: make([]Rating, 0, batch),
	}, nil
}

// Scale implements Evaluator. It returns the transform of the network's values.
func (n *Network) Scale() Scale { return n.evaluator.Network().Transform() }

// Evaluate implements Evaluator. It panics if there are more positions than fit into a batch.
func (n *Network) Evaluate(positions []rules.Position) []Rating {
	n.ratings, n.boards, n.attackers = n.ratings[:0], n.boards[:0], n.attackers[:0]
	for _, p := range positions {
		n.boards = append(n.boards, p.Board())
		n.attackers = append(n.attackers, p.SideToMove() == rules.Attacker)
	}
	n.evaluator.Boards(n.boards, n.attackers)
	policy, value := must(n.evaluator.Run("policy")), must(n.evaluator.Run("value"))
	outputs, values := Outputs(n.size), n.evaluator.Network().Outputs("value")
	for i := range positions {
		n.ratings = append(n.ratings, Rating{
			Policy:  policy[i*outputs:][:outputs],
			Further: max(0, n.evaluator.Network().Points(value[i*values:][:values])), // as in training: scores never fall
		})
	}
	return n.ratings
}

// must returns the output of a function of a network, and panics on an error. No error can occur, since a network that
// was opened has all functions of its method, with the right inputs and outputs.
func must(out []float32, err error) []float32 {
	if err != nil {
		panic(err)
	}
	return out
}

// NetworkModel is the model in a network of method muzero. Only one goroutine may use it.
type NetworkModel struct {
	evaluator *neural.Evaluator
	codes     int
	roots     map[string]string // for each function, the first function of the chain that ends with it
	in        []float32         // a state with a slide or a code, kept to reuse its memory
}

// NewNetworkModel returns a NetworkModel. It returns an error for a network of another method, and for a
// network with too many codes for a search.
func NewNetworkModel(n *neural.Network) (*NetworkModel, error) {
	if n.Method() != "muzero" {
		return nil, fmt.Errorf("its network was learned by the method %s: want muzero", n.Method())
	}
	codes := n.Outputs("chance")
	if codes > mostCodes {
		return nil, fmt.Errorf("its network has %d codes of chance: want at most %d", codes, mostCodes)
	}
	m := &NetworkModel{evaluator: n.Evaluator(1), codes: codes, roots: map[string]string{}}
	functions := n.Description().Functions
	for name := range functions {
		root := name
		for functions[root].From.Numbers == 0 && functions[functions[root].From.Function].Layers != nil {
			root = functions[root].From.Function
		}
		m.roots[name] = root
	}
	return m, nil
}

// mostCodes is the largest number of chance codes in a search.
const mostCodes = 256

// Represent implements Model.
func (m *NetworkModel) Represent(b rules.Board) []float32 {
	m.evaluator.Boards([]rules.Board{b}, nil)
	return must(m.evaluator.Run("representation"))
}

// Predict implements Model.
func (m *NetworkModel) Predict(state []float32) (policy []float32, further float64) {
	return m.compute("policy", state), m.points("value", state)
}

// Slide implements Model.
func (m *NetworkModel) Slide(state []float32, slide int) []float32 {
	return m.compute("afterstate", m.withChoice(state, slide, slideCount))
}

// Expect implements Model.
func (m *NetworkModel) Expect(after []float32) (gain, further float64, codes []float32) {
	return m.points("reward", after), m.points("afterstate_value", after), m.compute("chance", after)
}

// Follow implements Model.
func (m *NetworkModel) Follow(after []float32, code int) []float32 {
	return m.compute("dynamics", m.withChoice(after, code, m.codes))
}

// withChoice returns a state followed by a choice among n as a one-hot vector.
func (m *NetworkModel) withChoice(state []float32, choice, n int) []float32 {
	m.in = append(m.in[:0], state...)
	for i := range n {
		m.in = append(m.in, 0)
		if i == choice {
			m.in[len(m.in)-1] = 1
		}
	}
	return m.in
}

// points returns the points that a function expects.
func (m *NetworkModel) points(function string, in []float32) float64 {
	return m.evaluator.Network().Points(m.compute(function, in))
}

// compute returns the output of a function for an input.
func (m *NetworkModel) compute(function string, in []float32) []float32 {
	root := m.roots[function]
	out := must(m.evaluator.Apply(root, in))
	if root == function {
		return out
	}
	return must(m.evaluator.Run(function))
}
