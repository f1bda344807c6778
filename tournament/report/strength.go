package report

import (
	"fmt"
	"strings"

	"versus2048/rules"
	"versus2048/terminal"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Strength is the strength of the first of two bots, estimated from their matches: by
// pairs of matches if they share openings in pairs, otherwise by single matches.
type Strength struct {
	Trials int64 `json:"trials"` // pairs, or matches, that it is computed from
	// Pairs counts the pairs by First's points, 0, 1/2, 1, 3/2, 2; nil without pairs.
	Pairs *rating.Pentanomial `json:"ptnml,omitempty"`
	Elo   Interval            `json:"elo"`
	// Normalized is normalised Elo: see [rating.NormalizedElo].
	Normalized  Interval `json:"nelo"`
	Superiority Figure   `json:"los"`    // the likelihood that First is better, 0 to 1
	Needed      []Needed `json:"needed"` // for some intervals
}

// Needed is how many more matches an interval of Elo takes if the results continue
// as they are.
type Needed struct {
	HalfWidth float64 `json:"half_width"` // of the interval, in Elo
	Matches   Figure  `json:"matches"`
}

// newStrength returns First's strength by its matches against one other bot, in the
// order of their numbers.
func newStrength(first string, matches []tournament.MatchResult) Strength {
	result := resultOf(first, matches)
	var counts rating.Counts = result.Matches
	var s Strength
	if result.Pairs != (rating.Pentanomial{}) {
		counts, s.Pairs = result.Pairs, &result.Pairs
	}
	s.Trials = rating.Trials(counts)
	elo, ok := rating.Elo(counts)
	s.Elo = newInterval(elo, ok, "needs 1 match")
	normalized, ok := rating.NormalizedElo(counts)
	s.Normalized = newInterval(normalized, ok, needsDifferent)
	s.Superiority = figureOf(rating.Superiority(counts))
	for _, halfWidth := range []float64{50, 20, 10} {
		s.Needed = append(s.Needed, Needed{halfWidth, figureOf(rating.Needed(counts, halfWidth))})
	}
	return s
}

// needsDifferent is the Needs of a figure that is unknown while all matches end alike.
const needsDifferent = "needs matches that end differently"

func figureOf(x float64, ok bool) Figure {
	if !ok {
		return Figure{Needs: needsDifferent}
	}
	return Figure{Value: x}
}

// write writes the lines that engine testers know, from the named bot's side.
func (s Strength) write(text *strings.Builder, first string) {
	fmt.Fprintf(text, "  of %s, by %s: Elo %s, nElo %s, LOS %s\n",
		first, s.basis(), s.Elo.text(2), s.Normalized.text(2), s.Superiority.Percent())
	if s.Pairs != nil {
		fmt.Fprintf(text, "  Ptnml(0-2) of %s: %v\n", first, *s.Pairs)
	}
	var needed []string
	for _, n := range s.Needed {
		if !n.Matches.Absent() {
			needed = append(needed, fmt.Sprintf("+/- %.0f: %s", n.HalfWidth, n.Matches.Text(0)))
		}
	}
	if needed != nil {
		fmt.Fprintf(text, "  matches still needed for an Elo %s\n", strings.Join(needed, ", "))
	}
}

// basis names what the figures are computed from, such as "12 pairs of matches".
func (s Strength) basis() string {
	if s.Pairs != nil {
		return terminal.Count(s.Trials, "pair of matches", "pairs of matches")
	}
	return terminal.Count(s.Trials, "match", "matches")
}

// resultOf counts the matches of two bots, in the order of their numbers, from the
// named bot's side. Two consecutive matches are a pair if they start from one
// opening and swap First and Second.
func resultOf(name string, matches []tournament.MatchResult) rating.Result {
	var tally tournament.Tally
	var pairs rating.Pentanomial
	var open *tournament.MatchResult // the first match of a pair that is not complete
	for i := range matches {
		m := &matches[i]
		tally.Add(*m, name)
		if open == nil || !arePair(open, m) {
			open = m
			continue
		}
		var both tournament.Tally
		both.Add(*open, name)
		both.Add(*m, name)
		pairs[2*both.Won+both.Drawn]++
		open = nil
	}
	trinomial := rating.Trinomial{Loss: int64(tally.Lost), Draw: int64(tally.Drawn), Win: int64(tally.Won)}
	return rating.Result{Matches: trinomial, Pairs: pairs}
}

// arePair reports whether two matches of the same bots are a pair.
func arePair(m, other *tournament.MatchResult) bool {
	opened := m.Start != rules.NewPosition(m.Start.Rules(), m.Start.Size())
	return opened && m.Start == other.Start && m.First == other.Second
}
