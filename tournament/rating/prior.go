package rating

// RateWithPrior rates as [Rate] does, but with a prior for every bot: an additional match, half won
// and half lost, spread over the bot's opponents in proportion to its matches against them.
// Coulom's BayesElo does the same with draws (Whole-History Rating, 2008, calls it virtual games).
//
// It is for lists with new bots all the time. All differences are limited for any results, so that a newcomer
// that has won its first match does not change the ratings of the others. The prior weighs as much as one match
// of a bot: it pulls a rating towards the opponents' ratings, less and less as matches are added.
func RateWithPrior(n int, results []Result) []Group {
	return rate(n, results, davidson.withOwnMatches)
}

// withOwnMatches adds each bot's match against its own opponents. It computes the pairing's fraction of one
// bot's matches, and of the other's; half of their sum is the weight of the addition.
func (d davidson) withOwnMatches(n int, results []Result) davidson {
	played := make([]float64, n)
	for _, r := range results {
		matches := float64(Trials(r.Matches))
		played[r.A] += matches
		played[r.B] += matches
	}
	for _, r := range results {
		matches := float64(Trials(r.Matches))
		weight := (matches/played[r.A] + matches/played[r.B]) / 2
		d.records = append(d.records, record{r.A, r.B, [3]float64{weight / 2, 0, weight / 2}})
	}
	return d
}
