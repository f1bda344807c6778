package experiment

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// Level is the confidence level of all intervals, 0 to 1.
const Level = rating.Level

// Sample summarises independent figures, one per game.
type Sample struct {
	Games int           `json:"games"`
	Mean  report.Figure `json:"mean"`
	SD    report.Figure `json:"sd"` // of the sample
}

// newSample returns the sample of x. A figure that is missing says how much data it needs, in terms of unit, such
// as "game".
func newSample(x []float64, unit string) Sample {
	s := Sample{Games: len(x), Mean: report.Figure{Needs: "needs 1 " + unit}, SD: report.Figure{Needs: "needs 2 " + unit + "s"}}
	if len(x) > 0 {
		s.Mean = report.Figure{Value: stat.Mean(x, nil)}
	}
	if len(x) > 1 {
		s.SD = report.Figure{Value: stat.StdDev(x, nil)}
	}
	return s
}

// MeanInterval returns Student's t interval of the mean of a distribution. x holds figures that are drawn from
// it independently. A missing result says how much data it needs, in terms of unit.
func MeanInterval(x []float64, unit string) report.Interval { return sum(plus(newSample(x, unit))) }

// RatioOfSums returns the ratio of the sum of x to the sum of y, where (x[i], y[i]) are drawn independently, with
// Student's t interval. The term of a pair is the ratio plus the pair's part of the ratio's error (Cochran 1977,
// section 6.4), so that the terms have the ratio as mean. The ratio has no value if the sum of y is 0.
func RatioOfSums(x, y []float64, unit string) report.Interval {
	whole := floats.Sum(y)
	if whole == 0 {
		return NoInterval("needs 1 " + unit)
	}
	ratio := floats.Sum(x) / whole
	terms := make([]float64, len(x))
	for i := range x {
		terms[i] = ratio + (x[i]-ratio*y[i])*float64(len(x))/whole
	}
	return MeanInterval(terms, unit)
}

// NoInterval returns an interval without a value. needs says which data is missing.
func NoInterval(needs string) report.Interval {
	return withoutEnds(report.Figure{Needs: needs}, needs)
}

// withoutEnds returns an interval without ends, because there is too little data. needs says how much data is needed.
func withoutEnds(value report.Figure, needs string) report.Interval {
	none := report.Figure{Needs: needs}
	return report.Interval{Value: value, Low: none, High: none}
}

func newInterval(value, low, high float64) report.Interval {
	return report.Interval{
		Value: report.Figure{Value: value},
		Low:   report.Figure{Value: low},
		High:  report.Figure{Value: high},
	}
}

// term is a sample's mean in a sum, with its sign.
type term struct {
	sign   float64
	sample Sample
}

func plus(s Sample) term  { return term{1, s} }
func minus(s Sample) term { return term{-1, s} }

// sum returns the interval of a sum of independent means: Student's t for one mean, and for several
// Welch's t with Satterthwaite's degrees of freedom (Welch 1947).
func sum(terms ...term) report.Interval {
	var value, variance, spread float64
	needs := ""
	for _, t := range terms {
		mean, sd, games := t.sample.Mean, t.sample.SD, float64(t.sample.Games)
		if mean.Absent() {
			return withoutEnds(mean, mean.Needs)
		}
		if sd.Absent() {
			needs = sd.Needs
		}
		value += t.sign * mean.Value
		v := sd.Value * sd.Value / games
		variance += v
		spread += v * v / (games - 1)
	}
	switch {
	case needs != "":
		return withoutEnds(report.Figure{Value: value}, needs)
	case variance == 0:
		return newInterval(value, value, value)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: variance * variance / spread}
	reach := t.Quantile((1+Level)/2) * math.Sqrt(variance)
	return newInterval(value, value-reach, value+reach)
}

// ShareInterval returns Wilson's score interval (1927) of the share count / total. count is 0 to total, and may
// be a fraction. A missing result says how much data it needs, in terms of unit, such as "game".
func ShareInterval(count float64, total int, unit string) report.Interval {
	if total < 1 {
		return NoInterval("needs 1 " + unit)
	}
	return wilsonInterval(count/float64(total), float64(total))
}

