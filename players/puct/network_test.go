package puct_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"versus2048/players/neural"
	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// A network's rating of a position does not depend on the other positions in its batch.
func TestNetworkRatesEachAlone(t *testing.T) {
	network, err := puct.NewNetwork(searchtest.Network("az", rules.GPCC2016, threeByTwo, 1), 64)
	if err != nil {
		t.Fatal(err)
	}
	random := playout.NewGenerator(1)
	var positions []rules.Position
	for len(positions) < 64 {
		positions = slices.AppendSeq(positions, searchtest.RandomGame(rules.NewPosition(rules.GPCC2016, threeByTwo), random.Below))
	}
	positions = positions[:64]
	var together []puct.Rating
	for _, r := range network.Evaluate(positions) {
		together = append(together, puct.Rating{Policy: slices.Clone(r.Policy), Further: r.Further})
	}
	for i, p := range positions {
		if alone := network.Evaluate([]rules.Position{p})[0]; !reflect.DeepEqual(alone, together[i]) {
			t.Fatalf("%v: %v alone, %v in a batch", p, alone, together[i])
		}
	}
}

func TestNetworksRefuse(t *testing.T) {
	az, muzero := searchtest.Network("az", rules.GPCC2016, threeByTwo, 1), searchtest.Network("muzero", rules.Solo, threeByTwo, 1)
	if _, err := puct.NewNetwork(muzero, 1); err == nil || !strings.Contains(err.Error(), "want az") {
		t.Error(err)
	}
	if _, err := puct.NewNetworkModel(az); err == nil || !strings.Contains(err.Error(), "want muzero") {
		t.Error(err)
	}
}

// A model with functions that share a trunk is the same as a model without a trunk that repeats the trunk's
// layers.
func TestNetworkModelWithTrunk(t *testing.T) {
	whole := searchtest.Network("muzero", rules.Solo, threeByTwo, 1)
	d := searchtest.NetworkDescription("muzero", threeByTwo)
	latent := whole.Outputs("representation")
	relu := neural.Layer{Kind: neural.ReLU}
	d.Functions["trunk"] = neural.Function{From: neural.Source{Numbers: latent}, Layers: []neural.Layer{relu}}
	weights := searchtest.Weights(searchtest.NetworkDescription("muzero", threeByTwo), threeByTwo, 1)
	repeated := searchtest.NetworkDescription("muzero", threeByTwo)
	for i := range weights {
		if name, ok := strings.CutPrefix(weights[i].Name, "policy.0."); ok {
			weights[i].Name = "policy.1." + name
		}
	}
	f := repeated.Functions["policy"]
	f.Layers = append([]neural.Layer{relu}, f.Layers...)
	repeated.Functions["policy"] = f
	model := func(d neural.Description, weights []neural.Tensor) *puct.NetworkModel {
		n, err := neural.New(neural.Header{Method: "muzero", Rules: rules.Solo, Size: threeByTwo, Description: d}, weights)
		if err != nil {
			t.Fatal(err)
		}
		m, err := puct.NewNetworkModel(n)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := model(repeated, weights)
	d.Functions["policy"] = neural.Function{From: neural.Source{Function: "trunk"}, Layers: d.Functions["policy"].Layers}
	got := model(d, searchtest.Weights(searchtest.NetworkDescription("muzero", threeByTwo), threeByTwo, 1))
	state := slices.Clone(want.Represent(searchtest.Position(t, rules.Solo, "2,0,4/0,2,0 D").Board()))
	wanted, _ := want.Predict(state)
	if policy, _ := got.Predict(state); !reflect.DeepEqual(policy, wanted) {
		t.Errorf("with a trunk %v, want %v", policy, wanted)
	}
}
