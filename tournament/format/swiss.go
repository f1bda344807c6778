package format

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"versus2048/tournament"
)

// swissKind describes the format that pairs bots with similar points, round by round. No two bots meet twice, unless
// bots join during the event. In each pairing of a round the bots play the same number of matches; the bot with more
// points from these wins the pairing, for one point. If the number of bots is odd, one of them has a bye in each round,
// worth a point. A bot that joins is paired from the next round on. docs/adr/0012-formats.md describes the pairing.
func swissKind() kind {
	return kind{
		name:    tournament.Swiss,
		adapts:  true,
		matches: 2,
		most:    maxTie,
		check: func(p tournament.Plan, bots int) error {
			if most := maxRounds(bots); p.Rounds < 0 || p.Rounds > most {
				return fmt.Errorf("%d rounds of %d bots: want at most %d, so that no two bots meet twice", p.Rounds, bots, most)
			}
			if half := (bots + 1) / 2; p.Rounds > half && bots > mostAhead {
				return fmt.Errorf("%d rounds of %d bots: want at most %d, half of the bots, in an event of more than %d bots", p.Rounds, bots, half, mostAhead)
			}
			return nil
		},
		create: func(e tournament.Event) tournament.Format {
			return newSwiss(e, cmp.Or(e.Settings.Plan.Rounds, defaultRounds(max(1, atStart(e)))))
		},
	}
}

// mostAhead limits the bots of an event that searches its pairings ahead, because such an event
// lists every two bots before the first round.
const mostAhead = 1000

// defaultRounds returns one round more than are needed to find a winner, at most maxRounds.
func defaultRounds(bots int) int {
	return min(bits.Len(uint(bots-1))+1, maxRounds(bots))
}

// maxRounds returns the number of rounds that can be played without a rematch.
func maxRounds(bots int) int { return bots - 1 + bots%2 }

// swiss is a Swiss event. Bots are known by their indices among the names, the presumed strongest first.
type swiss struct {
	listing
	rounds, matches int // matches is the number of matches of each pairing
	pairer          pairer
	joined          map[string]int // the first match that each joined bot may be paired for, by its name
	round           int            // the last paired round
	before          int            // the number of matches of the rounds before it
	tables          []swissTable
	points          []float64
	balance         []int // the number of matches as First minus the number of matches as Second
	meetings        [][]swissMeeting
}

// swissTable is a pairing of the present round.
type swissTable struct {
	first, second int
	before        int // the number of the match before the table's first match
	settled       int // matches
	made          [2]account
}

// swissMeeting is one bot's result in a round.
type swissMeeting struct {
	opponent int     // the bot itself for a bye
	points   float64 // the bot's points
}

func newSwiss(e tournament.Event, rounds int) *swiss {
	f := &swiss{rounds: rounds, matches: e.Matches, pairer: pairer{met: map[[2]int]bool{}}}
	f.listing = listing{newField(e), f.lists, f.advance}
	f.admit(e)
	f.advance()
	return f
}

// SetLineup adds the bots that have joined, and sets aside the bots that have left.
func (f *swiss) SetLineup(e tournament.Event) {
	f.admit(e)
	f.listing.SetLineup(e)
}

func (f *swiss) admit(e tournament.Event) {
	f.names, f.joined = namesOf(e), e.Joined()
	more := len(f.names) - len(f.points)
	f.points = append(f.points, make([]float64, more)...)
	f.balance = append(f.balance, make([]int, more)...)
	f.meetings = append(f.meetings, make([][]swissMeeting, more)...)
}

// Listed returns the number of the last match of the present round.
func (f *swiss) Listed() int { return f.before + len(f.tables)*f.matches }

// Void returns false: a bot that leaves loses the matches that it does not play.
func (f *swiss) Void(tournament.Pairing) bool { return false }

func (f *swiss) Add(m tournament.MatchResult) {
	f.add(m, f.isSettled(m.Match))
	f.advance()
}

func (f *swiss) Total() tournament.Total {
	t := tournament.Total{Matches: f.Listed(), Joinable: f.round < f.rounds}
	for range f.rounds - f.round {
		bots := len(f.names)
		for _, from := range f.joined {
			if from > t.Matches+1 {
				bots--
			}
		}
		t.Matches += bots / 2 * f.matches
	}
	return f.total(t)
}

