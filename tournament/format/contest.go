package format

import "versus2048/tournament"

// extraMatches is how many matches a contest may take beyond those that it was
// set, while its bots are level.
const extraMatches = 8

// contest is the matches of two bots of which one goes on, such as a tie of a
// knockout. It ends when one of them has more than half of the points of all
// best matches. If they are level after these, the greater sum of the margins
// decides; if that is 0, extra matches do, one by one: the first one after which
// points or margins differ. If they are level even after extraMatches, the first
// bot goes on, which is the one with the better seed.
type contest struct {
	names  [2]string // the better seed first
	best   int
	before int // the number of the match before its first
	done   numbered
}

// most is how many matches a contest of best can have: the numbers that are
// kept for it.
func mostOfContest(best int) int { return best + extraMatches }

// match is the kth match, from 1, or nil while it is not decided.
func (c *contest) match(k int) *tournament.MatchResult { return c.done[c.before+k] }

// winner is the index of who goes on. It is not ok while that is open.
func (c *contest) winner() (winner int, ok bool) {
	var made [2]account
	for k := 1; k <= mostOfContest(c.best); k++ {
		m := c.match(k)
		if m == nil {
			return 0, false
		}
		for i := range made {
			made[i].add(m, c.names[i])
		}
		if lead := made[0].lead(made[1]); lead != 0 && c.ends(k, made) {
			return (1 - lead) / 2, true
		}
	}
	return 0, true
}

// ends tells whether a lead after k matches is enough.
func (c *contest) ends(k int, made [2]account) bool {
	return k >= c.best || 2*max(made[0].points, made[1].points) > float64(c.best)
}

// lead is 1 if a has made more than b, -1 if less, 0 if they are level.
func (a account) lead(b account) int {
	switch {
	case a.points > b.points || a.points == b.points && a.margin > b.margin:
		return 1
	case a.points < b.points || a.margin < b.margin:
		return -1
	}
	return 0
}

// next are the matches that can be played now, from 1: those that will be
// needed however the ones before them end.
func (c *contest) next() []int {
	if _, over := c.winner(); over {
		return nil
	}
	var most [2]float64 // points that each bot may have by then
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

// played is how many of its matches are decided.
func (c *contest) played() (n int) {
	for k := 1; k <= mostOfContest(c.best); k++ {
		if c.match(k) != nil {
			n++
		}
	}
	return n
}

// total is how many matches it comes to, unless they are level or one of its
// bots has more than half of the points before.
func (c *contest) total() int {
	if _, over := c.winner(); over {
		return c.played()
	}
	return max(c.best, c.played()+1)
}
