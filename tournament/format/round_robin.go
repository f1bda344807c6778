package format

import (
	"iter"

	"versus2048/tournament"
)

// roundRobinKind describes the default format: every bot meets every other bot the same number of times.
func roundRobinKind() kind {
	return kind{
		name:    tournament.RoundRobin,
		matches: 10,
		most:    tournament.MaxMatches,
		create: func(e tournament.Event) tournament.Format {
			return newLeague(e, tournament.RoundRobin, "points", byPoints, circle(len(e.Entries)))
		},
	}
}

// circle is a number of bots, with their pairs arranged by the circle method, so that no bot waits
// long for a game. Each round has all bots at seats, and a bye if their number is odd. Index 0
// keeps its seat; the others move on by one seat each round.
type circle int

func (n circle) seats() int { return int(n + n%2) }

func (n circle) size() (rounds, tables int) { return n.seats() - 1, int(n / 2) }

// bots returns the bots in two opposite seats, the lower index first. Tables are numbered by their
// lower seats, without the table of the bye.
func (n circle) bots(round, table int) (first, second int) {
	if bye, odd := n.bye(round); odd && table >= bye {
		table++
	}
	a, b := n.at(table, round), n.at(n.seats()-1-table, round)
	return min(a, b), max(a, b)
}

func (n circle) tablesOf(round, bot int) iter.Seq[int] {
	return func(yield func(int) bool) {
		table := n.side(n.seat(bot, round))
		bye, odd := n.bye(round)
		switch {
		case !odd || table < bye:
			yield(table)
		case table > bye:
			yield(table - 1)
		}
	}
}

// bye returns the table of the bye, if the number of bots is odd.
func (n circle) bye(round int) (table int, odd bool) {
	return n.side(n.seat(int(n), round)), n%2 == 1
}

// side returns the lower of a seat and its opposite seat.
func (n circle) side(seat int) int { return min(seat, n.seats()-1-seat) }

// at returns the index of the bot that sits in a seat in a round.
func (n circle) at(seat, round int) int {
	if seat == 0 {
		return 0
	}
	return 1 + (seat-1+round)%(n.seats()-1)
}

// seat returns the seat of the bot with that index in a round. round must be below the number of rounds.
func (n circle) seat(index, round int) int {
	if index == 0 {
		return 0
	}
	m := n.seats() - 1
	return 1 + (index-1-round+m)%m
}

// roundRobinCycle lists every pair of n indices once, round by round.
func roundRobinCycle(n int) [][2]int {
	var pairs [][2]int
	rounds, tables := circle(n).size()
	for round := range rounds {
		for table := range tables {
			a, b := circle(n).bots(round, table)
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}
