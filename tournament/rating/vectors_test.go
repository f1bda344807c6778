package rating

import (
	"fmt"
	"testing"
)

func TestSPRTVectors(t *testing.T) {
	for _, tc := range []struct {
		model      Model
		elo0, elo1 float64
		counts     Counts
		want       string
	}{
		{Normalized, 0, 2, Pentanomial{365, 16618, 36229, 16974, 390}, "2.25"},
		{Normalized, -1.75, 0.25, Pentanomial{127, 4883, 10712, 5150, 104}, "3.01"},
		{Logistic, 0.5, 2.5, Pentanomial{223, 9863, 21279, 10037, 246}, "-3.07"},
		{Normalized, 0, 2, Trinomial{Loss: 36027, Draw: 68692, Win: 36433}, "0.92"},
	} {
		test := SPRT{Elo0: tc.elo0, Elo1: tc.elo1, Alpha: 0.05, Beta: 0.05, Model: tc.model}
		if got := fmt.Sprintf("%.2f", test.LLR(tc.counts)); got != tc.want {
			t.Errorf("%s [%v, %v] of %v: LLR %s, want %s", tc.model, tc.elo0, tc.elo1, tc.counts, got, tc.want)
		}
	}
}

func TestEloVectors(t *testing.T) {
	counts := Pentanomial{34, 54, 63, 64, 75}
	elo, _ := Elo(counts)
	normalized, _ := NormalizedElo(counts)
	for _, tc := range []struct {
		name string
		got  Interval
		want string
	}{
		{"Elo", elo, "55.58 +- 27.65"},
		{"nElo", normalized, "57.94 +- 28.28"},
	} {
		if got := fmt.Sprintf("%.2f +- %.2f", tc.got.Value, tc.got.HalfWidth()); got != tc.want {
			t.Errorf("%s %s, want %s", tc.name, got, tc.want)
		}
	}
}
