package rating

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Known is a bot's known rating, for example from a list.
type Known struct {
	Elo       float64 `json:"elo"`
	Deviation float64 `json:"deviation"` // the standard error of Elo, 0 or more
}

// Placement estimates the rating of a newcomer from its matches against bots with known ratings, and chooses the next
// opponent. Before the first match all ratings are equally likely, from a margin below the weakest opponent to a margin
// above the strongest one. The matches change these probabilities by Elo's model (a draw is half a win and half a
// loss). The estimate is the mean rating.
//
// An opponent's rating is uncertain itself, with the same error in all its matches: the likelihood is averaged over the
// rating's normal distribution. Therefore many matches against one opponent tell less than as many against several.
type Placement struct {
	elo       []float64 // the possible ratings, evenly spaced
	opponents []placed
	likely    []float64 // the probability of each rating
}

// placed is the evidence from the matches against one opponent.
type placed struct {
	won, lost float64
	log       []float64    // the log likelihood of each of the newcomer's ratings
	next      [2][]float64 // the probabilities of a loss and a win at each of them; nil until they are needed

	// The opponent's distribution: some ratings, and the logarithms of their weights. For each of them, losing has the
	// logarithms of the newcomer's probabilities of losing, one for each of the newcomer's ratings.
	at, weights []float64
	losing      [][]float64
}

const (
	placementStep   = 10   // Elo between possible ratings
	placementMargin = 1200 // Elo beyond the weakest and the strongest opponent
)

// NewPlacement returns a placement against these opponents. There must be at least one.
func NewPlacement(opponents []Known) *Placement {
	p := &Placement{}
	weakest, strongest := math.Inf(1), math.Inf(-1)
	for _, k := range opponents {
		weakest, strongest = min(weakest, k.Elo), max(strongest, k.Elo)
	}
	for x := weakest - placementMargin; x <= strongest+placementMargin; x += placementStep {
		p.elo = append(p.elo, x)
	}
	for _, k := range opponents {
		p.opponents = append(p.opponents, newPlaced(k, p.elo))
	}
	p.likely = probabilities(make([]float64, len(p.elo)))
	return p
}

// newPlaced returns the evidence before the first match against an opponent. elo has the newcomer's possible ratings.
func newPlaced(k Known, elo []float64) placed {
	x, weights := nodes(k)
	o := placed{log: make([]float64, len(elo)), at: x}
	for j := range x {
		o.weights = append(o.weights, math.Log(weights[j]))
		losing := make([]float64, len(elo))
		for i := range elo {
			losing[i] = -softplus((elo[i] - x[j]) / eloScale)
		}
		o.losing = append(o.losing, losing)
	}
	return o
}

// Add adds results against an opponent, in matches: a won match is (1, 0), a drawn one (0.5, 0.5).
// A negative number removes results that were added before.
func (p *Placement) Add(opponent int, won, lost float64) {
	o := &p.opponents[opponent]
	o.won, o.lost, o.next = o.won+won, o.lost+lost, [2][]float64{}
	o.log = o.likelihood(p.elo, o.won, o.lost)
	log := make([]float64, len(p.elo))
	for _, each := range p.opponents {
		floats.Add(log, each.log)
	}
	p.likely = probabilities(log)
}

// likelihood returns the logarithm of the probability of these results for each of the newcomer's ratings, up to a
// constant. The log odds of a win are the difference of the ratings, divided by eloScale.
func (o *placed) likelihood(elo []float64, won, lost float64) []float64 {
	log, terms := make([]float64, len(elo)), make([]float64, len(o.weights))
	for i := range elo {
		for j, losing := range o.losing {
			terms[j] = o.weights[j] + (won+lost)*losing[i] + won*(elo[i]-o.at[j])/eloScale
		}
		log[i] = floats.LogSumExp(terms)
	}
	return log
}

// hermite has the nodes of the Gauss-Hermite quadrature of order seven, with weights that sum to 1 (Abramowitz and
// Stegun 1964, table 25.10).
var hermite = [...]struct{ node, weight float64 }{
	{-2.6519613568352316, 0.0005482688559722172},
	{-1.6735516287674714, 0.030757123967586522},
	{-0.8162878828589648, 0.2401231786050127},
	{0, 16.0 / 35},
	{0.8162878828589648, 0.2401231786050127},
	{1.6735516287674714, 0.030757123967586522},
	{2.6519613568352316, 0.0005482688559722172},
}

