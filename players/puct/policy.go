package puct

import (
	"math"

	"versus2048/players/playout"
	"versus2048/rules"
)

// slideCount is the number of slides in a policy. The slides come first, in the order N, S, W, E.
const slideCount = 4

// Outputs returns the number of entries in a policy for both roles on boards of this size: the slides in the order N,
// S, W, E, then for each cell, row by row, a 2 and a 4.
func Outputs(s rules.Size) int { return slideCount + 2*s.Cells() }

// Index returns the place of a move among the Outputs of a policy.
func Index(m rules.Move, s rules.Size) int {
	if m.IsSlide() {
		return int(m - rules.North)
	}
	column, row := m.Cell()&3, m.Cell()>>2
	i := slideCount + 2*(row*int(s.Width)+column)
	if m.IsFour() {
		i++
	}
	return i
}

// softmax sets the priors of edges to the softmax of their logits, or to equal priors if a logit is not a number.
func softmax(edges []edge, logit func(action uint8) float32) {
	most := float32(math.Inf(-1))
	for _, e := range edges {
		most = max(most, logit(e.action))
	}
	sum := 0.0
	for i := range edges {
		p := math.Exp(float64(logit(edges[i].action) - most))
		edges[i].prior, sum = float32(p), sum+p
	}
	for i := range edges {
		if edges[i].prior = float32(float64(edges[i].prior) / sum); !(sum > 0) {
			edges[i].prior = 1 / float32(len(edges))
		}
	}
}

// addNoise mixes a draw from the symmetric Dirichlet distribution into priors: (1-share) P + share D.
func addNoise(edges []edge, share, alpha float64, random *playout.Generator) {
	gamma := newGamma(alpha, random)
	draws, sum := make([]float64, len(edges)), 0.0
	for i := range draws {
		draws[i] = max(gamma.draw(), math.SmallestNonzeroFloat64)
		sum += draws[i]
	}
	for i := range edges {
		edges[i].prior = float32(float64((1-share)*float64(edges[i].prior)) + float64(share*(draws[i]/sum)))
	}
}

// uniform returns a number from 0 to less than 1.
func uniform(random *playout.Generator) float64 { return float64(random.Next()>>11) / (1 << 53) }
