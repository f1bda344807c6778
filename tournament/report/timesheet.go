package report

import (
	"iter"
	"math"
	"slices"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Timesheet gathers how fast bots moved in the games of some matches, by bot,
// role and opponent.
type Timesheet struct {
	matches map[int]bool              // by number
	paces   map[part]map[string]*pace // by opponent
}

// part is a bot on one side.
type part struct {
	name string
	side rules.Side
}

// NewTimesheet returns an empty timesheet for these matches.
func NewTimesheet(matches []tournament.MatchResult) *Timesheet {
	t := &Timesheet{matches: make(map[int]bool, len(matches)), paces: map[part]map[string]*pace{}}
	for _, m := range matches {
		t.matches[m.Match] = true
	}
	return t
}

// TimesheetOf returns the timesheet of the games that belong to the matches.
func TimesheetOf(games []tournament.Game, matches []tournament.MatchResult) *Timesheet {
	t := NewTimesheet(matches)
	for i := range games {
		g := &games[i]
		t.Add(g.Pairing, g.Leg, g.Record.Start, timesOf(&g.Record))
	}
	return t
}

// timesOf returns the time and the lag of each ply. A lag that is not recorded is 0.
func timesOf(r *record.Record) iter.Seq2[time.Duration, time.Duration] {
	return func(yield func(spent, lag time.Duration) bool) {
		for i, spent := range r.Times {
			var lag time.Duration
			if r.Lags != nil {
				lag = r.Lags[i]
			}
			if !yield(spent, lag) {
				return
			}
		}
	}
}

// Add adds the time and the lag of each ply of a game. It ignores games of other
// matches, and the plies that chance plays.
func (t *Timesheet) Add(p tournament.Pairing, leg int, start rules.Position, plies iter.Seq2[time.Duration, time.Duration]) {
	if !t.matches[p.Match] {
		return
	}
	attacker, defender := p.Roles(leg)
	defending, attacking := t.pace(defender, attacker, rules.Defender), &pace{}
	if !start.Rules().Chance() {
		attacking = t.pace(attacker, defender, rules.Attacker)
	}
	mover, waiting := attacking, defending
	if start.SideToMove() == rules.Defender {
		mover, waiting = waiting, mover
	}
	for spent, lag := range plies {
		mover.add(spent, lag)
		mover, waiting = waiting, mover
	}
}

// Merge adds the times of other matches, or of other games of these.
func (t *Timesheet) Merge(u *Timesheet) {
	for part, paces := range u.paces {
		for opponent, p := range paces {
			t.pace(part.name, opponent, part.side).merge(p)
		}
	}
}

func (t *Timesheet) pace(name, opponent string, side rules.Side) *pace {
	key := part{name, side}
	if t.paces[key] == nil {
		t.paces[key] = map[string]*pace{}
	}
	if t.paces[key][opponent] == nil {
		t.paces[key][opponent] = &pace{}
	}
	return t.paces[key][opponent]
}

// against returns how fast the bot moved in a role against one opponent.
func (t *Timesheet) against(name, opponent string, side rules.Side) *pace {
	if p := t.paces[part{name, side}][opponent]; p != nil {
		return p
	}
	return &pace{}
}

// overall returns how fast the bot moved in a role against all opponents.
func (t *Timesheet) overall(name string, side rules.Side) *pace {
	paces := t.paces[part{name, side}]
	moves := 0
	for _, p := range paces {
		moves += len(p.times)
	}
	sum := &pace{times: make([]uint32, 0, moves)}
	for _, p := range paces {
		sum.merge(p)
	}
	return sum
}

// pace is how fast moves were made.
type pace struct {
	// times are whole microseconds, so that millions of them fit into memory. Times
	// above an hour and eleven minutes count as that in the median.
	times []uint32

	spent, longest time.Duration // the sum and the maximum
	lag, mostLag   time.Duration // the sum and the maximum
}

func (p *pace) add(spent, lag time.Duration) {
	if len(p.times) == cap(p.times) {
		p.times = slices.Grow(p.times, max(256, len(p.times))) // append would copy a long list more often
	}
	p.times = append(p.times, uint32(min(max(0, spent/time.Microsecond), math.MaxUint32)))
	p.spent += spent
	p.longest = max(p.longest, spent)
	p.lag += lag
	p.mostLag = max(p.mostLag, lag)
}

// merge adds the moves of q.
func (p *pace) merge(q *pace) {
	p.times = append(p.times, q.times...)
	p.spent += q.spent
	p.longest = max(p.longest, q.longest)
	p.lag += q.lag
	p.mostLag = max(p.mostLag, q.mostLag)
}

// figure returns a time in milliseconds, absent without a move.
func (p *pace) figure(d time.Duration) Figure {
	if len(p.times) == 0 {
		return Figure{Needs: "needs 1 timed move"}
	}
	return Figure{Value: float64(d) / float64(time.Millisecond)}
}

// mean returns the sum divided by the moves.
func (p *pace) mean(sum time.Duration) Figure {
	f := p.figure(sum)
	f.Value /= float64(max(1, len(p.times)))
	return f
}

// median returns the middle time, or the mean of the middle two. It reorders the
// times.
func (p *pace) median() Figure {
	n := len(p.times)
	if n == 0 {
		return p.figure(0)
	}
	upper := time.Duration(nth(p.times, n/2))
	lower := upper
	if n%2 == 0 {
		lower = time.Duration(slices.Max(p.times[:n/2]))
	}
	return p.figure((lower + upper) * time.Microsecond / 2)
}

// nth returns the k-th smallest of x, from 0, and moves it to index k, with no larger
// number before it and no smaller one after it: Hoare's quickselect.
func nth(x []uint32, k int) uint32 {
	for low, high := 0, len(x)-1; low < high; {
		pivot := x[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return x[k]
		}
	}
	return x[k]
}
