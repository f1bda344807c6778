package neural

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"versus2048/rules"
)

// vectors are the outputs of a network by JAX, as python/training/src/training/vectors.py writes them.
type vectors struct {
	network   *Network
	boards    []rules.Board
	attackers []bool
	outputs   map[string][]float32 // by function, and "points"
}

// names are the networks in testdata. There is one for each method.
var names = []string{"cnn", "az", "td", "dqn", "ppo", "muzero"}

// readVectors reads the vectors of a network in testdata.
func readVectors(t *testing.T, name string) vectors {
	t.Helper()
	n, err := Open(filepath.Join("testdata", name+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join("testdata", name+".vectors.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _, err := decode(content)
	if err != nil {
		t.Fatal(err)
	}
	v := vectors{network: n, outputs: map[string][]float32{}}
	for _, tensor := range list {
		switch tensor.Name {
		case "boards":
			v.boards = boardsOf(tensor.Values, n.size)
		case "attackers":
			for _, a := range tensor.Values {
				v.attackers = append(v.attackers, a == 1)
			}
		default:
			v.outputs[tensor.Name] = tensor.Values
		}
	}
	if len(v.boards) != 1000 || len(v.attackers) != 1000 || len(v.outputs) == 0 {
		t.Fatalf("%s: %d boards, %d sides, %d functions", name, len(v.boards), len(v.attackers), len(v.outputs))
	}
	return v
}

// boardsOf returns boards from the exponents of their cells, row by row.
func boardsOf(exponents []float32, s rules.Size) (list []rules.Board) {
	for len(exponents) > 0 {
		var b rules.Board
		for i, k := range exponents[:s.Cells()] {
			b = b.With(4*(i/int(s.Width))+i%int(s.Width), int(k))
		}
		list, exponents = append(list, b), exponents[s.Cells():]
	}
	return list
}

// near fails the test unless got equals want to 1e-4, relative for large numbers.
func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(float64(got[i]-w)) <= 1e-4*max(1, math.Abs(float64(w)))) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], w)
		}
	}
}

// Networks compute the outputs of JAX, to 1e-4, in batches of any size.
func TestOutputsOfJAX(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			v := readVectors(t, name)
			for _, batch := range []int{1, 7, 64} {
				e := v.network.Evaluator(batch)
				got := map[string][]float32{}
				for from := 0; from < len(v.boards); from += batch {
					to := min(from+batch, len(v.boards))
					e.Boards(v.boards[from:to], v.attackers[from:to])
					if name == "muzero" {
						v.model(t, e, got, from, to)
						continue
					}
					for function := range v.outputs {
						if function != "points" {
							got[function] = append(got[function], mustRun(t, e, function)...)
						}
					}
				}
				v.compare(t, got)
			}
		})
	}
}

// compare compares outputs for all boards with the outputs of JAX, and their points.
func (v vectors) compare(t *testing.T, got map[string][]float32) {
	t.Helper()
	for function, want := range v.outputs {
		if function != "points" {
			near(t, function, got[function], want)
			continue
		}
		width := v.network.Outputs("value")
		points := make([]float32, len(want))
		for i := range points {
			points[i] = float32(v.network.Points(got["value"][i*width:][:width]))
		}
		near(t, "points", points, want)
	}
}

// model computes the functions of a learned model for some boards. A function that continues from another one
// begins with the output of JAX.
func (v vectors) model(t *testing.T, e *Evaluator, got map[string][]float32, from, to int) {
	t.Helper()
	apply := func(function string, in []float32) {
		out, err := e.Apply(function, in)
		if err != nil {
			t.Fatal(err)
		}
		got[function] = append(got[function], out...)
	}
	part := func(function string) []float32 {
		width := v.network.Outputs(function)
		return v.outputs[function][from*width : to*width]
	}
	got["representation"] = append(got["representation"], mustRun(t, e, "representation")...)
	latent, after := part("representation"), part("afterstate")
	for _, function := range []string{"policy", "value"} {
		apply(function, latent)
	}
	for _, function := range []string{"chance", "afterstate_value", "reward"} {
		apply(function, after)
	}
	apply("afterstate", withChoice(latent, to-from, slides, from))
	apply("dynamics", withChoice(after, to-from, v.network.Outputs("chance"), from))
}

// withChoice appends a choice to the numbers of each row, each choice in turn.
func withChoice(in []float32, rows, choices, first int) (out []float32) {
	width := len(in) / rows
	for i := range rows {
		choice := make([]float32, choices)
		choice[(first+i)%choices] = 1
		out = append(append(out, in[i*width:][:width]...), choice...)
	}
	return out
}

