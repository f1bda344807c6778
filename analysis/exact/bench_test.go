package exact_test

import (
	"testing"

	"versus2048/rules"
)

func BenchmarkSolve(b *testing.B) {
	for _, size := range []string{"2x2", "3x2", "4x2", "3x3"} {
		for _, r := range rules.Rulesets() {
			b.Run(size+"/"+r.String(), func(b *testing.B) {
				states := 0
				for b.Loop() {
					states = 0
					for _, l := range solve(b, r, size).Layers {
						states += l.Attacker + l.Defender
					}
				}
				b.ReportMetric(float64(states), "states")
				b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			})
		}
	}
}
