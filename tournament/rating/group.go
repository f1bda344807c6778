package rating

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Result is the result of two bots, numbered from 0, against each other, from A's side.
type Result struct {
	A, B    int
	Matches Trinomial   // all of them
	Pairs   Pentanomial // the pairs of matches on one opening among Matches
}

// Counts returns the pairs, if there are any, and the matches otherwise.
func (r Result) Counts() Counts {
	if r.Pairs != (Pentanomial{}) {
		return r.Pairs
	}
	return r.Matches
}

// Plus returns r with the matches of another result of the same bots. Both matches of a pair must be in the same
// result.
func (r Result) Plus(other Result) Result {
	m := other.Matches
	r.Matches = Trinomial{r.Matches.Loss + m.Loss, r.Matches.Draw + m.Draw, r.Matches.Win + m.Win}
	for i, n := range other.Pairs {
		r.Pairs[i] += n
	}
	return r
}

// Group is a group of bots that are connected by matches, rated together. Nothing is known about
// the difference between bots of different groups.
type Group struct {
	Members []int // the bots' numbers, in rising order

	// Prior reports that the results alone do not limit all differences: some bots have lost no
	// point to the others, as after a first match. [Rate] then adds half a win and half a loss for
	// each member, against the same imaginary bot.
	Prior bool
	// DrawRate is the probability of a draw between two equal bots, 0 to 1.
	DrawRate float64
	// DesignEffect is the variance of a pair of matches on one opening, divided by the
	// variance of two independent matches, 1 to 2.
	DesignEffect float64

	ratings      []float64 // by index in Members
	covariance   matrix
	below, above []bool // the results do not limit the rating on this side
}

// Rate rates n bots by the maximum likelihood of all results at once, on the Elo scale, with the mean 0 in each group.
// The model is Bradley and Terry's (1952) with Davidson's draws (1970): with strengths p and q, the probabilities of
// win, draw and loss are in the proportion p : nu sqrt(p q) : q. A rating is 400 log10(p) times 2/(2+nu), so that a
// small difference means the same score as in the Elo formula, for every nu. For a nu of 0 or 2 that is also true of a
// large difference, and nearly true in between (BayesElo scales its ratings for the same reason).
//
// Half a draw and half a decided match are always added, to limit nu. If the likelihood still has no
// maximum, as with perfect scores, see [Group.Prior].
//
// Two matches on one opening depend on each other. That does not bias the ratings, but it changes
// their variance: the covariances are multiplied by the group's [Group.DesignEffect].
func Rate(n int, results []Result) []Group { return rate(n, results, davidson.withImaginaryBot) }

// Elo returns the rating of the k-th member with its interval. The interval has no upper end if the
// member has won every match, and no lower end if it has lost every match.
func (g Group) Elo(k int) Interval {
	value := g.ratings[k]
	margin := reach * math.Sqrt(max(0, g.covariance[k][k]))
	i := Interval{Value: value, Low: value - margin, High: value + margin}
	if g.below[k] {
		i.Low = math.Inf(-1)
	}
	if g.above[k] {
		i.High = math.Inf(1)
	}
	return i
}

// Order returns the indices of the members, best first. Equal members keep their order, in spite of rounding errors.
func (g Group) Order() []int {
	order := make([]int, len(g.Members))
	for k := range order {
		order[k] = k
	}
	rounded := func(k int) float64 { return math.Round(1e6 * g.ratings[k]) }
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(rounded(l), rounded(k)) })
	return order
}

// Superiority returns the likelihood, 0 to 1, that the k-th member is better than the l-th, which
// must be another one.
func (g Group) Superiority(k, l int) float64 {
	v := g.covariance
	variance := v[k][k] + v[l][l] - 2*v[k][l]
	return normal((g.ratings[k] - g.ratings[l]) / math.Sqrt(variance))
}

// Anchored returns the group with the k-th member's rating fixed at elo. All intervals are then
// relative to that bot: they limit the differences from it.
func (g Group) Anchored(k int, elo float64) Group {
	n := len(g.Members)
	shift := newMatrix(n, n)
	anchored := g
	anchored.ratings, anchored.below, anchored.above = make([]float64, n), make([]bool, n), make([]bool, n)
	for i := range n {
		anchored.ratings[i] = g.ratings[i] - g.ratings[k] + elo
		if i != k {
			anchored.below[i] = g.below[i] || g.above[k]
			anchored.above[i] = g.above[i] || g.below[k]
			shift[i][i], shift[i][k] = 1, -1
		}
	}
	anchored.covariance = transformed(shift, g.covariance)
	return anchored
}

// prior adds a belief about n bots, from before any match, to the model of their results.
type prior func(d davidson, n int, results []Result) davidson

// rate rates the bots, group by group.
func rate(n int, results []Result, believed prior) (groups []Group) {
	for _, members := range components(n, results) {
		groups = append(groups, rateGroup(members, results, believed))
	}
	return groups
}

// rateGroup rates bots that are connected by matches.
func rateGroup(members []int, results []Result, believed prior) Group {
	n := len(members)
	results = among(members, results)
	g := Group{Members: members, Prior: !bounded(n, results)}
	model := believed(newDavidson(n, results), n, results)
	x, errors := model.fit()
	nu := math.Exp(x[model.bots])
	g.DrawRate = nu / (2 + nu)
	g.DesignEffect = model.designEffect(n, results, x)
	g.above, g.below = perfect(n, results)
	g.ratings, g.covariance = ratings(n, x, errors)
	for _, row := range g.covariance {
		floats.Scale(g.DesignEffect, row)
	}
	return g
}