// mustRun runs a function.
func mustRun(t testing.TB, e *Evaluator, function string) []float32 {
	t.Helper()
	out, err := e.Run(function)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A board's outputs have the same bits in every batch.
func TestBatchesAreIndependent(t *testing.T) {
	for _, name := range []string{"cnn", "az", "ppo"} {
		v := readVectors(t, name)
		together, alone := v.network.Evaluator(32), v.network.Evaluator(1)
		function := map[string]string{"cnn": "policy", "az": "policy", "ppo": "preference"}[name]
		together.Boards(v.boards[:29], v.attackers[:29])
		all := mustRun(t, together, function)
		width := v.network.Outputs(function)
		for i := range 29 {
			alone.Boards(v.boards[i:i+1], v.attackers[i:i+1])
			for j, got := range mustRun(t, alone, function) {
				if want := all[i*width+j]; math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%s, board %d: %v alone, %v in a batch", name, i, got, want)
				}
			}
		}
	}
}

// After its first call an Evaluator allocates nothing.
func TestEvaluatorsAllocateNothing(t *testing.T) {
	for _, name := range names {
		v := readVectors(t, name)
		e := v.network.Evaluator(8)
		latent := make([]float32, 8*8)
		compute := func() {
			e.Boards(v.boards[:8], v.attackers[:8])
			if name == "muzero" {
				if _, err := e.Apply("policy", latent); err != nil {
					t.Fatal(err)
				}
			}
			for function := range v.network.functions {
				if f := v.network.functions[function]; f.seesBoard() {
					mustRun(t, e, function)
				}
			}
		}
		compute()
		if allocated := testing.AllocsPerRun(20, compute); allocated != 0 {
			t.Errorf("%s: %v allocations", name, allocated)
		}
	}
}

// A function is computed only from inputs that fit it. It has the same output again for the same input, and another
// output for another board.
func TestInputs(t *testing.T) {
	v := readVectors(t, "muzero")
	e := v.network.Evaluator(2)
	if _, err := e.Run("representation"); err == nil {
		t.Error("a function of the board was computed without one")
	}
	if _, err := e.Run("policy"); err == nil {
		t.Error("a function of numbers was computed without them")
	}
	for name, in := range map[string][]float32{
		"representation": make([]float32, 108), "policy": make([]float32, 7), "dynamics": make([]float32, 36), "nothing": nil, "value": nil,
	} {
		if _, err := e.Apply(name, in); err == nil {
			t.Errorf("%s took %d numbers", name, len(in))
		}
	}
	if _, err := e.Run("nothing"); err == nil {
		t.Error("a function that is not there was computed")
	}
	first, err := e.Apply("policy", make([]float32, 8))
	if err != nil {
		t.Fatal(err)
	}
	before := first[0]
	if again := mustRun(t, e, "policy"); again[0] != before {
		t.Errorf("%v, before %v", again[0], before)
	}
	e.Boards(v.boards[:1], nil)
	one := mustRun(t, e, "representation")[0]
	e.Boards(v.boards[1:2], nil)
	if other := mustRun(t, e, "representation")[0]; other == one {
		t.Error("another board has the same representation")
	}
}

func TestTransforms(t *testing.T) {
	for _, transform := range []Transform{None, Sqrt, Log} {
		for _, points := range []float64{0, 1, -1, 67.6963, 5469.2141, -480, 3e6} {
			if back := transform.Points(transform.Of(points)); math.Abs(back-points) > 1e-9*max(1, math.Abs(points)) {
				t.Errorf("%s: %v becomes %v, and that %v", transform, points, transform.Of(points), back)
			}
		}
	}
	for transform, want := range map[Transform]float64{None: 3, Sqrt: 1.003, Log: math.Log(4)} {
		if got := transform.Of(3); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s of 3 is %v, want %v", transform, got, want)
		}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bins := Value{Transform: Sqrt, Scale: 1, Bins: 3, Low: 0, High: 10}
	for _, c := range []struct {
		value   Value
		outputs []float32
		want    float64
	}{
		{Value{Transform: None, Scale: 100}, []float32{0.5}, 50},
		{Value{Transform: None, Scale: 1}, []float32{nan}, 0},
		{Value{Transform: Log, Scale: 1}, []float32{inf}, mostPoints},
		{Value{Transform: None, Scale: 2, Bins: 3, Low: -1, High: 1}, []float32{0, 0, 0}, 0},
		{Value{Transform: None, Scale: 2, Bins: 3, Low: -1, High: 1}, []float32{-99, -99, 99}, 2},
		{bins, []float32{inf, 0, 0}, 0},
	} {
		if got := c.value.Points(c.outputs); math.Abs(got-c.want) > 1e-6*max(1, c.want) {
			t.Errorf("%+v of %v: %v, want %v", c.value, c.outputs, got, c.want)
		}
	}
}
