package format

import "math"

// estimate is a bot's Glicko rating: Glickman, Parameter estimation in large dynamic paired
// comparison experiments, 1999. Here each match is a rating period, and the deviation does not grow
// between periods. An estimate is quick to compute, so a ladder can be paired again from its first
// match. Reports use better estimates, which are computed from all matches together.
type estimate struct {
	rating    float64 // in Elo, 0 for an unknown bot
	deviation float64 // its standard error
}

func unrated() estimate { return estimate{0, 350} }

// glickoScale is Glicko's q: units of the natural logarithm per point of Elo.
const glickoScale = math.Ln10 / 400

// attenuation is Glicko's g, 0 to 1: it reduces the weight of a result against an opponent with an
// uncertain rating.
func (e estimate) attenuation() float64 {
	return 1 / math.Sqrt(1+3*math.Pow(glickoScale*e.deviation/math.Pi, 2))
}

func (e estimate) expected(opponent estimate) float64 {
	return 1 / (1 + math.Exp(-glickoScale*opponent.attenuation()*(e.rating-opponent.rating)))
}

// after returns the deviation after a match against the opponent. It does not depend on the match's result.
func (e estimate) after(opponent estimate) float64 {
	p := e.expected(opponent)
	g := glickoScale * opponent.attenuation()
	return 1 / math.Sqrt(1/(e.deviation*e.deviation)+g*g*p*(1-p))
}

// update holds the numbers of one match. If the match is decided, they change the ratings of its two bots. If it is
// void, they restore the bots' deviations.
type update struct {
	bots     [2]int     // the indices of the first and the second bot
	expected [2]float64 // the expected points
	learned  [2]float64 // the increase of 1/deviation^2 by the match
	gain     [2]float64 // the change of the rating for each point above the expected points
}

// expect reduces the deviations of both bots as their match will do, so that other bots, with larger deviations, are
// paired first even before the match is decided. Once it is decided, the returned update changes the ratings.
func expect(bots []ladderBot, first, second int) update {
	a, b := &bots[first].estimate, &bots[second].estimate
	x, y := *a, *b
	a.deviation, b.deviation = x.after(y), y.after(x)
	gain := func(deviation float64, opponent estimate) float64 {
		return glickoScale * deviation * deviation * opponent.attenuation()
	}
	learned := func(before, after estimate) float64 {
		return 1/(after.deviation*after.deviation) - 1/(before.deviation*before.deviation)
	}
	return update{
		bots:     [2]int{first, second},
		learned:  [2]float64{learned(x, *a), learned(y, *b)},
		expected: [2]float64{x.expected(y), y.expected(x)},
		gain:     [2]float64{gain(a.deviation, y), gain(b.deviation, x)},
	}
}

// apply changes the ratings by the match. For a void match it undoes the effects of expect instead.
func (r *rung) apply(bots []ladderBot) {
	if r.void {
		r.update.cancel(bots)
		return
	}
	r.update.apply(bots, r.points)
}

// cancel sets the deviations and the numbers of matches of both bots to their values without the match.
func (u update) cancel(bots []ladderBot) {
	for i, learned := range u.learned {
		b := &bots[u.bots[i]]
		b.estimate.deviation = 1 / math.Sqrt(1/(b.estimate.deviation*b.estimate.deviation)-learned)
		b.matches--
	}
}

// apply changes the ratings by a match with these points for the first bot.
func (u update) apply(bots []ladderBot, points float64) {
	for i, made := range []float64{points, 1 - points} {
		bots[u.bots[i]].estimate.rating += u.gain[i] * (made - u.expected[i])
	}
}
