package searchtest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"versus2048/players/neural"
	"versus2048/rules"
)

// WriteNetwork writes the result of Network to a file for the test, and returns the file's path.
func WriteNetwork(t testing.TB, method string, r rules.Ruleset, s rules.Size, seed uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), method+"-"+r.String()+"-"+s.String()+".safetensors")
	if err := Network(method, r, s, seed).WriteFile(path, false); err != nil {
		t.Fatal(err)
	}
	return path
}

// Network returns a small network of a method with random weights. It panics for an unknown method.
func Network(method string, r rules.Ruleset, s rules.Size, seed uint64) *neural.Network {
	h := neural.Header{
		Method: method, Rules: r, Size: s, Description: NetworkDescription(method, s),
		Recipe: neural.Recipe{Command: "go test", Seed: int64(seed), Versions: map[string]string{"go": "test"}},
	}
	n, err := neural.New(h, Weights(h.Description, s, seed))
	if err != nil {
		panic(err)
	}
	return n
}

const (
	hidden = 8  // outputs of a hidden layer
	planes = 12 // of a board
)

// NetworkDescription returns the description of the small network of a method. It panics for an unknown method.
func NetworkDescription(method string, s rules.Size) neural.Description {
	functions := map[string]map[string]int{ // the numbers of outputs of the functions after the trunk, by method
		"td": {"value": 1}, "dqn": {"q": 4}, "cnn": {"policy": 4}, "ppo": {"preference": 1, "value": 1},
		"az": {"policy": 4 + 2*s.Cells(), "value": 1}, "muzero": nil,
	}
	if _, ok := functions[method]; !ok {
		panic(fmt.Sprintf("no method %s", method))
	}
	d := neural.Description{
		Planes: planes, Side: method == "az", Functions: map[string]neural.Function{},
		Value: neural.Value{Transform: neural.Sqrt, Scale: 10},
	}
	if method == "muzero" {
		d.Functions = modelFunctions(s)
		return d
	}
	in := planes
	if d.Side {
		in++
	}
	d.Functions["trunk"] = neural.Function{From: neural.Source{Function: "board"}, Layers: []neural.Layer{
		{Kind: neural.Conv, Kernel: []int{2, 2}, In: in, Out: hidden, Padding: neural.After}, {Kind: neural.ReLU},
	}}
	for name, out := range functions[method] {
		d.Functions[name] = neural.Function{
			From:   neural.Source{Function: "trunk"},
			Layers: []neural.Layer{{Kind: neural.Dense, In: hidden * s.Cells(), Out: out}},
		}
	}
	return d
}

// modelFunctions returns the functions of a learned model. The model tells 3 outcomes of chance apart: its codes.
func modelFunctions(s rules.Size) map[string]neural.Function {
	const codes = 3
	from := func(in, out int) neural.Function {
		return neural.Function{From: neural.Source{Numbers: in}, Layers: []neural.Layer{{Kind: neural.Dense, In: in, Out: out}}}
	}
	representation := from(planes*s.Cells(), hidden)
	representation.From = neural.Source{Function: "board"}
	return map[string]neural.Function{
		"representation": representation, "policy": from(hidden, 4), "value": from(hidden, 1),
		"afterstate": from(hidden+4, hidden), "chance": from(hidden, codes), "afterstate_value": from(hidden, 1),
		"dynamics": from(hidden+codes, hidden), "reward": from(hidden, 1),
	}
}

// Weights returns random weights for a description, large enough that different boards get different values.
func Weights(d neural.Description, s rules.Size, seed uint64) []neural.Tensor {
	random := rand.New(rand.NewPCG(seed, uint64(s.Cells())))
	var list []neural.Tensor
	for _, name := range slices.Sorted(maps.Keys(d.Functions)) {
		list = appendWeights(list, random, name, d.Functions[name].Layers)
	}
	return list
}

func appendWeights(list []neural.Tensor, random *rand.Rand, at string, layers []neural.Layer) []neural.Tensor {
	for i, l := range layers {
		name := fmt.Sprintf("%s.%d", at, i)
		switch l.Kind {
		case neural.Conv:
			list = append(list, tensor(random, name+".weight", l.Kernel[0], l.Kernel[1], l.In, l.Out), tensor(random, name+".bias", l.Out))
		case neural.Dense:
			list = append(list, tensor(random, name+".weight", l.In, l.Out), tensor(random, name+".bias", l.Out))
		case neural.Norm:
			list = append(list, tensor(random, name+".weight", l.Channels), tensor(random, name+".bias", l.Channels))
		default:
			list = appendWeights(list, random, name, l.Layers)
		}
	}
	return list
}

// tensor returns random weights, smaller for a layer with more inputs.
func tensor(random *rand.Rand, name string, form ...int) neural.Tensor {
	t := neural.Tensor{Name: name, Shape: form}
	count, inputs := 1, 1
	for i, n := range form {
		count *= n
		if i < len(form)-1 {
			inputs *= n
		}
	}
	for range count {
		t.Values = append(t.Values, float32(random.NormFloat64()*math.Sqrt(2/float64(inputs))))
	}
	return t
}
