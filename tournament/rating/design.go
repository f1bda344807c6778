package rating

// DesignEffect is the variance of a pair of A's matches on one opening, divided by the variance of two
// independent matches, 1 to 2. There must be at least one match. Without pairs it is 1, and 2 if nothing is
// known about it: if there is only one pair, or if all matches ended alike.
func (r Result) DesignEffect() float64 {
	var s spread
	s.add(r.Pairs, observed(r.Matches))
	return s.designEffect(1)
}

// spread tells how far the scores of pairs of matches on one opening are from what is expected of them.
type spread struct {
	pairs       float64
	squares     float64 // of the differences from the expected score, in points
	independent float64 // the sum of the variances if the matches of a pair were independent
}

// add adds pairs, of which each match has an outcome from expected.
func (s *spread) add(pairs Pentanomial, expected distribution) {
	mean, variance := expected.moments()
	for points, count := range pairs {
		residual := float64(points)/2 - 2*mean
		s.squares += float64(count) * residual * residual
		s.independent += float64(count) * 2 * variance
		s.pairs += float64(count)
	}
}

// designEffect returns 1 plus the correlation of two matches on one opening (Kish, Survey Sampling, 1965),
// where the expectations have that many parameters. The correlation cannot be negative: an opening that
// favours one bot favours it in both matches, since both play both roles. Where the pairs do not tell, it
// counts as 1, its maximum.
func (s spread) designEffect(parameters int) float64 {
	freedom := s.pairs - float64(parameters)
	switch {
	case s.pairs == 0:
		return 1
	case freedom <= 0 || s.independent == 0:
		return 2
	}
	return min(max(1, s.squares/s.independent*s.pairs/freedom), 2)
}
