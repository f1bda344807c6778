package format

import (
	"math"

	"versus2048/tournament"
)

// estimate is a bot's rating as Glicko has it: Glickman, Parameter estimation in
// large dynamic paired comparison experiments, 1999, with a match as its rating
// period and without the growth of the deviation in between. It is quick, so
// that a ladder can be paired anew from its first match, and not for reports:
// joint estimates are better.
type estimate struct {
	rating    float64 // in Elo, 0 for a bot of which nothing is known
	deviation float64 // its standard error
}

func unrated() estimate { return estimate{0, 350} }

// glickoScale is Glicko's q: natural logarithm units in a point of Elo.
const glickoScale = math.Ln10 / 400

// attenuation is Glicko's g: how much less a result says against an opponent
// whose rating is uncertain.
func (e estimate) attenuation() float64 {
	return 1 / math.Sqrt(1+3*math.Pow(glickoScale*e.deviation/math.Pi, 2))
}

// expected is the points that e is expected to make of a match.
func (e estimate) expected(opponent estimate) float64 {
	return 1 / (1 + math.Exp(-glickoScale*opponent.attenuation()*(e.rating-opponent.rating)))
}

// after is the deviation once a match is played: it does not depend on how the
// match ends.
func (e estimate) after(opponent estimate) float64 {
	p := e.expected(opponent)
	g := glickoScale * opponent.attenuation()
	return 1 / math.Sqrt(1/(e.deviation*e.deviation)+g*g*p*(1-p))
}

// worth is what a match of two bots is worth to a: the part of its variance that
// goes, divided by the matches that the two have had and one, so that everybody
// meets others.
func (c *climb) worth(a, b int) float64 {
	had := 0
	if e := c.met[[2]int{min(a, b), max(a, b)}]; e != nil {
		had = e.matches
	}
	x, y := c.bots[a].estimate, c.bots[b].estimate
	left := x.after(y) / x.deviation
	return (1 - left*left) / float64(1+had)
}

// update is what a match will change once it is decided.
type update struct {
	bots     [2]int     // who is first, and who is second
	expected [2]float64 // points
	gain     [2]float64 // of rating, for each point beyond
}

// expect makes both bots as certain as they will be after their match, so that
// other bots come first until it is decided, and returns what the match will
// change.
func expect(bots []climber, first, second int) update {
	x, y := bots[first].estimate, bots[second].estimate
	bots[first].deviation, bots[second].deviation = x.after(y), y.after(x)
	gain := func(deviation float64, opponent estimate) float64 {
		return glickoScale * deviation * deviation * opponent.attenuation()
	}
	return update{
		bots:     [2]int{first, second},
		expected: [2]float64{x.expected(y), y.expected(x)},
		gain:     [2]float64{gain(bots[first].deviation, y), gain(bots[second].deviation, x)},
	}
}

// apply changes the ratings by a match.
func (u update) apply(bots []climber, m *tournament.MatchResult) {
	points := m.Points(m.First)
	for i, made := range []float64{points, 1 - points} {
		bots[u.bots[i]].rating += u.gain[i] * (made - u.expected[i])
	}
}