// nodes returns ratings that represent an opponent's normal distribution, and their weights.
func nodes(k Known) (x, weights []float64) {
	if k.Deviation == 0 {
		return []float64{k.Elo}, []float64{1}
	}
	for _, h := range hermite {
		x, weights = append(x, k.Elo+math.Sqrt2*k.Deviation*h.node), append(weights, h.weight)
	}
	return x, weights
}

// softplus returns log(1 + e^x): minus the logarithm of the probability of losing with a lead of x.
func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// probabilities returns the probabilities with these logarithms, up to a constant.
func probabilities(log []float64) []float64 {
	p, total := make([]float64, len(log)), floats.LogSumExp(log)
	for i := range log {
		p[i] = math.Exp(log[i] - total)
	}
	return p
}

// Elo returns the newcomer's rating with its interval. The interval has no upper end if the results fit a bot
// that is far stronger than all opponents, and no lower end if they fit one that is far weaker.
func (p *Placement) Elo() Interval {
	tail := (1 - Level) / 2
	i := Interval{Value: floats.Dot(p.elo, p.likely), Low: p.quantile(tail), High: p.quantile(1 - tail)}
	last := len(p.elo) - 1
	limit := floats.Max(p.likely) / 100
	if p.likely[0] > limit {
		i.Low = math.Inf(-1)
	}
	if p.likely[last] > limit {
		i.High = math.Inf(1)
	}
	return i
}

// quantile returns the rating that exceeds the newcomer's rating with that probability.
func (p *Placement) quantile(q float64) float64 {
	below := 0.0
	for i, likely := range p.likely {
		if below+likely >= q {
			return p.elo[i] + placementStep*((q-below)/likely-0.5)
		}
		below += likely
	}
	return p.elo[len(p.elo)-1]
}

// Deviation returns the standard deviation of the newcomer's rating.
func (p *Placement) Deviation() float64 {
	mean := floats.Dot(p.elo, p.likely)
	return math.Sqrt(variance(p.elo, p.likely, mean))
}

// Expected returns the newcomer's expected points, 0 to 1, in a match against an opponent.
func (p *Placement) Expected(opponent int) float64 {
	_, win := p.outcomes(opponent)
	return floats.Sum(win)
}

// Best returns the opponent for the next match, among the available ones: the opponent that gives the newcomer's rating
// the smallest expected variance after the match. Among equal opponents it returns the first one with the fewest
// matches. It returns -1 if no opponent is available.
func (p *Placement) Best(available func(opponent int) bool) int {
	best, least := -1, math.Inf(1)
	for i := range p.opponents {
		if !available(i) {
			continue
		}
		v := p.varianceAfter(i)
		closeTo := best >= 0 && math.Abs(v-least) <= 1e-9*least
		if best < 0 || !closeTo && v < least || closeTo && p.met(i) < p.met(best) {
			best, least = i, v
		}
	}
	return best
}

func (p *Placement) met(opponent int) float64 {
	return p.opponents[opponent].won + p.opponents[opponent].lost
}

// varianceAfter returns the expected variance of the newcomer's rating after a match.
func (p *Placement) varianceAfter(opponent int) (expected float64) {
	loss, win := p.outcomes(opponent)
	for _, joint := range [][]float64{loss, win} {
		chance := floats.Sum(joint)
		mean := floats.Dot(p.elo, joint) / chance
		expected += variance(p.elo, joint, mean)
	}
	return expected
}

// outcomes returns the joint probabilities of each rating with a loss, and with a win.
func (p *Placement) outcomes(opponent int) (loss, win []float64) {
	o := &p.opponents[opponent]
	if o.next[0] == nil {
		o.next = [2][]float64{o.likelihood(p.elo, o.won, o.lost+1), o.likelihood(p.elo, o.won+1, o.lost)}
		for _, next := range o.next {
			for i := range next {
				next[i] = math.Exp(next[i] - o.log[i])
			}
		}
	}
	loss, win = slices.Clone(p.likely), slices.Clone(p.likely)
	floats.Mul(loss, o.next[0])
	floats.Mul(win, o.next[1])
	return loss, win
}

func variance(x, weights []float64, mean float64) (v float64) {
	for i := range x {
		v += weights[i] * (x[i] - mean) * (x[i] - mean)
	}
	return v
}
