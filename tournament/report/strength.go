package report

import (
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Strength is what the matches of two bots say of the first one, from its side:
// by pairs of matches where openings are played in pairs, else by matches.
type Strength struct {
	Trials int64 `json:"trials"` // pairs, or matches, that it is computed of
	// Pairs counts the pairs by First's points, 0, 1/2, 1, 3/2, 2; nil without pairs.
	Pairs *rating.Pentanomial `json:"ptnml,omitempty"`
	Elo   Interval            `json:"elo"`
	// Normalized is normalised Elo, see [rating.NormalizedElo].
	Normalized  Interval `json:"nelo"`
	Superiority Figure   `json:"los"`    // the likelihood that First is better, 0 to 1
	Needed      []Needed `json:"needed"` // for some intervals
}

// Needed is how many more matches an interval of Elo takes if the results go on
// as they are.
type Needed struct {
	HalfWidth float64 `json:"half_width"` // of the interval, in Elo
	Matches   Figure  `json:"matches"`
}

// newStrength is First's strength by its matches against one other bot, in the
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
	s.Normalized = newInterval(normalized, ok, unlike)
	s.Superiority = figureOf(rating.Superiority(counts))
	for _, halfWidth := range []float64{50, 20, 10} {
		s.Needed = append(s.Needed, Needed{halfWidth, figureOf(rating.Needed(counts, halfWidth))})
	}
	return s
}

// unlike is what a figure needs that says nothing while all matches end alike.
const unlike = "needs matches that end differently"

func figureOf(x float64, ok bool) Figure {
	if !ok {
		return Figure{Needs: unlike}
	}
	return Figure{Value: x}
}

// resultOf counts the matches of two bots, in the order of their numbers, from
// the named one's side. Two that follow each other are a pair if they start from
// one opening and swap First and Second.
func resultOf(name string, matches []tournament.MatchResult) rating.Result {
	var tally tournament.Tally
	var pairs rating.Pentanomial
	var open *tournament.MatchResult // whose pair is not complete
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

// pairs tells whether two matches of the same bots are a pair.
func arePair(m, other *tournament.MatchResult) bool {
	opened := m.Start != rules.NewPosition(m.Start.Rules(), m.Start.Size())
	return opened && m.Start == other.Start && m.First == other.Second
}
