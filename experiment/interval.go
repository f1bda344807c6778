package experiment

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/tournament"
)

// Level is how often an interval holds the true value, 0 to 1.
const Level = 0.95

// Interval is an estimate with its interval at Level.
type Interval struct {
	Value tournament.Figure `json:"value"`
	Low   tournament.Figure `json:"low"`
	High  tournament.Figure `json:"high"`
}

// absent is an interval that there is too little for.
func absent(value tournament.Figure, needs string) Interval {
	none := tournament.Figure{Needs: needs}
	return Interval{value, none, none}
}

// around is an interval with the given ends.
func around(value, low, high float64) Interval {
	return Interval{tournament.Figure{Value: value}, tournament.Figure{Value: low}, tournament.Figure{Value: high}}
}

// Scores are a bot's games as defender, as far as Table 1 tells of them.
type Scores struct {
	Games   int               `json:"games"`
	Mean    tournament.Figure `json:"mean"`
	SD      tournament.Figure `json:"sd"` // of the sample
	Reached int               `json:"reached_2048"`
}

// term is a mean in a sum, with its sign.
type term struct {
	sign float64
	Scores
}

func plus(s Scores) term  { return term{1, s} }
func minus(s Scores) term { return term{-1, s} }

// sum is the interval of a sum of independent means: Student's t for one mean,
// for more Welch's t with Satterthwaite's degrees of freedom (Welch 1947).
func sum(terms ...term) Interval {
	var value, variance, spread float64
	needs := ""
	for _, t := range terms {
		if t.Mean.Absent() {
			return absent(t.Mean, t.Mean.Needs)
		}
		if t.SD.Absent() {
			needs = t.SD.Needs
		}
		value += t.sign * t.Mean.Value
		v := t.SD.Value * t.SD.Value / float64(t.Games)
		variance += v
		spread += v * v / float64(t.Games-1)
	}
	switch {
	case needs != "":
		return absent(tournament.Figure{Value: value}, needs)
	case variance == 0:
		return around(value, value, value)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: variance * variance / spread}
	reach := t.Quantile((1+Level)/2) * math.Sqrt(variance)
	return around(value, value-reach, value+reach)
}

// wilson is the interval of the share of games that reached 2048.
func wilson(s Scores) Interval { return wilsonOf(float64(s.Reached), s.Games, "game") }

// wilsonOf is the score interval of a share of so many games or matches, as unit
// says (Wilson 1927).
func wilsonOf(count float64, of int, unit string) Interval {
	if of < 1 {
		needs := tournament.Figure{Needs: "needs 1 " + unit}
		return absent(needs, needs.Needs)
	}
	n := float64(of)
	p := count / n
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	reach := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return around(p, max(0, middle-reach), min(1, middle+reach))
}

// newcombe is the interval of the difference of two shares, made of their Wilson
// intervals (Newcombe 1998, method 10).
func newcombe(a, b Interval) Interval {
	if needs := cmp.Or(a.Low.Needs, b.Low.Needs); needs != "" {
		return absent(tournament.Figure{Needs: needs}, needs)
	}
	value := a.Value.Value - b.Value.Value
	below := math.Hypot(a.Value.Value-a.Low.Value, b.High.Value-b.Value.Value)
	above := math.Hypot(a.High.Value-a.Value.Value, b.Value.Value-b.Low.Value)
	return around(value, value-below, value+above)
}
