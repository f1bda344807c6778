package report

import (
	"iter"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Timesheet gathers how fast bots moved in the games of some matches, by bot,
// opponent and role.
type Timesheet struct {
	matches map[int]bool // by number
	paces   map[part]map[string]*pace
}

// part is a bot on one side.
type part struct {
	name string
	side rules.Side
}

// NewTimesheet is an empty one for these matches.
func NewTimesheet(matches []tournament.MatchResult) *Timesheet {
	t := &Timesheet{matches: make(map[int]bool, len(matches)), paces: map[part]map[string]*pace{}}
	for _, m := range matches {
		t.matches[m.Match] = true
	}
	return t
}

// TimesheetOf is the timesheet of games, as far as they are those of the matches.
func TimesheetOf(games []tournament.Game, matches []tournament.MatchResult) *Timesheet {
	t := NewTimesheet(matches)
	for i := range games {
		g := &games[i]
		t.Add(g.Pairing, g.Leg, g.Record.Start, timesOf(&g.Record))
	}
	return t
}

// timesOf are the time and the lag of each ply; a lag that is not on record is 0.
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

// Add notes the time and the lag of each ply of a game; one of another match is
// passed over. What chance takes is nobody's time.
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

// Join adds the times of other matches, or of other games of these.
func (t *Timesheet) Merge(u *Timesheet) {
	for part, paces := range u.paces {
		for opponent, p := range paces {
			t.pace(part.name, opponent, part.side).join(p)
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

// against is how fast the bot moved in a role against one other.
func (t *Timesheet) against(name, opponent string, side rules.Side) *pace {
	if p := t.paces[part{name, side}][opponent]; p != nil {
		return p
	}
	return &pace{}
}

// overall is how fast the bot moved in a role against anybody.
func (t *Timesheet) overall(name string, side rules.Side) *pace {
	paces := t.paces[part{name, side}]
	moves := 0
	for _, p := range paces {
		moves += len(p.times)
	}
	sum := &pace{times: make([]uint32, 0, moves)}
	for _, p := range paces {
		sum.join(p)
	}
	return sum
}
