package format

import (
	"cmp"
	"slices"

	"versus2048/tournament"
)

// Swiss lets bots with like points meet, round by round, and nobody twice. In
// each pairing of a round the bots play the same number of matches; it is won,
// for one point, by who makes more of theirs. With an odd number of bots one of
// them has a bye in each round, worth a point. How it pairs is in
// docs/adr/0012-formats.md.
type Swiss struct {
	Names   []string // the first one is thought the strongest
	Rounds  int      // at most one less than there are bots, or as many if that is odd
	Matches int      // of each pairing
}

// Next lists the undecided matches of the first round that has any.
func (f Swiss) Next(done []tournament.MatchResult) []tournament.Pairing {
	t := f.replay(done)
	return t.done.undecided(t.latest)
}

// Total is all matches.
func (f Swiss) Total([]tournament.MatchResult) tournament.Total {
	return tournament.Total{Matches: f.Rounds * f.Matches * (len(f.Names) / 2)}
}

// Standings are by the points of the rounds. Ties go to the higher Buchholz
// score (the sum of the opponents' points, the bot's own for a bye), then to the
// higher Sonneborn-Berger score (the points of those that it beat, and half of
// those that it drew with), then to the higher margin.
func (f Swiss) Standings(done []tournament.MatchResult) tournament.Standings {
	t := f.replay(done)
	s := tournament.Standings{Format: SwissPlan, Columns: []string{"points", "buchholz", "sonneborn-berger", "margin"}}
	for i, a := range accounts(f.Names, done) {
		values := []float64{t.points[i], 0, 0, float64(a.margin)}
		for _, m := range t.meetings[i] {
			opponent := t.points[m.opponent]
			values[1] += opponent
			if m.opponent != i {
				values[2] += m.points * opponent
			}
		}
		s.Places = append(s.Places, tournament.Place{Name: f.Names[i], Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, len(s.Columns))
	return s
}

// swissTable is a swiss event as far as its rounds are decided. Bots are known
// by their place among the names.
type swissTable struct {
	Swiss
	done     numbered
	points   []float64
	balance  []int // how often first, less how often second
	meetings [][]swissMeeting
	latest   []tournament.Pairing // matches of the last round that is paired
}

// swissMeeting is a round of one bot.
type swissMeeting struct {
	opponent int     // the bot itself for a bye
	points   float64 // that it made
}

// replay pairs one round after the other until one is not decided.
func (f Swiss) replay(done []tournament.MatchResult) *swissTable {
	n := len(f.Names)
	t := &swissTable{
		Swiss: f, done: byNumber(done),
		points: make([]float64, n), balance: make([]int, n), meetings: make([][]swissMeeting, n),
	}
	pairer := newPairer(n)
	for round := 1; round <= f.Rounds && len(t.done.undecided(t.latest)) == 0; round++ {
		pairs := pairer.pair(t.order(), t.points, f.Rounds-round)
		t.latest = nil
		for table, pair := range pairs {
			t.play(round, table, pair)
		}
	}
	return t
}

// order are the bots with those of more points first, then by entry.
func (t *swissTable) order() []int {
	order := make([]int, len(t.points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.points[b], t.points[a]) })
	return order
}

// play numbers the matches of a pair, and counts them if they are decided. The
// bye is the last pair of its round.
func (t *swissTable) play(round, table int, pair [2]int) {
	a, b := pair[0], pair[1]
	if b == len(t.Names) {
		t.points[a]++
		t.meetings[a] = append(t.meetings[a], swissMeeting{a, 1})
		return
	}
	if d := t.balance[a] - t.balance[b]; d > 0 || d == 0 && table%2 == 1 {
		a, b = b, a
	}
	var made [2]account
	decided := true
	before := ((round-1)*(len(t.Names)/2) + table) * t.Matches
	for nth := 1; nth <= t.Matches; nth++ {
		p := meeting(before+nth, round, nth, t.Names[a], t.Names[b])
		t.latest = append(t.latest, p)
		if m := t.done[p.Match]; m != nil {
			made[0].add(m, t.Names[a])
			made[1].add(m, t.Names[b])
		} else {
			decided = false
		}
	}
	t.balance[a] += t.Matches % 2
	t.balance[b] -= t.Matches % 2
	if decided {
		t.count(a, b, made)
	}
}

// count gives the point of a pairing that is decided.
func (t *swissTable) count(a, b int, made [2]account) {
	points := 0.5
	switch {
	case made[0].points > made[1].points:
		points = 1
	case made[0].points < made[1].points:
		points = 0
	}
	t.points[a] += points
	t.points[b] += 1 - points
	t.meetings[a] = append(t.meetings[a], swissMeeting{b, points})
	t.meetings[b] = append(t.meetings[b], swissMeeting{a, 1 - points})
}
