package format

import (
	"iter"
	"maps"
	"slices"

	"versus2048/tournament"
)

// bracket is a format that consists of ties: the winner of a tie, or its loser, advances to another
// tie. Bots are known by their seeds, which are their indices among the names, from 0.
type bracket struct {
	listing
	format string
	best   int      // regular matches of a tie
	parts  []string // of the bracket, in the order in which they are shown
	ties   []tie
	met    map[[2]int]int // matches of two bots in the ties that are over
}

func newBracket(e tournament.Event, format string) *bracket {
	f := &bracket{format: format, best: e.Matches, met: map[[2]int]int{}}
	f.listing = listing{newField(e), f.lists, f.advance}
	return f
}

// node is a tie's place in the bracket.
type node struct {
	part  string // of the bracket, such as "losers' "
	title string
	round int
	sides [2]source
}

// source is the origin of a bot of a tie.
type source struct {
	kind sourceKind
	from int // a seed, or the index of a node
}

type sourceKind int

const (
	seeded   sourceKind = iota // the bot enters the event here
	winnerOf                   // the winner of an earlier node
	loserOf                    // the loser of an earlier node
	// upsetBy is the loser of a node if this bot comes from the node's first side: after its first defeat the bot plays
	// again.
	upsetBy
)

// Values in place of a seed.
const (
	absent  = -1 // no bot comes: the opponent has a bye
	unknown = -2 // not decided yet
)

// tie is the state of a node. It ends when one of the bots has more than half of the points of all regular matches. If
// the bots have equal points after these matches, the greater sum of margins decides. If the sums are equal, too, extra
// matches follow, one by one, until points or margins differ. If the bots are still level after extraMatches, the
// better seed wins.
type tie struct {
	node            node
	before          int    // the number of the match before the tie's first match
	bots            [2]int // seeds, absent or unknown; the better seed first
	winner, loser   int    // seeds, absent or unknown
	met             int    // matches of the same two bots in earlier ties
	settled         int    // matches, at most up to the match that decides the tie
	late            int    // matches that were in progress when strikes decided the tie
	made            [2]account
	reached, played bool // one bot may come here; two bots may come here
}

// contested reports whether both bots of the tie are known, so that it is played.
func (t *tie) contested() bool { return t.bots[0] >= 0 && t.bots[1] >= 0 }

// begin gives the ties their match numbers, and lets the bots enter. Each tie that can be played has match numbers of
// its own, enough for the greatest number of matches, even if it needs fewer.
func (f *bracket) begin() {
	f.reach()
	before := 0
	for i := range f.ties {
		t := &f.ties[i]
		t.before, t.bots, t.winner, t.loser = before, [2]int{unknown, unknown}, unknown, unknown
		if t.played {
			before += maxMatches(f.best)
		}
	}
	f.advance()
}

func (f *bracket) Add(m tournament.MatchResult) {
	i, _ := slices.BinarySearchFunc(f.ties, m.Match, func(t tie, number int) int { return t.before - number })
	t := &f.ties[max(i-1, 0)]
	f.add(m, t.before < m.Match && m.Match <= t.before+t.settled)
	if f.settleTie(t); t.winner != unknown || len(f.SetAside()) > 0 {
		f.advance()
	}
}

// advance lets bots advance as far as ties are decided. Each tie comes after the ties that its bots come from.
func (f *bracket) advance() {
	for i := range f.ties {
		t := &f.ties[i]
		if t.winner != unknown {
			continue
		}
		if !t.contested() {
			f.enter(t)
		}
		f.settleTie(t)
	}
}

// enter sets the bots of a tie, as far as they are known. A bot without an opponent wins.
func (f *bracket) enter(t *tie) {
	t.bots = [2]int{f.resolve(t.node.sides[0]), f.resolve(t.node.sides[1])}
	if t.bots[0] > t.bots[1] && t.bots[1] >= 0 {
		t.bots[0], t.bots[1] = t.bots[1], t.bots[0]
	}
	switch {
	case t.bots[0] == absent:
		t.winner, t.loser = t.bots[1], absent
	case t.bots[1] == absent:
		t.winner, t.loser = t.bots[0], absent
	case t.contested():
		t.met = f.met[t.bots]
	}
}

// settleTie settles decided matches of a tie in order, up to the match that decides the tie.
func (f *bracket) settleTie(t *tie) {
	for t.contested() && t.winner == unknown {
		m := f.result(f.match(t, t.settled+1))
		if m == nil {
			return
		}
		f.settle(m)
		t.settled++
		for i := range t.made {
			t.made[i].add(m, f.names[t.bots[i]])
		}
		f.decide(t)
	}
	if t.contested() {
		f.settleLate(t)
	}
}

// settleLate settles the decided matches after the match that decides the tie. They count as walkovers.
func (f *bracket) settleLate(t *tie) {
	if t.winner == unknown || len(f.SetAside()) == 0 {
		return
	}
	for number := range maps.Clone(f.pending) {
		if k := number - t.before; k > t.settled && k <= maxMatches(f.best) {
			m := f.result(f.match(t, k))
			f.settle(m)
			t.late++
			for i := range t.made {
				t.made[i].add(m, f.names[t.bots[i]])
			}
		}
	}
}

// decide ends a tie if the last settled match decides the tie.
func (f *bracket) decide(t *tie) {
	winner := 0 // if the bots are level after all extra matches
	switch lead := t.made[0].lead(t.made[1]); {
	case lead != 0 && (t.settled >= f.best || 2*max(t.made[0].points, t.made[1].points) > float64(f.best)):
		winner = (1 - lead) / 2
	case t.settled < maxMatches(f.best):
		return
	}
	t.winner, t.loser = t.bots[winner], t.bots[1-winner]
	f.met[t.bots] += t.settled
}

