package format

import "versus2048/tournament"

// Ladder is an event without an end, which bots join and leave while it is
// played. Each match is given to the bot whose rating is the least certain, and
// to the opponent against which it tells the most; see docs/adr/0012-formats.md.
// The rule looks at all matches but the last Ahead, so that so many may be
// played at once.
type Ladder struct {
	Names   []string
	Stays   []tournament.Stay
	Matches int // that each bot plays at least, 0 for no end
	Ahead   int
}

// Next lists the undecided matches up to those that are Ahead.
func (f Ladder) Next(done []tournament.MatchResult) []tournament.Pairing {
	c := f.climb(done)
	return c.done.undecided(c.pairings)
}

// Total is 0 where there is no end.
func (f Ladder) Total(done []tournament.MatchResult) tournament.Total {
	if f.Matches == 0 {
		return tournament.Total{Bound: tournament.About, Joinable: true}
	}
	c := f.climb(done)
	missing := 0 // matches of bots
	for i, name := range f.Names {
		if tournament.TakesPart(f.Stays, name, len(c.pairings)+1) {
			missing += max(0, f.Matches-c.bots[i].matches)
		}
	}
	if missing == 0 {
		return tournament.Total{Matches: len(c.pairings), Joinable: true}
	}
	return tournament.Total{Matches: len(c.pairings) + (missing+1)/2, Bound: tournament.About, Joinable: true}
}

// Standings are by the ratings with which the ladder pairs. They are relative to
// the average bot's 0, and quick estimates; deviation is their standard error.
func (f Ladder) Standings(done []tournament.MatchResult) tournament.Standings {
	c := f.climb(done)
	s := tournament.Standings{Format: LadderPlan, Columns: []string{"rating", "deviation", "points"}}
	for i, a := range accounts(f.Names, done) {
		b := c.bots[i]
		s.Places = append(s.Places, tournament.Place{Name: f.Names[i], Played: a.played, Values: []float64{b.rating, b.deviation, a.points}})
	}
	s.Places = rank(s.Places, 1)
	return s
}

// climb is a ladder as far as it is paired. A bot is known by its place among
// the names, a match by its number less one.
type climb struct {
	Ladder
	done     numbered
	bots     []climber
	met      map[[2]int]*encounters
	pairings []tournament.Pairing
	updates  []update // that the matches will make
}

// climber is a bot of a ladder.
type climber struct {
	estimate
	matches int // that it was given
	balance int // how often first, less how often second
}

// encounters are the matches of two bots so far.
type encounters struct {
	matches int
	first   int // who was first in the last of them
}

// climb pairs one match after the other, each by what is decided Ahead matches
// before, up to where a match is undecided or nobody is there to play.
func (f Ladder) climb(done []tournament.MatchResult) *climb {
	c := &climb{Ladder: f, done: byNumber(done), met: map[[2]int]*encounters{}}
	for range f.Names {
		c.bots = append(c.bots, climber{estimate: unrated()})
	}
	for match := 1; ; match++ {
		if match > f.Ahead {
			m := c.done[match-f.Ahead]
			if m == nil {
				return c
			}
			c.updates[match-f.Ahead-1].apply(c.bots, m)
		}
		a, b, ok := c.choose(match)
		if !ok {
			return c
		}
		c.pair(match, a, b)
	}
}

// choose is who plays a match: of the bots that have matches to play the one of
// the greatest deviation, and the opponent by which it becomes the most certain.
// It is not ok where nobody has a match to play, or no opponent.
func (c *climb) choose(match int) (a, b int, ok bool) {
	a, b = -1, -1
	for i := range c.bots {
		wants := c.Matches == 0 || c.bots[i].matches < c.Matches
		if wants && tournament.TakesPart(c.Stays, c.Names[i], match) && (a < 0 || c.bots[i].deviation > c.bots[a].deviation) {
			a = i
		}
	}
	if a < 0 {
		return a, b, false
	}
	most := 0.0
	for i := range c.bots {
		if i == a || !tournament.TakesPart(c.Stays, c.Names[i], match) {
			continue
		}
		if worth := c.worth(a, i); b < 0 || worth > most {
			b, most = i, worth
		}
	}
	return a, b, b >= 0
}

// pair gives a match to two bots. First is who was second in their last match,
// or else who was first less often.
func (c *climb) pair(match, a, b int) {
	key := [2]int{min(a, b), max(a, b)}
	e := c.met[key]
	if e == nil {
		e = &encounters{}
		c.met[key] = e
	}
	e.matches++
	switch {
	case e.matches%2 == 0:
		a, b = key[0]+key[1]-e.first, e.first
	case c.bots[a].balance > c.bots[b].balance:
		a, b = b, a
	}
	e.first = a
	c.updates = append(c.updates, expect(c.bots, a, b))
	c.bots[a].matches++
	c.bots[b].matches++
	c.bots[a].balance++
	c.bots[b].balance--
	c.pairings = append(c.pairings, tournament.Pairing{Match: match, Round: match, Nth: e.matches, First: c.Names[a], Second: c.Names[b]})
}
