package learning

import (
	"testing"

	"versus2048/rules"
)

// BenchmarkPlay plays games of the full board and learns from them: with plain writes of the weights, and
// with the atomic ones that several threads need, both in one thread.
func BenchmarkPlay(b *testing.B) {
	for _, r := range []rules.Ruleset{rules.Solo, rules.GPCC2015} {
		for name, shared := range map[string]bool{"plain": false, "atomic": true} {
			b.Run(r.String()+"/"+name, func(b *testing.B) {
				t, err := New(Defaults(r, rules.Full))
				if err != nil {
					b.Fatal(err)
				}
				t.weights.shared = shared
				for b.Loop() {
					t.Play(b.Context(), t.Games()+10)
				}
				b.ReportMetric(float64(t.progress.Plies)/b.Elapsed().Seconds(), "plies/s")
			})
		}
	}
}
