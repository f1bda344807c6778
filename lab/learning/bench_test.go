package learning

import (
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// BenchmarkPlay plays games of the full board and learns from them.
func BenchmarkPlay(b *testing.B) {
	for _, r := range []rules.Ruleset{rules.Solo, rules.GPCC2015} {
		for _, structure := range ntuple.Structures(rules.Full) {
			b.Run(r.String()+"/"+structure.Name, func(b *testing.B) {
				settings := Defaults(r, rules.Full)
				settings.Structure = structure.Name
				t, err := New(settings)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					t.Play(b.Context(), t.Games()+10)
				}
				b.ReportMetric(float64(t.progress.Plies)/b.Elapsed().Seconds(), "plies/s")
			})
		}
	}
}
