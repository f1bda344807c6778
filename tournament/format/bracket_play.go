package format

import "versus2048/tournament"

// next lists the matches of all ties whose bots are known, as far as they are
// needed for certain.
func (f *bracket) next(done []tournament.MatchResult) []tournament.Pairing {
	var left []tournament.Pairing
	bouts := f.bouts(byNumber(done))
	for i := range bouts {
		b := &bouts[i]
		if !b.contested() {
			continue
		}
		c := &b.contest
		for _, k := range c.next() {
			left = append(left, meeting(c.before+k, b.round, b.met+k, c.names[0], c.names[1]))
		}
	}
	return left
}

// total is what the ties come to that are played, and the others if none is
// decided early or needs extra matches.
func (f *bracket) total(done []tournament.MatchResult) tournament.Total {
	t := tournament.Total{}
	for _, b := range f.bouts(byNumber(done)) {
		switch {
		case b.contested():
			t.Matches += b.contest.total()
			if b.winner == unknown {
				t.Bound = tournament.About
			}
		case b.winner == unknown && f.expected(b.node):
			t.Matches += f.best
			t.Bound = tournament.About
		}
	}
	return t
}

// standings are by the round that each bot has reached: that of its next tie,
// or of the one that put it out, or one more than there are for the winner.
func (f *bracket) standings(format string, done []tournament.MatchResult) tournament.Standings {
	s := tournament.Standings{Format: format, Columns: []string{"reached", "points", "margin"}}
	bouts := f.bouts(byNumber(done))
	reached := make([]int, len(f.names))
	for i := range bouts {
		b := &bouts[i]
		for _, bot := range b.bots {
			if bot >= 0 {
				reached[bot] = max(reached[bot], b.round)
			}
		}
		if b.contested() || b.round == 1 && b.winner >= 0 {
			s.Ties = append(s.Ties, f.tie(b))
		}
	}
	last := &bouts[len(bouts)-1]
	if last.winner >= 0 {
		reached[last.winner] = last.round + 1
	}
	for i, a := range accounts(f.names, done) {
		values := []float64{float64(reached[i]), a.points, float64(a.margin)}
		s.Places = append(s.Places, tournament.Place{Name: f.names[i], Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, 1)
	return s
}

// tie is a bout for others to see.
func (f *bracket) tie(b *bout) tournament.Tie {
	t := tournament.Tie{Round: b.round, Title: b.title, Points: []float64{0, 0}}
	if b.winner >= 0 {
		t.Winner = f.names[b.winner]
	}
	if !b.contested() {
		t.First = t.Winner
		return t
	}
	t.First, t.Second = b.contest.names[0], b.contest.names[1]
	var first account
	for k := 1; k <= mostOfContest(f.best); k++ {
		if m := b.contest.match(k); m != nil {
			first.add(m, t.First)
		}
	}
	t.Points = []float64{first.points, float64(first.played) - first.points}
	t.Margin = first.margin
	return t
}
