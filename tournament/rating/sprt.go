package rating

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SPRT is a sequential probability ratio test (Wald 1945) of two hypotheses about a bot's strength: H0, that it
// is Elo0 above its opponent, against H1, that it is Elo1 above. Parameters that the hypotheses leave open take
// their most likely values under each: the generalised test of Li, Liu and Ying (2014), as Van den Bergh
// describes it for fishtest (A practical introduction to the GSPRT), and as fastchess and OpenBench use it.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`           // more than Elo0
	Alpha float64 `json:"alpha,omitzero"` // the probability of accepting H1 although H0 is true, 0 to 1
	Beta  float64 `json:"beta,omitzero"`  // the probability of accepting H0 although H1 is true, 0 to 1
	Model Model   `json:"model,omitzero"` // "normalized" or "logistic"
}

// Unset stands for a number that was not given. 0 cannot stand for it, since 0 may be given.
const Unset = -math.MaxFloat64

// ParseSPRT reads a test such as "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized". If the text leaves out alpha or
// beta, the field is Unset; any other field that it leaves out is zero. ParseSPRT returns an error for an unknown key
// and for a value that is not a number. Validate checks the ranges.
func ParseSPRT(text string) (SPRT, error) {
	t := SPRT{Alpha: Unset, Beta: Unset}
	if text == "" {
		return t, nil
	}
	numbers := map[string]*float64{"elo0": &t.Elo0, "elo1": &t.Elo1, "alpha": &t.Alpha, "beta": &t.Beta}
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		number, known := numbers[key]
		switch {
		case key == "model":
			t.Model = Model(value)
			continue
		case !known:
			return t, fmt.Errorf("sprt %.200q: unknown %.40q: want elo0, elo1, alpha, beta, model", text, key)
		}
		var err error
		if *number, err = strconv.ParseFloat(value, 64); err != nil {
			return t, fmt.Errorf("sprt %.200q: %s is %.40q: want a number", text, key, value)
		}
	}
	return t, nil
}

// Text writes the test as ParseSPRT reads it, "" for none.
func (t SPRT) Text() string {
	if t == (SPRT{}) {
		return ""
	}
	text := "elo0=" + Decimal(t.Elo0) + ",elo1=" + Decimal(t.Elo1)
	if t.Alpha != 0 {
		text += ",alpha=" + Decimal(t.Alpha)
	}
	if t.Beta != 0 {
		text += ",beta=" + Decimal(t.Beta)
	}
	if t.Model != "" {
		text += ",model=" + string(t.Model)
	}
	return text
}

// Decimal writes a number with a decimal point, as the TOML of config files requires.
func Decimal(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// Model is the kind of Elo of the hypotheses.
type Model string

// The models.
const (
	Logistic   Model = "logistic"
	Normalized Model = "normalized"
)

// State is the state of a test.
type State string

// The states: not decided, or with H0 or H1 accepted.
const (
	Running State = "running"
	H0      State = "H0"
	H1      State = "H1"
)

// mostElo is the greatest absolute Elo of a hypothesis.
const mostElo = 400

// Validate returns an error for a number out of range or an unknown model.
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

// Bounds returns the log likelihood ratios for accepting H0 and H1: log(beta/(1-alpha)) and
// log((1-beta)/alpha).
func (t SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// LLR returns the generalised log likelihood ratio of H1 to H0, or 0 without a trial. An outcome
// that has not occurred counts as a thousandth of a trial.
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

// likeliest returns the most likely distribution at an Elo difference.
func (t SPRT) likeliest(d distribution, elo float64, c Counts) distribution {
	if t.Model == Normalized {
		return d.withT(elo / normalizedScale * math.Sqrt(float64(c.size())))
	}
	return d.withMean(scoreOf(elo))
}

// State returns the test's state. A test ends with the first trial that decides it: later trials
// must not be added to the counts.
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

// withMean returns the most likely distribution with the mean score s, 0 < s < 1, given the
// frequencies d, none of them zero.
func (d distribution) withMean(s float64) distribution {
	values := make([]float64, len(d))
	for i := range d {
		values[i] = d.score(i) - s
	}
	return d.balanced(values)
}

// withT returns the most likely distribution with a mean score of t standard deviations above 1/2, given the
// frequencies d, none of them zero: the maximum in section 4.1 of Van den Bergh, Comments on Normalized Elo. His
// iteration may not converge if nearly all trials ended alike; the iteration here converges for |t| below 2.8.
//
// Let b be the score minus 1/2 and r the square root of E b^2. The condition is that E b = tau r
// where tau = t / sqrt(1+t^2). For a given r that is linear, E (b - tau (b^2/r + r) / 2) = 0, so
// that only r must be searched for.
func (d distribution) withT(t float64) distribution {
	length := math.Hypot(1, t)
	tau := t / length
	values := make([]float64, len(d))
	var p distribution
	// At the least r all probability must go to the smallest win (or loss, if t is negative), and E
	// b^2 is above r^2. At the greatest r it cannot be above.
	least, greatest := math.Abs(t)/(1+length)*d.step(), 0.5
	root(least, greatest, (least+greatest)/2, func(r float64) (sign, next float64) {
		square := 0.0
		for i := range d {
			b := d.score(i) - 0.5
			values[i] = b - tau*(b*b/r+r)/2
		}
		p = d.balanced(values)
		for i := range d {
			b := d.score(i) - 0.5
			square += p[i] * b * b
		}
		return square - r*r, math.Sqrt(square)
	})
	return p
}

// balanced returns the most likely distribution that gives the values the mean zero, given the frequencies d. The
// values must have both signs. Each frequency is divided by 1 + x v, where v is its value and x is the same for all
// (Van den Bergh, Comments on Normalized Elo, proposition 1.1; Owen 1988).
func (d distribution) balanced(values []float64) distribution {
	p := make(distribution, len(d))
	x := root(-1/slices.Max(values), -1/slices.Min(values), 0, func(x float64) (mean, next float64) {
		slope := 0.0
		for i, v := range values {
			p[i] = d[i] / (1 + x*v)
			mean += p[i] * v
			slope -= p[i] * v * v / (1 + x*v)
		}
		return mean, x - mean/slope
	})
	for i, v := range values {
		p[i] = d[i] / (1 + x*v)
	}
	return p
}

// root returns the zero of f, which is positive next to low and negative next to high. Besides its
// value at x, f returns its estimate of the zero. If the estimate is outside the interval, root
// bisects the interval instead. Gonum finds minima but no zeros.
func root(low, high, x float64, f func(x float64) (value, next float64)) float64 {
	const tolerance, rounds = 1e-15, 200
	for range rounds {
		value, next := f(x)
		if value > 0 {
			low = x
		} else {
			high = x
		}
		if math.Abs(next-x) <= tolerance*(1+math.Abs(x)) {
			return next
		}
		if x = next; !(low < x && x < high) {
			x = (low + high) / 2
		}
	}
	return x
}
