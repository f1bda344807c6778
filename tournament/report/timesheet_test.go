package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Times are exact while they are few. Many times are known within 0.05 %, in any order and in any
// parts.
func TestTimeCounts(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		all, parts := make([]uint32, 1+random.IntN(3*fewest)), [2]timeCounts{}
		for i := range all {
			all[i] = random.Uint32() >> random.IntN(32) // of all sizes
			parts[random.IntN(2)].add(all[i])
		}
		parts[0].merge(&parts[1])
		slices.Sort(all)
		for k := 0; k < len(all); k += 97 {
			got, want := parts[0].nth(k), float64(all[k])
			if precision := map[bool]float64{true: 0, false: 0.0005}[len(all) <= fewest]; math.Abs(got-want) > precision*want {
				t.Fatalf("seed %d: number %d of %d is %v, want %v", seed, k, len(all), got, want)
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