// Standings ranks the bots by the points of the rounds. Ties go to the higher Buchholz score (the
// sum of the opponents' points, the bot's own points for a bye, nothing for a missed round), then to the higher
// Sonneborn-Berger score (the points of all beaten opponents, and half the points of the opponents
// that the bot drew with), then to the higher margin.
func (f *swiss) Standings() tournament.Standings {
	s := tournament.Standings{Format: tournament.Swiss, Columns: []string{"points", "buchholz", "sonneborn-berger", "margin"}}
	s.Places = f.places(f.accounts(), len(s.Columns), func(bot int, a account) []float64 {
		values := []float64{f.points[bot], 0, 0, float64(a.margin)}
		for _, m := range f.meetings[bot] {
			opponent := f.points[m.opponent]
			values[1] += opponent
			if m.opponent != bot {
				values[2] += m.points * opponent
			}
		}
		return values
	})
	return s
}

// advance settles all decided matches, and pairs the next round when all tables are done.
func (f *swiss) advance() {
	for {
		for i := range f.tables {
			f.settleTable(&f.tables[i])
		}
		open := func(t swissTable) bool { return t.settled < f.matches }
		if f.round >= f.rounds || slices.ContainsFunc(f.tables, open) {
			return
		}
		f.pairRound()
	}
}

// settleTable settles decided matches of a table in order. The last match decides the pairing.
func (f *swiss) settleTable(t *swissTable) {
	for t.settled < f.matches {
		p := f.match(t, t.settled+1)
		m := f.result(p)
		if m == nil {
			return
		}
		f.settle(m)
		t.made[0].add(m, f.names[t.first])
		t.made[1].add(m, f.names[t.second])
		if t.settled++; t.settled == f.matches {
			f.count(t)
		}
	}
}

func (f *swiss) isSettled(number int) bool {
	if number <= f.before {
		return true // of an earlier round
	}
	return slices.ContainsFunc(f.tables, func(t swissTable) bool { return t.before < number && number <= t.before+t.settled })
}

func (f *swiss) match(t *swissTable, nth int) tournament.Pairing {
	return meeting(t.before+nth, f.round, nth, f.names[t.first], f.names[t.second])
}

func (f *swiss) lists(yield func(list) bool) {
	for i := range f.tables {
		t := &f.tables[i]
		more := yield(func(yield func(tournament.Pairing, *tournament.MatchResult) bool) {
			for nth := t.settled + 1; nth <= f.matches; nth++ {
				if p := f.match(t, nth); !yield(p, f.result(p)) {
					return
				}
			}
		})
		if !more {
			return
		}
	}
}

func (f *swiss) pairRound() {
	f.before = f.Listed()
	f.round++
	pairs := f.pairer.pair(f.order(), f.points, f.rounds-f.round)
	f.tables = f.tables[:0]
	for table, pair := range pairs {
		f.seat(table, pair)
	}
}

// order returns the bots of a new round by points, highest first, then in the order of entry.
func (f *swiss) order() (order []int) {
	for i, name := range f.names {
		if f.joined[name] <= f.before+1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.points[b], f.points[a]) })
	return order
}

// seat adds the table of a pair. The pair with the bye is the last one of its round.
func (f *swiss) seat(table int, pair [2]int) {
	a, b := pair[0], pair[1]
	if b == bye {
		f.points[a]++
		f.meetings[a] = append(f.meetings[a], swissMeeting{a, 1})
		return
	}
	if d := f.balance[a] - f.balance[b]; d > 0 || d == 0 && table%2 == 1 {
		a, b = b, a
	}
	f.balance[a] += f.matches % 2
	f.balance[b] -= f.matches % 2
	f.tables = append(f.tables, swissTable{first: a, second: b, before: f.before + table*f.matches})
}

// count gives the point of a decided pairing to the winner, or half a point to each bot.
func (f *swiss) count(t *swissTable) {
	points := float64(1+cmp.Compare(t.made[0].points, t.made[1].points)) / 2
	f.points[t.first] += points
	f.points[t.second] += 1 - points
	f.meetings[t.first] = append(f.meetings[t.first], swissMeeting{t.second, points})
	f.meetings[t.second] = append(f.meetings[t.second], swissMeeting{t.first, 1 - points})
}
