package puct

import (
	"math"
	"testing"

	"versus2048/players/playout"
)

// grown returns a tree of a root with these priors. Each of its moves has the given number of visits, all with
// the given value.
func grown(root turn, priors []float32, visits []int32, values []float64) *tree {
	t := &tree{config: Config{Base: 19652, Init: 1.25, Scaled: Siblings}}
	t.reset(root)
	actions := make([]uint8, len(priors))
	for i := range actions {
		actions[i] = uint8(i)
	}
	for i := range t.expand(0, actions) {
		t.edges[i].prior = priors[i]
	}
	t.nodes[0].pending = 1
	t.backup(path{0}, 0) // its own rating
	for i, n := range visits {
		for range n {
			if t.edges[i].node == none {
				t.edges[i].node = int32(len(t.nodes))
				t.nodes = append(t.nodes, node{})
			}
			t.reserve(path{0, t.edges[i].node}, 1)
			t.backup(path{0, t.edges[i].node}, values[i])
		}
	}
	return t
}

// The move is the one with the greatest Q + c P sqrt(N) / (1+n), computed by hand.
func TestPromising(t *testing.T) {
	for _, test := range []struct {
		name   string
		turn   turn
		priors []float32
		visits []int32
		values []float64
		want   int32
	}{
		{"nothing tried: the greatest prior", maximiser, []float32{0.2, 0.5, 0.3}, []int32{0, 0, 0}, []float64{0, 0, 0}, 1},
		{"the first of equals", maximiser, []float32{0.5, 0.5}, []int32{0, 0}, []float64{0, 0}, 0},
		// N = 3, c = 1.2502, c sqrt(N) = 2.165: 1 + 2.165*0.5/3 = 1.361; 0 + 2.165*0.5/1 = 1.083
		{"a good move goes before an untried one", maximiser, []float32{0.5, 0.5}, []int32{2, 0}, []float64{8, 0}, 0},
		// N = 5: c sqrt(N) = 2.796: 1 + 2.796*0.5/5 = 1.280; 2.796*0.5 = 1.398
		{"until it has enough visits", maximiser, []float32{0.5, 0.5}, []int32{4, 0}, []float64{8, 0}, 1},
		// N = 3: 0 + 2.165*0.5/2 = 0.541; 1 + 0.541
		{"the defender wants more", maximiser, []float32{0.5, 0.5}, []int32{1, 1}, []float64{4, 8}, 1},
		{"the attacker wants less", minimiser, []float32{0.5, 0.5}, []int32{1, 1}, []float64{4, 8}, 0},
		// P / (N+1): 0.9/3 = 0.3, 0.1/1 = 0.1; 0.9/10 = 0.09
		{"chance: the likely one", chance, []float32{0.9, 0.1}, []int32{2, 0}, []float64{0, 0}, 0},
		{"chance: the rare one once in a while", chance, []float32{0.9, 0.1}, []int32{9, 0}, []float64{0, 0}, 1},
	} {
		if got := grown(test.turn, test.priors, test.visits, test.values).promising(0); got != test.want {
			t.Errorf("%s: edge %d, want %d", test.name, got, test.want)
		}
	}
}

// A simulation in progress counts as a lost one.
func TestVirtualLoss(t *testing.T) {
	tree := grown(maximiser, []float32{0.6, 0.4}, []int32{1, 1}, []float64{8, 7.9})
	if got := tree.promising(0); got != 0 {
		t.Fatalf("edge %d, want 0", got)
	}
	tree.reserve(path{0, tree.edges[0].node}, 1)
	if got := tree.promising(0); got != 1 {
		t.Errorf("while the first is tried: edge %d, want 1", got)
	}
}

// The codes of chance come up in proportion to their probabilities.
func TestChanceInProportion(t *testing.T) {
	priors := []float32{0.45, 0.05, 0.45, 0.05}
	visits := make([]int32, 4)
	for range 200 {
		visits[grown(chance, priors, visits, make([]float64, 4)).promising(0)]++
	}
	for i, n := range visits {
		if math.Abs(float64(n)-200*float64(priors[i])) > 2 {
			t.Errorf("%v visits for the probabilities %v", visits, priors)
		}
	}
}

// Moves are drawn by N^(1/temperature). The best move is the most visited one, and of equally visited moves the
// better one.
func TestChoice(t *testing.T) {
	tree := grown(minimiser, []float32{0.2, 0.2, 0.2, 0.4}, []int32{10, 30, 30, 0}, []float64{1, 5, 4, 0})
	if got := tree.choice(0, nil); got != 2 {
		t.Errorf("edge %d, want 2: as often visited as 1, and better for the attacker", got)
	}
	for temperature, want := range map[float64][]float64{1: {1. / 7, 3. / 7, 3. / 7, 0}, 0.5: {1. / 19, 9. / 19, 9. / 19, 0}} {
		random := playout.NewGenerator(1)
		counts := make([]float64, 4)
		const draws = 20_000
		for range draws {
			counts[tree.choice(temperature, &random)]++
		}
		for i, n := range counts {
			if math.Abs(n/draws-want[i]) > 0.02 {
				t.Errorf("temperature %v: drawn %v of %d, want the shares %v", temperature, counts, draws, want)
				break
			}
		}
	}
}

// With noise, priors are still a distribution, with the requested share of the policy. Alpha sets the form of
// the noise: it is even for a large alpha, and falls on few moves for a small one.
func TestNoise(t *testing.T) {
	greatest := func(alpha float64) float64 {
		random := playout.NewGenerator(3)
		mean := 0.0
		for range 500 {
			edges := []edge{{prior: 1}, {}, {}, {}}
			addNoise(edges, 0.25, alpha, &random)
			sum, most := float32(0), float32(0)
			for i, e := range edges {
				sum += e.prior
				if i > 0 {
					most = max(most, e.prior)
				}
			}
			if math.Abs(float64(sum)-1) > 1e-5 || edges[0].prior < 0.75 {
				t.Fatalf("alpha %v: %v", alpha, edges)
			}
			mean += float64(most) / 500
		}
		return mean
	}
	if even, few := greatest(100), greatest(0.03); even > 0.08 || few < 0.15 {
		t.Errorf("the greatest noise is %.3f with alpha 100, %.3f with 0.03: want about 0.07 and 0.19", even, few)
	}
}

// Logits that are not numbers give equal priors.
func TestSoftmax(t *testing.T) {
	for _, test := range []struct{ logits, want []float32 }{
		{[]float32{0, 0}, []float32{0.5, 0.5}},
		{[]float32{float32(math.Log(3)), 0}, []float32{0.75, 0.25}},
		{[]float32{1e30, 0}, []float32{1, 0}},
		{[]float32{float32(math.NaN()), 0}, []float32{0.5, 0.5}},
		{[]float32{float32(math.Inf(1)), 0}, []float32{0.5, 0.5}},
	} {
		edges := []edge{{action: 0}, {action: 1}}
		softmax(edges, func(a uint8) float32 { return test.logits[a] })
		for i, e := range edges {
			if math.Abs(float64(e.prior-test.want[i])) > 1e-6 {
				t.Errorf("%v: %v, want %v", test.logits, edges, test.want)
			}
		}
	}
}
