package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// wide are the strengths of a list of bots that mostly meet only some of the others.
var wide = []float64{-400, -150, -60, 0, 80, 250, 400}

// playNeighbours plays matches between bots of the list that are close, and a few between the others.
func playNeighbours(random *rand.Rand, matches int) (results []Result) {
	for a := range wide {
		for b := range a {
			n := matches
			if a-b > 2 {
				n = 2
			}
			r := Result{A: a, B: b}
			for range n {
				if random.Float64() < scoreOf(wide[a]-wide[b]) {
					r.Matches.Win++
				} else {
					r.Matches.Loss++
				}
			}
			results = append(results, r)
		}
	}
	return results
}

// TestPriorCovers counts how often the intervals of ratings with a prior hold the truth.
func TestPriorCovers(t *testing.T) {
	const lists = 150
	random := rand.New(rand.NewPCG(3, 0))
	covered, bias := 0.0, 0.0
	for range lists {
		g := RateWithPrior(len(wide), playNeighbours(random, 20))[0].Anchored(3, wide[3])
		for k, truth := range wide {
			if i := g.Elo(k); k != 3 && i.Low <= truth && truth <= i.High {
				covered += 1.0 / (lists * float64(len(wide)-1))
			}
		}
		bias += (g.Elo(6).Value - wide[6]) / lists
	}
	t.Logf("%.1f%% covered; the strongest is rated %+.1f Elo", 100*covered, bias)
	if math.Abs(covered-Level) > 0.03 {
		t.Errorf("%.1f%% of the intervals hold the truth", 100*covered)
	}
	if math.Abs(bias) > 20 {
		t.Errorf("the strongest bot is rated %+.1f Elo from the truth on average", bias)
	}
}

// With a prior a newcomer's first match changes no other rating, and limits its own rating. Without
// a prior, the list is rated differently from that match on.
func TestPriorKeepsOthers(t *testing.T) {
	results := playNeighbours(rand.New(rand.NewPCG(4, 0)), 50)
	before := RateWithPrior(len(wide), results)[0].Anchored(3, 0)
	newcomer := Result{A: len(wide), B: 5, Matches: Trinomial{Win: 1}}
	after := RateWithPrior(len(wide)+1, append(results, newcomer))[0].Anchored(3, 0)
	for k := range wide {
		if moved := after.Elo(k).Value - before.Elo(k).Value; math.Abs(moved) > 2 {
			t.Errorf("bot %d has moved by %.2f Elo", k, moved)
		}
	}
	i := after.Elo(len(wide))
	if above := i.Value - after.Elo(5).Value; above < 50 || above > 400 || !math.IsInf(i.High, 1) || math.IsInf(i.Low, -1) {
		t.Errorf("the newcomer is rated %+v, %.0f above the bot that it has beaten", i, above)
	}
}

// As matches are added, the prior weighs less and less.
func TestPriorVanishes(t *testing.T) {
	results := playNeighbours(rand.New(rand.NewPCG(5, 0)), 2000)
	with, without := RateWithPrior(len(wide), results)[0], Rate(len(wide), results)[0]
	for k := range wide {
		if d := with.Elo(k).Value - without.Elo(k).Value; math.Abs(d) > 1 {
			t.Errorf("bot %d: %.2f Elo from the prior", k, d)
		}
	}
}
