package rating

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// davidson is Davidson's model in log-linear form. The parameters x are the bots' log
// strengths and, last, log nu. The probability of an outcome between two bots is
// proportional to the exponential of its features times x.
type davidson struct {
	bots    int
	records []record
}

// record counts the losses, draws and wins of bot a against bot b. The counts may be fractions.
type record struct {
	a, b     int
	outcomes [3]float64
}

// features has, for each outcome, the factors of the log strengths of a and b and of log nu.
var features = [3][3]float64{{0, 1, 0}, {0.5, 0.5, 1}, {1, 0, 0}}

// newDavidson returns the model of results between a number of bots. It adds a record of half a draw and half a decided
// match of a bot against itself. The record limits nu and does not change strengths.
func newDavidson(bots int, results []Result) davidson {
	d := davidson{bots: bots, records: []record{{0, 0, [3]float64{0.25, 0.5, 0.25}}}}
	for _, r := range results {
		m := r.Matches
		d.records = append(d.records, record{r.A, r.B, [3]float64{float64(m.Loss), float64(m.Draw), float64(m.Win)}})
	}
	return d
}

// withImaginaryBot adds an imaginary bot if the results do not limit all differences. Each bot wins
// and loses half a match against it.
func (d davidson) withImaginaryBot(n int, results []Result) davidson {
	if bounded(n, results) {
		return d
	}
	for i := range n {
		d.records = append(d.records, record{i, d.bots, [3]float64{0.5, 0, 0.5}})
	}
	d.bots++
	return d
}

// parameters returns the indices in x for a record's features.
func (d davidson) parameters(r record) [3]int { return [3]int{r.a, r.b, d.bots} }

// probabilities returns the probabilities of loss, draw and win in a match of the record.
func (d davidson) probabilities(r record, x []float64) (p [3]float64) {
	for o, feature := range features {
		for k, at := range d.parameters(r) {
			p[o] += feature[k] * x[at]
		}
	}
	total := floats.LogSumExp(p[:])
	for o := range p {
		p[o] = math.Exp(p[o] - total)
	}
	return p
}

// cost returns the negative log likelihood. The likelihood depends only on the differences of the strengths, so cost
// adds a term that makes the mean strength 0 at the minimum. The term itself is 0 there.
func (d davidson) cost(x []float64) float64 {
	sum := floats.Sum(x[:d.bots])
	cost := sum * sum / 2
	for _, r := range d.records {
		for o, p := range d.probabilities(r, x) {
			cost -= r.outcomes[o] * math.Log(p)
		}
	}
	return cost
}

// gradient sets the gradient of the cost: the expected features minus the observed ones.
func (d davidson) gradient(gradient, x []float64) {
	sum := floats.Sum(x[:d.bots])
	for i := range gradient {
		gradient[i] = sum
	}
	gradient[d.bots] = 0
	for _, r := range d.records {
		n := floats.Sum(r.outcomes[:])
		for o, p := range d.probabilities(r, x) {
			for k, at := range d.parameters(r) {
				gradient[at] += (n*p - r.outcomes[o]) * features[o][k]
			}
		}
	}
}

// hessian sets the lower triangle of the Hessian of the cost: the information, that is, the
// covariance of the features.
func (d davidson) hessian(hessian matrix, x []float64) {
	for i, row := range hessian {
		for j := range i + 1 {
			row[j] = 1
		}
	}
	clear(hessian[d.bots])
	for _, r := range d.records {
		p, at := d.probabilities(r, x), d.parameters(r)
		n := floats.Sum(r.outcomes[:])
		for k, i := range at {
			for l, j := range at {
				if i >= j { // each entry once; if a is b, both halves of it
					hessian[i][j] += n * covariance(p, k, l)
				}
			}
		}
	}
}

func covariance(p [3]float64, k, l int) float64 {
	var product, meanK, meanL float64
	for o, f := range features {
		product += p[o] * f[k] * f[l]
		meanK += p[o] * f[k]
		meanL += p[o] * f[l]
	}
	return product - meanK*meanL
}

// fit returns the parameters of greatest likelihood, and the covariance of their errors, which is
// the inverse of the information.
func (d davidson) fit() (x []float64, covariance matrix) {
	x = d.cheapest()
	information := newMatrix(len(x), len(x))
	d.hessian(information, x)
	return x, factorize(information).inverse()
}

// cheapest returns the parameters of least cost, by Newton's method. In the end each step squares the
// error, so the step after precision is reached leaves nothing but rounding errors.
func (d davidson) cheapest() []float64 {
	n := d.bots + 1
	x, gradient, information := make([]float64, n), make([]float64, n), newMatrix(n, n)
	flat := false
	for steps := 0; !flat && steps < mostSteps; steps++ {
		d.gradient(gradient, x)
		d.hessian(information, x)
		x = d.descend(x, gradient, factorize(information).solve(gradient))
		flat = floats.Norm(gradient, math.Inf(1)) < precision*d.matches()
	}
	return x
}

// mostSteps limits the steps of Newton's method. Some ten are usual.
const mostSteps = 100

// descend returns x less a step, or less a half of it, a quarter, and so on: the first point where
// the cost, which is convex, is lower by at least a quarter of the gain that the gradient promises
// (Armijo 1966). Rounding errors, of each match and of the sum, may hide the gain.
func (d davidson) descend(x, gradient, step []float64) []float64 {
	next, cost, promised := make([]float64, len(x)), d.cost(x), floats.Dot(gradient, step)
	hidden := 1e-12*cost + 64*rounding*d.matches()
	for length := 1.0; ; length /= 2 {
		floats.AddScaledTo(next, x, -length, step)
		if d.cost(next) <= cost+hidden-length*promised/4 || length < rounding {
			return next
		}
	}
}

// precision is the accepted difference between the expected and the actual points, as a fraction of all matches.
const precision = 1e-10

func (d davidson) matches() float64 {
	total := 0.0
	for _, r := range d.records {
		total += floats.Sum(r.outcomes[:])
	}
	return total
}

// RateWithPrior rates as [Rate] does, but with a prior: additional matches, half won and half lost, on average one for
// each bot, spread over its opponents as withOwnMatches says. Coulom's BayesElo does the same with draws (Whole-History
// Rating, 2008, calls it virtual games).
//
// It is for lists that new bots join all the time. All differences are limited for any results, so that a newcomer
// that has won its first match does not change the ratings of the others. On average the prior weighs as much
// as one match of a bot: it pulls a rating towards the opponents' ratings, less and less as matches are added.
func RateWithPrior(n int, results []Result) []Group {
	return rate(n, results, davidson.withOwnMatches)
}

// withOwnMatches adds each bot's match of the prior, spread over its opponents. For each pair of bots it computes the
// pair's fraction of the one bot's matches and of the other's. Half of the sum is the weight of the addition.
func (d davidson) withOwnMatches(n int, results []Result) davidson {
	played := make([]float64, n)
	for _, r := range results {
		matches := float64(Trials(r.Matches))
		played[r.A] += matches
		played[r.B] += matches
	}
	for _, r := range results {
		matches := float64(Trials(r.Matches))
		weight := (matches/played[r.A] + matches/played[r.B]) / 2
		d.records = append(d.records, record{r.A, r.B, [3]float64{weight / 2, 0, weight / 2}})
	}
	return d
}
