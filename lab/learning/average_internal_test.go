package learning

import (
	"math"
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// Game t counts as t^(1/share-1). Weights are added only now and then, and stand for all games since the last
// time.
func TestAverage(t *testing.T) {
	size := rules.Size{Width: 2, Height: 2}
	structure := ntuple.Structures(size)[0]
	w := newWeights(Settings{Structure: structure.Name, Size: size, Threads: 1}, structure)
	at := func(game uint64) float32 { return 100 * float32(math.Sin(float64(game)/700)) } // the first weight after a game
	set := func(game uint64) { w.all[0].value = at(game) }
	for _, share := range []float64{0.1, 0.25, 1} {
		a := newAverage(share, len(w.all))
		sum, counts, waiting := 0., 0., 0.
		for game := uint64(1); game <= 20_000; game++ {
			waiting += math.Pow(float64(game), 1/share) - math.Pow(float64(game-1), 1/share)
			set(game)
			if game%Round == 0 && a.due(game) {
				a.add(w, game)
				sum, counts, waiting = sum+waiting*float64(at(game)), counts+waiting, 0
			}
			if game%1300 != 0 {
				continue
			}
			want := (sum + waiting*float64(at(game))) / (counts + waiting)
			if got := float64(a.with(w, game)[0]); math.Abs(got-want) > 1e-2 {
				t.Fatalf("share %v: %v after %d games, want %v", share, got, game, want)
			}
		}
		if a.weights[1] != 0 {
			t.Errorf("share %v: a weight that was always 0 has the average %v", share, a.weights[1])
		}
	}
}

// A trainer that is asked for its network before the first round is over, or before any game, has the weights.
func TestAverageBegins(t *testing.T) {
	settings := Defaults(rules.Solo, rules.Size{Width: 2, Height: 2})
	settings.Average = 0.5
	trainer, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, games := range []uint64{0, 10} {
		trainer.Play(t.Context(), games)
		network, err := trainer.Network()
		if err != nil {
			t.Fatal(err)
		}
		plain, err := trainer.network(trainer.weights.numbers())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1 << 16 {
			b := rules.Board(i&0xFF | i&0xFF00<<8) // a row has 16 bits, and 2x2 the first 8 of them
			if got, want := network.Of(b), plain.Of(b); got != want {
				t.Fatalf("after %d games %v is worth %d, want %d", games, b, got, want)
			}
		}
	}
}

// Averages do not change learning, and learning does not read them.
func TestAverageOnlyWatches(t *testing.T) {
	settings := Defaults(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	settings.Strangers = 0.5
	averaged := settings
	averaged.Average = 0.25
	var weights [2][]float32
	for i, s := range []Settings{settings, averaged} {
		trainer, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			trainer.Play(t.Context(), 3*Round)
		}
		weights[i] = trainer.weights.numbers()
	}
	for i, w := range weights[0] {
		if w != weights[1][i] {
			t.Fatalf("weight %d is %v, with an average %v", i, w, weights[1][i])
		}
	}
}