// ratings returns the ratings of the first n bots, with the mean 0, and their covariance: errors, the covariance of the
// parameters, transformed by the derivatives.
func ratings(n int, x []float64, errors matrix) ([]float64, matrix) {
	last := len(x) - 1
	nu := math.Exp(x[last])
	scale := eloScale * 2 / (2 + nu)
	mean := floats.Sum(x[:n]) / float64(n)
	elo := make([]float64, n)
	derivatives := newMatrix(n, len(x))
	for i := range n {
		elo[i] = scale * (x[i] - mean)
		for j := range n {
			derivatives[i][j] = -scale / float64(n)
		}
		derivatives[i][i] = scale * (1 - 1/float64(n))
		derivatives[i][last] = -elo[i] * nu / (2 + nu)
	}
	return elo, transformed(derivatives, errors)
}

// designEffect returns the group's design effect, from the pairs in all results.
func (d davidson) designEffect(n int, results []Result, x []float64) float64 {
	var all spread
	for _, r := range results {
		p := d.probabilities(record{a: r.A, b: r.B}, x)
		all.add(r.Pairs, distribution(p[:]))
	}
	return all.designEffect(n - 1)
}

// DesignEffect is the variance of a pair of A's matches on one opening, divided by the variance of
// two independent matches, 1 to 2. There must be at least one match. Without pairs it is 1. It is 2
// if nothing is known about it: if there is only one pair, or if all matches ended alike.
func (r Result) DesignEffect() float64 {
	var s spread
	s.add(r.Pairs, observed(r.Matches))
	return s.designEffect(1)
}

// spread measures how far the scores of pairs of matches on one opening are from the expected scores.
type spread struct {
	pairs       float64
	squares     float64 // sum of squares of the differences from the expected score, in points
	independent float64 // the sum of the variances if the matches of a pair were independent
}

// add adds pairs. expected is the distribution of the outcomes of each of their matches.
func (s *spread) add(pairs Pentanomial, expected distribution) {
	mean, variance := expected.moments()
	for points, count := range pairs {
		residual := float64(points)/2 - 2*mean
		s.squares += float64(count) * residual * residual
		s.independent += float64(count) * 2 * variance
		s.pairs += float64(count)
	}
}

// designEffect returns 1 plus the correlation of two matches on one opening (Kish, Survey Sampling,
// 1965). parameters is the number of parameters of the expected scores. The correlation cannot be
// negative: an opening that favours one bot favours it in both matches, since both bots play both
// roles. If the pairs do not determine the correlation, it counts as 1, its maximum. Without pairs it
// counts as 0.
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

// components returns the groups of bots that are connected by matches, with their members in rising order.
func components(n int, results []Result) (all [][]int) {
	met := make([][]int, n)
	for _, r := range results {
		if Trials(r.Matches) > 0 {
			met[r.A], met[r.B] = append(met[r.A], r.B), append(met[r.B], r.A)
		}
	}
	grouped := make([]bool, n)
	for i := range n {
		if grouped[i] {
			continue
		}
		members := reached(i, met)
		for _, k := range members {
			grouped[k] = true
		}
		all = append(all, members)
	}
	return all
}

// reached returns a node of a graph and all nodes that paths from it lead to, in rising order. next has
// the ends of the edges from each node.
func reached(from int, next [][]int) []int {
	seen, nodes := make([]bool, len(next)), []int{from}
	seen[from] = true
	for k := 0; k < len(nodes); k++ {
		for _, end := range next[nodes[k]] {
			if !seen[end] {
				seen[end] = true
				nodes = append(nodes, end)
			}
		}
	}
	slices.Sort(nodes)
	return nodes
}

// bounded reports whether the likelihood of the members' results has a maximum: every member must
// have taken points from every other, directly or through third ones (Ford 1957). The results are
// between indices of the members.
func bounded(members int, results []Result) bool {
	took, gave := make([][]int, members), make([][]int, members)
	for _, r := range results {
		if m := r.Matches; m.Win+m.Draw > 0 {
			took[r.A], gave[r.B] = append(took[r.A], r.B), append(gave[r.B], r.A)
		}
		if m := r.Matches; m.Loss+m.Draw > 0 {
			took[r.B], gave[r.A] = append(took[r.B], r.A), append(gave[r.A], r.B)
		}
	}
	return len(reached(0, took)) == members && len(reached(0, gave)) == members
}

// perfect reports which members have lost no point, and which have made none.
func perfect(members int, results []Result) (won, lost []bool) {
	won, lost = make([]bool, members), make([]bool, members)
	for i := range members {
		won[i], lost[i] = members > 1, members > 1
	}
	for _, r := range results {
		m := r.Matches
		won[r.A] = won[r.A] && m.Draw+m.Loss == 0
		won[r.B] = won[r.B] && m.Draw+m.Win == 0
		lost[r.A] = lost[r.A] && m.Draw+m.Win == 0
		lost[r.B] = lost[r.B] && m.Draw+m.Loss == 0
	}
	return won, lost
}

// among returns the results between the members, with the members' indices as numbers.
func among(members []int, results []Result) []Result {
	var theirs []Result
	for _, r := range results {
		a, inA := slices.BinarySearch(members, r.A)
		b, inB := slices.BinarySearch(members, r.B)
		if inA && inB && a != b && Trials(r.Matches) > 0 {
			r.A, r.B = a, b
			theirs = append(theirs, r)
		}
	}
	return theirs
}
