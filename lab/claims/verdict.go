package claims

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Verdict says whether a claim holds.
type Verdict string

// The verdicts.
const (
	Holds Verdict = "holds" // the whole interval meets the bound
	Fails Verdict = "fails" // the whole interval misses it
	Open  Verdict = "open"  // neither, or neither after Holm's correction: more games or positions may decide
)

// The relations of a figure to its bound.
const (
	AtLeast = "at least"
	Below   = "below"
	Equal   = "equal"
)

// significance is the accepted probability of an error among the verdicts of a family, and the probability that an
// interval misses the true value.
const significance = 0.05

// Verdict returns the verdict on a claim of the ledger. Where the claim belongs to a family, a verdict that would not
// stand after Holm's correction is Open.
func (l Ledger) Verdict(c Claim) Verdict {
	verdict := c.Condition.verdict(c.Figure)
	if p, corrected := l.PValue(c); corrected && p >= significance {
		return Open
	}
	return verdict
}

func (c Condition) verdict(f Measurement) Verdict {
	low, high := f.Ends()
	meets, misses := false, false
	switch c.Relation {
	case AtLeast:
		meets, misses = low >= c.Bound, high < c.Bound
	case Below:
		meets, misses = high < c.Bound, low >= c.Bound
	case Equal:
		meets, misses = low == c.Bound && high == c.Bound, high < c.Bound || low > c.Bound
	}
	switch {
	case meets:
		return Holds
	case misses:
		return Fails
	}
	return Open
}

// PValue returns the p-value of a claim of the ledger after Holm's correction for all variants of its family.
// corrected is false for a claim without a family, and for an exploration.
func (l Ledger) PValue(c Claim) (p float64, corrected bool) {
	if c.Family == nil || c.Family.Exploration {
		return 0, false
	}
	var members []Claim
	var values []float64
	for _, other := range l.Claims {
		if other.Family != nil && other.Family.Name == c.Family.Name {
			members = append(members, other)
			values = append(values, other.pValue())
		}
	}
	at := slices.IndexFunc(members, func(m Claim) bool { return m.Name == c.Name })
	return holm(values, c.Family.Variants)[at], true
}

// pValue returns the two-sided p-value of the bound. The estimate is taken as normally distributed. Its standard
// error comes from the end of the interval towards the bound, so that the p-value is below 0.05 if the bound is
// outside the interval.
func (c Claim) pValue() float64 {
	low, high := c.Figure.Ends()
	end, distance := low, math.Abs(c.Figure.Value-c.Condition.Bound)
	if c.Condition.Bound > c.Figure.Value {
		end = high
	}
	switch reach := math.Abs(c.Figure.Value - end); {
	case distance == 0:
		return 1
	case reach == 0: // an exact figure, which is not the bound
		return 0
	default:
		z := distance / reach * distuv.UnitNormal.Quantile(1-significance/2)
		return 2 * distuv.UnitNormal.Survival(z)
	}
}

// holm corrects the p-values of some of the tried comparisons. It assumes that the other comparisons have larger
// p-values.
func holm(values []float64, tried int) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	corrected, least := make([]float64, len(values)), 0.0
	for rank, i := range order {
		least = max(least, min(1, values[i]*float64(tried-rank)))
		corrected[i] = least
	}
	return corrected
}
