package retrograde_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

func BenchmarkSolve(b *testing.B) {
	for _, size := range []string{"2x2", "3x2", "4x2", "3x3"} {
		for _, r := range rules.Rulesets() {
			b.Run(size+"/"+r.String(), func(b *testing.B) {
				s, err := rules.ParseSize(size)
				if err != nil {
					b.Fatal(err)
				}
				states := 0
				for b.Loop() {
					solution, err := retrograde.Solve(b.Context(), r, s, nil)
					if err != nil {
						b.Fatal(err)
					}
					states = 0
					for _, l := range solution.Layers {
						states += l.Attacker + l.Defender
					}
				}
				b.ReportMetric(float64(states), "states")
				b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			})
		}
	}
}

// BenchmarkProbe looks up positions of random games in a table.
func BenchmarkProbe(b *testing.B) {
	for _, test := range []struct {
		rules rules.Ruleset
		size  string
	}{{rules.GPCC2015, "3x3"}, {rules.GPCC2016, "3x3"}, {rules.Solo, "3x3"}} {
		path := filepath.Join(b.TempDir(), "a.table")
		if err := solve(b, test.rules, test.size).WriteFile(path, true); err != nil {
			b.Fatal(err)
		}
		table, err := exact.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer table.Close()
		positions := [2][]rules.Position{}
		random := rand.New(rand.NewPCG(1, 2))
		for len(positions[rules.Attacker]) < 10_000 {
			p := rules.NewPosition(table.Rules(), table.Size())
			for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(nil) {
				p = p.Next(moves[random.IntN(len(moves))])
				positions[p.SideToMove()] = append(positions[p.SideToMove()], p)
			}
		}
		for side, all := range positions {
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			b.Run(test.rules.String()+"/"+rules.Side(side).String(), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					if _, err := table.Value(all[i%len(all)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
