package format

import "versus2048/tournament"

// bracket is a format that consists of ties: the winner of a tie, or the loser,
// advances to another one. Bots are known by their seeds, from 0, which are their
// indices among the names.
type bracket struct {
	format string
	names  []string
	best   int // matches of a tie
	nodes  []node
}

// node is where a tie stands in the bracket.
type node struct {
	title string
	round int
	sides [2]source
}

// source says where a bot of a tie comes from.
type source struct {
	kind sourceKind
	from int // a seed, or the index of a node
}

type sourceKind int

const (
	seeded   sourceKind = iota // enters the event here
	winnerOf                   // the winner of an earlier node
	loserOf                    // its loser
	// upsetBy is the loser of a node if it comes from the node's first side: a bot
	// with its first defeat, which plays again.
	upsetBy
)

// Values in place of a seed.
const (
	absent  = -1 // no bot comes: the other one has a bye
	unknown = -2 // not decided yet
)

// Next lists the matches of all ties whose bots are known, except those that may
// turn out not to be needed.
func (f bracket) Next(done []tournament.MatchResult) []tournament.Pairing {
	var left []tournament.Pairing
	ties := f.ties(byNumber(done))
	for i := range ties {
		t := &ties[i]
		if !t.contested() {
			continue
		}
		c := &t.contest
		for _, k := range c.next() {
			left = append(left, meeting(c.before+k, t.node.round, t.met+k, c.names[0], c.names[1]))
		}
	}
	return left
}

// Total counts the matches of the ties that are decided, and assumes that the
// others are neither decided early nor need extra matches. A second grand final
// counts once it is certain.
func (f bracket) Total(done []tournament.MatchResult) tournament.Total {
	total := tournament.Total{}
	for _, t := range f.ties(byNumber(done)) {
		switch {
		case t.contested():
			total.Matches += t.contest.total()
			if t.winner == unknown {
				total.Bound = tournament.About
			}
		case t.winner == unknown && f.expected(t.node):
			total.Matches += f.best
			total.Bound = tournament.About
		}
	}
	return total
}

