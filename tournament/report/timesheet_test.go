package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestNth(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		x := make([]uint32, 1+random.IntN(40))
		for i := range x {
			x[i] = random.Uint32N(1 + uint32(seed)) // many alike at first
		}
		sorted := slices.Sorted(slices.Values(x))
		for k := range x {
			if got := nth(x, k); got != sorted[k] || x[k] != got || k > 0 && slices.Max(x[:k]) > got {
				t.Fatalf("number %d of %v is %d, want %d", k, x, got, sorted[k])
			}
		}
	}
}

func TestMedianOfTimes(t *testing.T) {
	for _, tc := range []struct {
		us   []int
		want float64 // ms
	}{
		{[]int{7000}, 7},
		{[]int{9000, 1000}, 5},
		{[]int{3000, 1, 500_000}, 3},
		{[]int{4, 1, 3, 2}, 0.0025},
		{[]int{math.MaxUint32 * 2}, math.MaxUint32 / 1000.0},
	} {
		var p pace
		for _, us := range tc.us {
			p.add(time.Duration(us)*time.Microsecond, 0)
		}
		if got := p.median(); got.Absent() || math.Abs(got.Value-tc.want) > 1e-9*tc.want {
			t.Errorf("median of %v us: %v ms, want %v", tc.us, got, tc.want)
		}
	}
}