func (f *bracket) match(t *tie, k int) tournament.Pairing {
	return meeting(t.before+k, t.node.round, t.met+k, f.names[t.bots[0]], f.names[t.bots[1]])
}

// lists yields the matches of each open tie that has both bots: see matchesOf.
func (f *bracket) lists(yield func(list) bool) {
	for i := range f.ties {
		if t := &f.ties[i]; t.contested() && t.winner == unknown && !yield(f.matchesOf(t)) {
			return
		}
	}
}

// matchesOf yields the unsettled matches of an open tie: all regular matches that the tie needs whatever the results of
// its undecided matches, or the next extra match.
func (f *bracket) matchesOf(t *tie) list {
	return func(yield func(tournament.Pairing, *tournament.MatchResult) bool) {
		most := [2]float64{t.made[0].points, t.made[1].points} // the most points that each bot can have before match k
		for k := t.settled + 1; k <= max(f.best, t.settled+1); k++ {
			if k <= f.best && 2*max(most[0], most[1]) > float64(f.best) {
				return
			}
			p := f.match(t, k)
			m := f.result(p)
			if !yield(p, m) {
				return
			}
			for i := range most {
				if m == nil {
					most[i]++
				} else {
					most[i] += m.Points(f.names[t.bots[i]])
				}
			}
		}
	}
}

// Total counts the matches of the decided ties. It assumes that no other tie is decided early or needs extra matches. A
// second grand final counts once it is certain.
func (f *bracket) Total() tournament.Total {
	total := tournament.Total{}
	for i := range f.ties {
		switch t := &f.ties[i]; {
		case t.contested() && t.winner != unknown:
			total.Matches += t.settled + t.late
		case t.contested():
			total.Matches += max(f.best, f.decided(t)+1)
			total.Bound = tournament.About
		case t.winner == unknown && t.expected():
			total.Matches += f.best
			total.Bound = tournament.About
		}
	}
	return f.total(total)
}

// decided returns the number of decided matches of an open tie.
func (f *bracket) decided(t *tie) int {
	n := t.settled
	for range f.early(t) {
		n++
	}
	return n
}

// early yields the decided matches of an open tie after its first undecided match.
func (f *bracket) early(t *tie) iter.Seq[*tournament.MatchResult] {
	return func(yield func(*tournament.MatchResult) bool) {
		for _, m := range f.matchesOf(t) {
			if m != nil && !yield(m) {
				return
			}
		}
	}
}

// Standings ranks the bots by the round that each has reached: the round of its next tie, or of the
// tie that eliminated it. For the winner, it is one round more than the last.
func (f *bracket) Standings() tournament.Standings {
	s := tournament.Standings{Format: f.format, Columns: []string{"reached", "points", "margin"}}
	reached := make([]int, len(f.names))
	for i := range f.ties {
		t := &f.ties[i]
		for _, bot := range t.bots {
			if bot >= 0 {
				reached[bot] = max(reached[bot], t.node.round)
			}
		}
	}
	for _, part := range f.parts {
		for i := range f.ties {
			if t := &f.ties[i]; t.node.part == part && (t.contested() || t.node.round == 1 && t.winner >= 0) {
				s.Ties = append(s.Ties, f.report(t))
			}
		}
	}
	last := &f.ties[len(f.ties)-1]
	if last.winner >= 0 {
		reached[last.winner] = last.node.round + 1
	}
	s.Places = f.places(f.accounts(), 1, func(bot int, a account) []float64 {
		return []float64{float64(reached[bot]), a.points, float64(a.margin)}
	})
	return s
}

func (f *bracket) report(t *tie) tournament.Tie {
	r := tournament.Tie{Round: t.node.round, Title: t.node.title, Points: []float64{0, 0}}
	if t.winner >= 0 {
		r.Winner = f.names[t.winner]
	}
	if !t.contested() {
		r.First = r.Winner
		return r
	}
	r.First, r.Second = f.names[t.bots[0]], f.names[t.bots[1]]
	first := t.made[0]
	if t.winner == unknown {
		for m := range f.early(t) {
			first.add(m, r.First)
		}
	}
	r.Points = []float64{first.points, float64(first.played) - first.points}
	r.Margin = first.margin
	return r
}

func (f *bracket) resolve(s source) int {
	switch s.kind {
	case seeded:
		if s.from >= len(f.names) {
			return absent
		}
		return s.from
	case winnerOf:
		return f.ties[s.from].winner
	case loserOf:
		return f.ties[s.from].loser
	}
	t := &f.ties[s.from]
	if t.loser >= 0 && t.loser != f.resolve(t.node.sides[0]) {
		return absent
	}
	return t.loser
}

// reach finds the nodes that one bot may come to, and the nodes that two bots may come to. Each node comes after the
// nodes that its bots come from.
func (f *bracket) reach() {
	for i := range f.ties {
		t := &f.ties[i]
		first, second := f.reachable(t.node.sides[0]), f.reachable(t.node.sides[1])
		t.reached, t.played = first || second, first && second
	}
}

// reachable reports whether a bot can come from a source under any results.
func (f *bracket) reachable(s source) bool {
	switch s.kind {
	case seeded:
		return s.from < len(f.names)
	case winnerOf:
		return f.ties[s.from].reached
	}
	return f.ties[s.from].played
}

// expected reports whether two bots come to the tie even if the grand final is no upset.
func (t *tie) expected() bool { return t.played && t.node.sides[1].kind != upsetBy }

// extraMatches is the number of matches that a tie may have beyond its regular ones, while its bots are level.
const extraMatches = 8

// maxMatches is the greatest number of matches of a tie.
func maxMatches(best int) int { return best + extraMatches }