// Standings ranks by the round that each bot has reached: the round of its next tie,
// or of the tie that eliminated it. The winner counts as one round beyond the last.
func (f bracket) Standings(done []tournament.MatchResult) tournament.Standings {
	s := tournament.Standings{Format: f.format, Columns: []string{"reached", "points", "margin"}}
	ties := f.ties(byNumber(done))
	reached := make([]int, len(f.names))
	for i := range ties {
		t := &ties[i]
		for _, bot := range t.bots {
			if bot >= 0 {
				reached[bot] = max(reached[bot], t.node.round)
			}
		}
		if t.contested() || t.node.round == 1 && t.winner >= 0 {
			s.Ties = append(s.Ties, f.report(t))
		}
	}
	last := &ties[len(ties)-1]
	if last.winner >= 0 {
		reached[last.winner] = last.node.round + 1
	}
	for i, a := range accounts(f.names, done) {
		values := []float64{float64(reached[i]), a.points, float64(a.margin)}
		s.Places = append(s.Places, tournament.Place{Name: f.names[i], Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, 1)
	return s
}

// report returns a tie as the standings show it.
func (f bracket) report(t *tie) tournament.Tie {
	r := tournament.Tie{Round: t.node.round, Title: t.node.title, Points: []float64{0, 0}}
	if t.winner >= 0 {
		r.Winner = f.names[t.winner]
	}
	if !t.contested() {
		r.First = r.Winner
		return r
	}
	r.First, r.Second = t.contest.names[0], t.contest.names[1]
	var first account
	for k := 1; k <= maxMatches(f.best); k++ {
		if m := t.contest.match(k); m != nil {
			first.add(m, r.First)
		}
	}
	r.Points = []float64{first.points, float64(first.played) - first.points}
	r.Margin = first.margin
	return r
}

// tie is the state of a node.
type tie struct {
	node          node
	bots          [2]int // seeds, absent or unknown; the better seed first
	winner, loser int    // seeds, absent or unknown
	contest       contest
	met           int // matches of the same two bots in earlier ties
}

// contested reports whether both bots of the tie are there, so that it is played.
func (t *tie) contested() bool { return t.bots[0] >= 0 && t.bots[1] >= 0 }

// ties returns the states of all nodes. Each node that can be played has match
// numbers of its own, enough for the most matches that it may need, whether they
// are played or not.
func (f bracket) ties(done numbered) []tie {
	all := make([]tie, len(f.nodes))
	met := map[[2]int]int{}
	before := 0
	for i, n := range f.nodes {
		t := &all[i]
		t.node = n
		t.bots = [2]int{f.resolve(n.sides[0], all), f.resolve(n.sides[1], all)}
		if t.bots[0] > t.bots[1] && t.bots[1] >= 0 {
			t.bots[0], t.bots[1] = t.bots[1], t.bots[0]
		}
		f.settle(t, before, done)
		if t.contested() {
			t.met = met[t.bots]
			met[t.bots] += t.contest.played()
		}
		if f.reachable(n.sides[0]) && f.reachable(n.sides[1]) {
			before += maxMatches(f.best)
		}
	}
	return all
}

// settle finds the winner and the loser of a tie.
func (f bracket) settle(t *tie, before int, done numbered) {
	switch {
	case t.bots[0] == absent:
		t.winner, t.loser = t.bots[1], absent
	case t.bots[1] == absent:
		t.winner, t.loser = t.bots[0], absent
	case !t.contested():
		t.winner, t.loser = unknown, unknown
	default:
		names := [2]string{f.names[t.bots[0]], f.names[t.bots[1]]}
		t.contest = contest{names: names, best: f.best, before: before, done: done}
		t.winner, t.loser = unknown, unknown
		if w, ok := t.contest.winner(); ok {
			t.winner, t.loser = t.bots[w], t.bots[1-w]
		}
	}
}

// resolve returns the bot that comes from a source, given the earlier ties.
func (f bracket) resolve(s source, ties []tie) int {
	switch s.kind {
	case seeded:
		if s.from >= len(f.names) {
			return absent
		}
		return s.from
	case winnerOf:
		return ties[s.from].winner
	case loserOf:
		return ties[s.from].loser
	}
	t := &ties[s.from]
	if t.loser >= 0 && t.loser != f.resolve(t.node.sides[0], ties) {
		return absent
	}
	return t.loser
}

// reachable reports whether a bot can come from a source under any results.
func (f bracket) reachable(s source) bool {
	if s.kind == seeded {
		return s.from < len(f.names)
	}
	first, second := f.reachable(f.nodes[s.from].sides[0]), f.reachable(f.nodes[s.from].sides[1])
	if s.kind == winnerOf {
		return first || second
	}
	return first && second
}

// expected reports whether two bots come to a node unless there is an upset.
func (f bracket) expected(n node) bool {
	return f.reachable(n.sides[0]) && f.reachable(n.sides[1]) && n.sides[1].kind != upsetBy
}

// extraMatches is how many matches a contest may have beyond its best, while its
// bots are level.
const extraMatches = 8

// maxMatches is the most matches that a contest can have.
func maxMatches(best int) int { return best + extraMatches }

// contest is a series of matches between two bots that must have a winner. It ends
// when one of them has more than half of the points of all best matches. If they
// are level after these, the greater sum of the margins decides. If that is 0,
// extra matches follow, one by one, until points or margins differ. If the bots are
// level even after extraMatches, the first one, which has the better seed, wins.
type contest struct {
	names  [2]string // the better seed first
	best   int       // how many matches it has, unless it is decided early or needs extra ones
	before int       // the number of the match before its first one
	done   numbered
}

// match returns the kth match, from 1, or nil while it is not decided.
func (c *contest) match(k int) *tournament.MatchResult { return c.done[c.before+k] }

// winner returns the index of the winner. ok is false while that is open.
func (c *contest) winner() (winner int, ok bool) {
	var made [2]account
	for k := 1; k <= maxMatches(c.best); k++ {
		m := c.match(k)
		if m == nil {
			return 0, false
		}
		for i := range made {
			made[i].add(m, c.names[i])
		}
		if lead := made[0].lead(made[1]); lead != 0 && c.decides(k, made) {
			return (1 - lead) / 2, true
		}
	}
	return 0, true
}

// decides reports whether a lead after k matches decides the contest.
func (c *contest) decides(k int, made [2]account) bool {
	return k >= c.best || 2*max(made[0].points, made[1].points) > float64(c.best)
}

// next returns the matches that can be played now, from 1: those that are needed
// however the ones before them end.
func (c *contest) next() []int {
	if _, over := c.winner(); over {
		return nil
	}
	var most [2]float64 // points that each bot can have before match k
	var open []int
	for k := 1; k <= c.best; k++ {
		if 2*max(most[0], most[1]) > float64(c.best) {
			return open
		}
		m := c.match(k)
		if m == nil {
			open = append(open, k)
		}
		for i := range most {
			if m == nil {
				most[i]++
			} else {
				most[i] += m.Points(c.names[i])
			}
		}
	}
	if len(open) == 0 {
		return []int{c.played() + 1}
	}
	return open
}

// played returns how many of the matches are decided.
func (c *contest) played() (n int) {
	for k := 1; k <= maxMatches(c.best); k++ {
		if c.match(k) != nil {
			n++
		}
	}
	return n
}

// total returns how many matches the contest has, assuming that it is neither
// decided early nor needs extra matches while it is open.
func (c *contest) total() int {
	if _, over := c.winner(); over {
		return c.played()
	}
	return max(c.best, c.played()+1)
}
