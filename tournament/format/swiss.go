package format

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"versus2048/tournament"
)

// Swiss is the name of the format in which bots with similar points meet, round by
// round, and no two bots meet twice. In each pairing of a round the bots play the
// same number of matches; the bot with more points from these wins the pairing, for
// one point. If the number of bots is odd, one of them has a bye in each round,
// worth a point. docs/adr/0012-formats.md describes the pairing.
const Swiss = "swiss"

func swissKind() kind {
	return kind{
		name:    Swiss,
		matches: 2,
		fields:  []string{fieldRounds},
		check: func(p tournament.Plan, bots int) error {
			if most := maxRounds(bots); p.Rounds < 0 || p.Rounds > most {
				return fmt.Errorf("%d rounds of %d bots: want at most %d, so that no two bots meet twice", p.Rounds, bots, most)
			}
			return nil
		},
		create: func(e tournament.Event) tournament.Format {
			rounds := cmp.Or(e.Settings.Plan.Rounds, defaultRounds(len(e.Entries)))
			return swiss{Names: namesOf(e), Rounds: rounds, Matches: e.Matches}
		},
	}
}

// defaultRounds returns one round more than it takes to find a winner.
func defaultRounds(bots int) int {
	return min(bits.Len(uint(bots-1))+1, maxRounds(bots))
}

// maxRounds returns how many rounds can be played without a rematch.
func maxRounds(bots int) int { return bots - 1 + bots%2 }

type swiss struct {
	Names   []string // the presumed strongest first
	Rounds  int      // 1 to maxRounds
	Matches int      // of each pairing
}

// Next lists the undecided matches of the current round.
func (f swiss) Next(done []tournament.MatchResult) []tournament.Pairing {
	t := f.replay(done)
	return t.done.undecided(t.latest)
}

// Total counts all matches.
func (f swiss) Total([]tournament.MatchResult) tournament.Total {
	return tournament.Total{Matches: f.Rounds * f.Matches * (len(f.Names) / 2)}
}

// Standings ranks by the points of the rounds. Ties go to the higher Buchholz score
// (the sum of the opponents' points, the bot's own points for a bye), then to the
// higher Sonneborn-Berger score (the points of the opponents that it beat, and half
// the points of those that it drew with), then to the higher margin.
func (f swiss) Standings(done []tournament.MatchResult) tournament.Standings {
	t := f.replay(done)
	s := tournament.Standings{Format: Swiss, Columns: []string{"points", "buchholz", "sonneborn-berger", "margin"}}
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

// swissTable is the state of a Swiss event after its decided rounds. Bots are known
// by their indices among the names.
type swissTable struct {
	event    swiss
	done     numbered
	points   []float64
	balance  []int // how often first minus how often second
	meetings [][]swissMeeting
	latest   []tournament.Pairing // matches of the last round that is paired
}

// swissMeeting is a round of one bot.
type swissMeeting struct {
	opponent int     // the bot itself for a bye
	points   float64 // that the bot made
}

// replay pairs one round after the other, up to the first that is not decided.
func (f swiss) replay(done []tournament.MatchResult) *swissTable {
	n := len(f.Names)
	t := &swissTable{
		event: f, done: byNumber(done),
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

// order returns the bots by points, highest first, then by entry.
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
	names, matches := t.event.Names, t.event.Matches
	a, b := pair[0], pair[1]
	if b == len(names) {
		t.points[a]++
		t.meetings[a] = append(t.meetings[a], swissMeeting{a, 1})
		return
	}
	if d := t.balance[a] - t.balance[b]; d > 0 || d == 0 && table%2 == 1 {
		a, b = b, a
	}
	var made [2]account
	decided := true
	before := ((round-1)*(len(names)/2) + table) * matches
	for nth := 1; nth <= matches; nth++ {
		p := meeting(before+nth, round, nth, names[a], names[b])
		t.latest = append(t.latest, p)
		if m := t.done[p.Match]; m != nil {
			made[0].add(m, names[a])
			made[1].add(m, names[b])
		} else {
			decided = false
		}
	}
	t.balance[a] += matches % 2
	t.balance[b] -= matches % 2
	if decided {
		t.count(a, b, made)
	}
}

// count gives the point of a decided pairing.
func (t *swissTable) count(a, b int, made [2]account) {
	points := float64(1+cmp.Compare(made[0].points, made[1].points)) / 2
	t.points[a] += points
	t.points[b] += 1 - points
	t.meetings[a] = append(t.meetings[a], swissMeeting{b, points})
	t.meetings[b] = append(t.meetings[b], swissMeeting{a, 1 - points})
}