// wilsonInterval returns Wilson's interval of a share p of n independent cases.
func wilsonInterval(p, n float64) report.Interval {
	z := distuv.UnitNormal.Quantile((1 + Level) / 2)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	reach := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low, high := middle-reach, middle+reach
	if p == 0 {
		low = 0 // exactly, without a rounding error
	}
	if p == 1 {
		high = 1
	}
	return newInterval(p, low, high)
}

// matchShare returns the share of the matches that the named bot wins, a draw as half a match, with Wilson's interval.
// In the interval, repeated matches do not count, and matches on one opening count as the smaller number of independent
// matches that has the same variance (the effective size of a sample of clusters; Kish 1965).
func matchShare(name string, matches []tournament.MatchResult) report.Interval {
	var tally tournament.Tally
	trials := report.NewTrials(name)
	for _, m := range matches {
		tally.Add(m, name)
		trials.Add(m)
	}
	if tally.Played() == 0 {
		return NoInterval("needs 1 match")
	}
	result, _ := trials.Result()
	return wilsonInterval(tally.Points()/float64(tally.Played()), float64(rating.Trials(result.Matches))/result.DesignEffect())
}

// shareReached returns the share of games that reached 2048, with Wilson's interval.
func shareReached(s Scores) report.Interval {
	return ShareInterval(float64(s.Reached), s.Games, "game")
}

// newcombe returns the interval of the difference of two shares, computed from their Wilson
// intervals (Newcombe 1998, method 10).
func newcombe(a, b report.Interval) report.Interval {
	if needs := cmp.Or(a.Low.Needs, b.Low.Needs); needs != "" {
		return NoInterval(needs)
	}
	value := a.Value.Value - b.Value.Value
	below := math.Hypot(a.Value.Value-a.Low.Value, b.High.Value-b.Value.Value)
	above := math.Hypot(a.High.Value-a.Value.Value, b.Value.Value-b.Low.Value)
	return newInterval(value, value-below, value+above)
}

// Comparison is one of our figures beside the paper's.
type Comparison struct {
	Ours    report.Interval `json:"ours"`
	Paper   report.Interval `json:"paper"`
	Gap     report.Interval `json:"gap"` // ours minus the paper's
	Verdict Verdict         `json:"verdict"`
}

// Verdict says whether one of our figures agrees with the paper's.
type Verdict string

// The verdicts. Agrees means only that the games, at least as many as the paper's, do not show a difference between
// the two figures. The interval of the gap shows how far apart they may still be.
const (
	Agrees  Verdict = "agrees"         // the interval of the gap contains 0
	Differs Verdict = "differs"        // the interval of the gap does not contain 0
	TooFew  Verdict = "too few to say" // the interval contains 0 and we have fewer games than the paper, or there is no interval
	None    Verdict = ""               // the conditions are not the paper's
)

// newComparison compares two figures. few says that our figure is of fewer games than the paper's.
func newComparison(ours, paper, gap report.Interval, few bool) Comparison {
	return Comparison{ours, paper, gap, verdictOn(gap, few)}
}

func verdictOn(gap report.Interval, few bool) Verdict {
	switch {
	case gap.Low.Absent():
		return TooFew
	case gap.Low.Value > 0 || gap.High.Value < 0:
		return Differs
	case few:
		return TooFew
	}
	return Agrees
}

// compareMeans compares mean scores by Welch's test.
func compareMeans(ours, paper Sample) Comparison {
	return newComparison(sum(plus(ours)), sum(plus(paper)), sum(plus(ours), minus(paper)), ours.Games < paper.Games)
}

// compareShares compares the shares of games that reached 2048.
func compareShares(ours, paper Scores) Comparison {
	o, p := shareReached(ours), shareReached(paper)
	return newComparison(o, p, newcombe(o, p), ours.Games < paper.Games)
}

// compareDifferences compares the difference between the two bots' mean scores. Our difference is computed match
// by match, but the paper gives no deviation of its differences. So the gap is computed as if all four means were
// independent: the two games of a match share nothing but the bots.
func compareDifferences(ours report.Estimate, first, second Contestant) Comparison {
	return newComparison(
		report.Interval{Value: ours.Value, Low: ours.Low, High: ours.High},
		sum(plus(first.Paper.Sample), minus(second.Paper.Sample)),
		sum(plus(first.Ours.Sample), minus(second.Ours.Sample), minus(first.Paper.Sample), plus(second.Paper.Sample)),
		min(first.Ours.Games, second.Ours.Games) < first.Paper.Games,
	)
}
