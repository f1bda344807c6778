package neural_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"versus2048/players/clock"
	"versus2048/players/neural"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// benchNetworks are networks of the usual sizes: a perceptron for 3x3, and the network of Kondo 2020 with 5
// layers of 222 channels.
func benchNetworks() map[string]*neural.Network {
	from := neural.Source{Function: "board"}
	perceptron := []neural.Layer{
		{Kind: neural.Dense, In: 9 * 12, Out: 256},
		{Kind: neural.ReLU},
		{Kind: neural.Dense, In: 256, Out: 256},
		{Kind: neural.ReLU},
		{Kind: neural.Dense, In: 256, Out: 1},
	}
	kondo := []neural.Layer{}
	for channels := 16; len(kondo) < 10; channels = 222 {
		kondo = append(kondo, neural.Layer{Kind: neural.Conv, Kernel: []int{2, 2}, In: channels, Out: 222, Padding: neural.After}, neural.Layer{Kind: neural.ReLU})
	}
	kondo = append(kondo, neural.Layer{Kind: neural.Dense, In: 16 * 222, Out: 4})
	networks := map[string]*neural.Network{}
	for name, h := range map[string]neural.Header{
		"perceptron": {Method: "td", Size: rules.Size{Width: 3, Height: 3}, Description: neural.Description{
			Planes: 12, Functions: map[string]neural.Function{"value": {From: from, Layers: perceptron}},
		}},
		"kondo": {Method: "cnn", Size: rules.Full, Description: neural.Description{
			Planes: 16, Functions: map[string]neural.Function{"policy": {From: from, Layers: kondo}},
		}},
	} {
		h.Description.Value = neural.Value{Transform: neural.None, Scale: 1}
		n, err := neural.New(h, searchtest.Weights(h.Description, h.Size, 1))
		if err != nil {
			panic(err)
		}
		networks[name] = n
	}
	return networks
}

// BenchmarkRun evaluates boards in batches.
func BenchmarkRun(b *testing.B) {
	networks := benchNetworks()
	for name, function := range map[string]string{"perceptron": "value", "kondo": "policy"} {
		n := networks[name]
		for _, batch := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/batch=%d", name, batch), func(b *testing.B) {
				random := rand.New(rand.NewPCG(1, 2))
				boards := make([]rules.Board, batch)
				for i := range boards {
					for x := range int(n.Size().Width) {
						for y := range int(n.Size().Height) {
							boards[i] = boards[i].With(4*y+x, random.IntN(11))
						}
					}
				}
				e := n.Evaluator(batch)
				b.ReportAllocs()
				before := clock.ProcessorTime()
				for b.Loop() {
					e.Boards(boards, nil)
					if _, err := e.Run(function); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(batch*b.N)/(clock.ProcessorTime()-before).Seconds(), "boards/cpu-s")
			})
		}
	}
}
