package rating

// distribution gives each outcome of a trial its probability. Outcome i of n has
// the score i/(n-1).
type distribution []float64

// observed is the share of each outcome, of trials that are at least one.
func observed(c Counts) distribution {
	n := float64(Trials(c))
	d := distribution{}
	for _, k := range c.outcomes() {
		d = append(d, float64(k)/n)
	}
	return d
}

// unseen is what an outcome that has not occurred counts, in trials, where a
// likelihood is wanted: as in fishtest's LLRcalc and in fastchess.
const unseen = 1e-3

// regularized is the share of each outcome where none may be zero, and the
// number of trials, which what is unseen adds to.
func regularized(c Counts) (d distribution, trials float64) {
	for _, k := range c.outcomes() {
		n := float64(k)
		if k == 0 {
			n = unseen
		}
		d = append(d, n)
		trials += n
	}
	for i := range d {
		d[i] /= trials
	}
	return d, trials
}

func (d distribution) score(i int) float64 { return float64(i) / float64(len(d)-1) }

// step is from one score to the next.
func (d distribution) step() float64 { return d.score(1) }

// moments are the mean and the variance of a trial's score.
func (d distribution) moments() (mean, variance float64) {
	for i, p := range d {
		mean += p * d.score(i)
	}
	for i, p := range d {
		variance += p * (d.score(i) - mean) * (d.score(i) - mean)
	}
	return mean, variance
}
