package rating

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test (Wald 1945) of two hypotheses on a
// bot's strength: H0, that it is Elo0 above its opponent, against H1, that it is
// Elo1. What the hypotheses leave open takes its most likely value under each: the
// generalised test of Li, Liu and Ying (2014), as Van den Bergh, A practical
// introduction to the GSPRT, has it for fishtest, and as fastchess and OpenBench do.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`  // more than Elo0
	Alpha float64 `json:"alpha"` // how often H1 is accepted where H0 is true, 0 to 1
	Beta  float64 `json:"beta"`  // how often H0 is accepted where H1 is true, 0 to 1
	Model Model   `json:"model"`
}

// Model says which Elo the hypotheses are in.
type Model string

// The models.
const (
	Logistic   Model = "logistic"
	Normalized Model = "normalized"
)

// State is what a test has come to.
type State string

// The states. H0 and H1 are accepted.
const (
	Running State = "running"
	H0      State = "H0"
	H1      State = "H1"
)

// mostElo is how far from equality a hypothesis may be.
const mostElo = 400

// Validate says what is wrong with the test.
func (t SPRT) Validate() error {
	switch {
	case t.Model != Logistic && t.Model != Normalized:
		return fmt.Errorf("sprt: model %q: want %q or %q", t.Model, Logistic, Normalized)
	case !(t.Elo0 < t.Elo1):
		return fmt.Errorf("sprt: elo0 %v and elo1 %v: want elo0 below elo1", t.Elo0, t.Elo1)
	case t.Elo0 < -mostElo || t.Elo1 > mostElo:
		return fmt.Errorf("sprt: elo0 %v and elo1 %v: want both from -%d to %[3]d", t.Elo0, t.Elo1, mostElo)
	case !(t.Alpha > 0 && t.Beta > 0 && t.Alpha+t.Beta < 1):
		return fmt.Errorf("sprt: alpha %v and beta %v: want both above 0, together below 1", t.Alpha, t.Beta)
	}
	return nil
}

// Bounds are the log likelihood ratios at which H0 and H1 are accepted:
// log(beta/(1-alpha)) and log((1-beta)/alpha).
func (t SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// LLR is the generalised log likelihood ratio of H1 to H0, 0 without a trial. An
// outcome that has not occurred counts as a thousandth of a trial.
func (t SPRT) LLR(c Counts) float64 {
	if Trials(c) == 0 {
		return 0
	}
	d, n := regularized(c)
	p0, p1 := t.likeliest(d, t.Elo0, c), t.likeliest(d, t.Elo1, c)
	llr := 0.0
	for i := range d {
		llr += n * d[i] * math.Log(p1[i]/p0[i])
	}
	return llr
}

// likeliest is the most likely distribution at an Elo difference.
func (t SPRT) likeliest(d distribution, elo float64, c Counts) distribution {
	if t.Model == Normalized {
		return d.withT(elo / normalizedScale * math.Sqrt(float64(c.size())))
	}
	return d.withMean(scoreOf(elo))
}

// State is what the test has come to. A test ends with the first trial that
// decides it: later ones must not be added to the counts.
func (t SPRT) State(c Counts) State {
	llr := t.LLR(c)
	switch lower, upper := t.Bounds(); {
	case llr <= lower:
		return H0
	case llr >= upper:
		return H1
	}
	return Running
}
