package neural_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"versus2048/players/neural"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// methods maps every method to the functions that it must have.
var methods = map[string][]string{
	"td": {"value"}, "dqn": {"q"}, "cnn": {"policy"}, "ppo": {"value", "preference"}, "az": {"policy", "value"},
	"muzero": {"representation", "policy", "value", "afterstate", "chance", "afterstate_value", "dynamics", "reward"},
}

// A network that was written is the same after reading.
func TestFileKeepsNetworks(t *testing.T) {
	for method, functions := range methods {
		t.Run(method, func(t *testing.T) {
			size := rules.Size{Width: 3, Height: 2}
			n := searchtest.Network(method, rules.Solo, size, 1)
			path := filepath.Join(t.TempDir(), "a.safetensors")
			if err := n.WriteFile(path, false); err != nil {
				t.Fatal(err)
			}
			read, err := neural.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if read.Method() != method || read.Rules() != rules.Solo || read.Size() != size ||
				!reflect.DeepEqual(read.Recipe(), n.Recipe()) || !reflect.DeepEqual(read.Description(), n.Description()) {
				t.Errorf("%s of %v on %v, %+v, %+v", read.Method(), read.Rules(), read.Size(), read.Recipe(), read.Description())
			}
			for _, name := range functions {
				if !read.Has(name) || read.Outputs(name) != n.Outputs(name) {
					t.Errorf("no function %s", name)
				}
			}
		})
	}
}

// A canonical layer shows its layers the greatest of the symmetric boards. Each of these boards has the output
// that the same layers alone have for the greatest one.
func TestCanonicalLayer(t *testing.T) {
	for _, size := range []rules.Size{{Width: 3, Height: 3}, {Width: 3, Height: 2}} {
		for _, first := range [][]neural.Layer{nil, {{Kind: neural.ReLU}}} { // with and without planes in memory
			bare := searchtest.NetworkDescription("td", size)
			trunk := bare.Functions["trunk"]
			trunk.Layers = slices.Concat(first, trunk.Layers)
			bare.Functions["trunk"] = trunk
			wrapped := bare
			wrapped.Functions = maps.Clone(bare.Functions)
			wrapped.Functions["trunk"] = neural.Function{
				From: trunk.From, Layers: []neural.Layer{{Kind: neural.Canonical, Layers: trunk.Layers}},
			}
			alone, canonical := evaluator(t, bare, size), evaluator(t, wrapped, size)
			random := rand.New(rand.NewPCG(1, 2))
			for range 50 {
				images := imagesOf(randomBoard(random, size), size)
				alone.Boards([]rules.Board{greatest(images, size)}, nil)
				canonical.Boards(images, nil)
				want := run(t, alone)[0]
				for i, got := range run(t, canonical) {
					if got != want {
						t.Fatalf("%v, image %d of %v: %v, want %v", size, i, images[0], got, want)
					}
				}
			}
		}
	}
}

// evaluator returns an Evaluator of a td network with random weights, for all images of a board.
func evaluator(t *testing.T, d neural.Description, s rules.Size) *neural.Evaluator {
	t.Helper()
	n, err := neural.New(neural.Header{Method: "td", Rules: rules.Solo, Size: s, Description: d}, searchtest.Weights(d, s, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n.Evaluator(len(s.Symmetries()))
}

// run returns the values of an Evaluator's boards.
func run(t *testing.T, e *neural.Evaluator) []float32 {
	t.Helper()
	values, err := e.Run("value")
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func randomBoard(random *rand.Rand, s rules.Size) (b rules.Board) {
	for i := range s.Cells() {
		b = b.With(4*(i/int(s.Width))+i%int(s.Width), random.IntN(4))
	}
	return b
}

func imagesOf(b rules.Board, s rules.Size) (images []rules.Board) {
	for _, y := range s.Symmetries() {
		images = append(images, y.Board(b, s))
	}
	return images
}

// greatest returns the board with the greatest exponents, compared row by row.
func greatest(boards []rules.Board, s rules.Size) rules.Board {
	return slices.MaxFunc(boards, func(a, b rules.Board) int {
		for y := range int(s.Height) {
			for x := range int(s.Width) {
				if c := cmp.Compare(a.Exponent(4*y+x), b.Exponent(4*y+x)); c != 0 {
					return c
				}
			}
		}
		return 0
	})
}
