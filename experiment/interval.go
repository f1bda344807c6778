package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// Level is how often an interval holds the true value, 0 to 1.
const Level = rating.Level

// absent is an interval that there is too little for.
func absent(value report.Figure, needs string) report.Interval {
	none := report.Figure{Needs: needs}
	return report.Interval{Value: value, Low: none, High: none}
}

// NoInterval is an estimate without a value. It says what it needs to have one.
func NoInterval(needs string) report.Interval {
	return absent(report.Figure{Needs: needs}, needs)
}

// around is an interval with the given ends.
func around(value, low, high float64) report.Interval {
	return report.Interval{
		Value: report.Figure{Value: value},
		Low:   report.Figure{Value: low},
		High:  report.Figure{Value: high},
	}
}

// MeanInterval is the interval of the mean that independent figures, which unit
// counts, are drawn from: Student's t.
func MeanInterval(x []float64, unit string) report.Interval { return sum(plus(newSample(x, unit))) }

// Sample is independent figures, one a game, by what a table tells of them.
type Sample struct {
	Games int           `json:"games"`
	Mean  report.Figure `json:"mean"`
	SD    report.Figure `json:"sd"` // of the sample
}

// newSample is the sample of x, of which unit names one.
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

// term is a mean in a sum, with its sign.
type term struct {
	sign float64
	Sample
}

func plus(s Sample) term  { return term{1, s} }
func minus(s Sample) term { return term{-1, s} }

// sum is the interval of a sum of independent means: Student's t for one mean,
// for more Welch's t with Satterthwaite's degrees of freedom (Welch 1947).
func sum(terms ...term) report.Interval {
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
		return absent(report.Figure{Value: value}, needs)
	case variance == 0:
		return around(value, value, value)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: variance * variance / spread}
	reach := t.Quantile((1+Level)/2) * math.Sqrt(variance)
	return around(value, value-reach, value+reach)
}
