package experiment

import (
	"versus2048/tournament/report"
)

// Comparison is one figure of ours beside the paper's.
type Comparison struct {
	Ours    report.Interval `json:"ours"`
	Paper   report.Interval `json:"paper"`
	Gap     report.Interval `json:"gap"` // ours less the paper's
	Verdict Verdict         `json:"verdict"`
}

// Verdict says whether a figure of ours and the paper's agree.
type Verdict string

// The verdicts. That two figures agree means no more than that the games of
// both do not tell them apart; the gap's interval says how far they may still
// be from each other.
const (
	Agrees  Verdict = "agrees"  // the gap's interval holds 0
	Differs Verdict = "differs" // it does not
	Unknown Verdict = "unknown" // there are too few games
)

func newComparison(ours, paper, gap report.Interval) Comparison {
	return Comparison{ours, paper, gap, judge(gap)}
}

func judge(gap report.Interval) Verdict {
	switch {
	case gap.Low.Absent():
		return Unknown
	case gap.Low.Value <= 0 && 0 <= gap.High.Value:
		return Agrees
	}
	return Differs
}

// compareMeans compares mean scores, by Welch's test.
func compareMeans(ours, paper Sample) Comparison {
	return newComparison(sum(plus(ours)), sum(plus(paper)), sum(plus(ours), minus(paper)))
}

// compareShares compares the shares of games that reached 2048.
func compareShares(ours, paper Scores) Comparison {
	o, p := wilson(ours), wilson(paper)
	return newComparison(o, p, newcombe(o, p))
}

// compareDifferences compares first's mean score less second's. Ours is the one
// by match. The paper gives no deviation of its differences; the two games of a
// match share nothing but the bots, so the gap is that of four independent
// means.
func compareDifferences(ours report.Estimate, first, second Contestant) Comparison {
	return newComparison(
		report.Interval{Value: ours.Value, Low: ours.Low, High: ours.High},
		sum(plus(first.Paper.Sample), minus(second.Paper.Sample)),
		sum(plus(first.Ours.Sample), minus(second.Ours.Sample), minus(first.Paper.Sample), plus(second.Paper.Sample)),
	)
}
