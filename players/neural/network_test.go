package neural_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"versus2048/players/neural"
	"versus2048/players/neural/neuraltest"
	"versus2048/rules"
)

// every method, and what it must have.
var methods = map[string][]string{
	"td": {"value"}, "dqn": {"q"}, "cnn": {"policy"}, "ppo": {"value", "preference"}, "az": {"policy", "value"},
	"muzero": {"representation", "policy", "value", "afterstate", "chance", "afterstate_value", "dynamics", "reward"},
}

// A network that was written is the same when it is read.
func TestFileKeepsNetworks(t *testing.T) {
	for method, functions := range methods {
		t.Run(method, func(t *testing.T) {
			size := rules.Size{Width: 3, Height: 2}
			n := neuraltest.Network(method, rules.Solo, size, 1)
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
