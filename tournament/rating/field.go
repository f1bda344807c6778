package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Result is what two bots, numbered from 0, made against each other, from A's
// side.
type Result struct {
	A, B    int
	Matches Trinomial   // all of them
	Pairs   Pentanomial // those of Matches that were played in pairs on one opening
}

// Group is bots that are connected by matches, rated together. Nothing is known
// of the difference between bots of two groups.
type Group struct {
	Members []int // the bots' numbers, rising

	// Prior tells that the results alone do not set all differences a limit: some
	// bots have lost no point to the others, as after a first match. Each member
	// then counts, beside what it played, half a match won and half a match lost
	// against one more bot, the same for all.
	Prior bool
	// DrawRate is how often two equal bots draw, 0 to 1.
	DrawRate float64
	// DesignEffect is the variance of a pair of matches on one opening over that of
	// two independent matches, 1 to 2.
	DesignEffect float64

	ratings      []float64 // by the place in Members
	covariance   *mat.SymDense
	below, above []bool // the results set the rating no limit there
}

// Rate rates n bots by the maximum likelihood of all results at once, on the Elo
// scale, the mean of each group being 0. The model is that of Bradley and Terry
// (1952) with the draws of Davidson (1970): with strengths p and q, the
// probabilities of win, draw and loss are as p, nu sqrt(p q) and q. A rating is
// 400 log10(p) times 2/(2+nu), so that small differences mean the score that the
// Elo formula gives, whatever nu is; large ones do so if nu is 0 or 2, and nearly
// if it is between (BayesElo scales its ratings for the same reason).
//
// Where there is no bound on a likelihood, as with perfect scores, see
// [Group.Prior]. Draws count half a match more than were played and decided
// matches too, so that nu has a bound as well.
//
// Two matches on one opening depend on each other. That leaves the ratings
// unbiased, but not their variance: the covariances are multiplied by the
// group's [Group.DesignEffect].
func Rate(n int, results []Result) []Group {
	var groups []Group
	for _, members := range components(n, results) {
		groups = append(groups, rateGroup(members, results))
	}
	return groups
}

// Elo is the rating of the k-th member with its interval. Who has won every
// match has no upper end, who has lost every match no lower one.
func (g Group) Elo(k int) Interval {
	value := g.ratings[k]
	margin := reach * math.Sqrt(max(0, g.covariance.At(k, k)))
	i := Interval{Value: value, Low: value - margin, High: value + margin}
	if g.below[k] {
		i.Low = math.Inf(-1)
	}
	if g.above[k] {
		i.High = math.Inf(1)
	}
	return i
}

// Superiority is the likelihood that the k-th member is better than the l-th,
// another one, 0 to 1.
func (g Group) Superiority(k, l int) float64 {
	v := g.covariance
	variance := v.At(k, k) + v.At(l, l) - 2*v.At(k, l)
	return distuv.UnitNormal.CDF((g.ratings[k] - g.ratings[l]) / math.Sqrt(variance))
}

// Anchored is the group with the k-th member's rating fixed at elo. All
// intervals are then those of differences to that bot.
func (g Group) Anchored(k int, elo float64) Group {
	n := len(g.Members)
	shift := mat.NewDense(n, n, nil)
	anchored := g
	anchored.ratings, anchored.below, anchored.above = make([]float64, n), make([]bool, n), make([]bool, n)
	for i := range n {
		anchored.ratings[i] = g.ratings[i] - g.ratings[k] + elo
		if i != k {
			anchored.below[i] = g.below[i] || g.above[k]
			anchored.above[i] = g.above[i] || g.below[k]
			shift.Set(i, i, 1)
			shift.Set(i, k, -1)
		}
	}
	anchored.covariance = transformed(shift, g.covariance)
	return anchored
}

// transformed is the covariance of j x where v is that of x.
func transformed(j mat.Matrix, v mat.Symmetric) *mat.SymDense {
	var half, full mat.Dense
	half.Mul(j, v)
	full.Mul(&half, j.T())
	n, _ := full.Dims()
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			symmetric.SetSym(i, k, (full.At(i, k)+full.At(k, i))/2)
		}
	}
	return symmetric
}
