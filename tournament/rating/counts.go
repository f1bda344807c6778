package rating

// Trinomial counts single matches by their outcome, from one bot's side.
type Trinomial struct {
	Loss int64 `json:"loss"`
	Draw int64 `json:"draw"`
	Win  int64 `json:"win"`
}

// Pentanomial counts pairs of matches on one opening by a bot's points in the pair: 0, 1/2, 1, 3/2,
// 2. The two matches of a pair depend on each other; different pairs do not.
type Pentanomial [5]int64

// Counts are the outcomes of independent trials from one bot's side: a
// [Trinomial] of single matches, or a [Pentanomial] of pairs.
type Counts interface {
	// outcomes returns the number of trials for each score, worst first. The scores are equally
	// spaced from 0 to 1: a trial's points as a fraction of the available ones.
	outcomes() []int64
	// size returns the number of matches in a trial.
	size() int64
}

func (t Trinomial) outcomes() []int64 { return []int64{t.Loss, t.Draw, t.Win} }
func (t Trinomial) size() int64       { return 1 }

func (p Pentanomial) outcomes() []int64 { return p[:] }
func (p Pentanomial) size() int64       { return 2 }

// Reversed returns the same counts from the other bot's side.
func (t Trinomial) Reversed() Trinomial { return Trinomial{Loss: t.Win, Draw: t.Draw, Win: t.Loss} }

// Reversed returns the same counts from the other bot's side.
func (p Pentanomial) Reversed() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// Trials returns the number of trials.
func Trials(c Counts) int64 {
	var n int64
	for _, k := range c.outcomes() {
		n += k
	}
	return n
}

// distribution has the probability of each outcome of a trial. Outcome i of n has the score i/(n-1).
type distribution []float64

// observed returns the frequency of each outcome, 0 to 1. There must be at least one trial.
func observed(c Counts) distribution {
	n := float64(Trials(c))
	d := distribution{}
	for _, k := range c.outcomes() {
		d = append(d, float64(k)/n)
	}
	return d
}

// unseen is the number of trials that stands for an outcome that has not occurred, when a
// likelihood is computed. It is the same in fishtest's LLRcalc and in fastchess.
const unseen = 1e-3

// regularized returns the frequency of each outcome, which is never zero, and the number of trials. Both take unseen as
// the number of trials of an outcome that has not occurred.
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

func (d distribution) step() float64 { return d.score(1) }

func (d distribution) moments() (mean, variance float64) {
	for i, p := range d {
		mean += p * d.score(i)
	}
	for i, p := range d {
		variance += p * (d.score(i) - mean) * (d.score(i) - mean)
	}
	return mean, variance
}
