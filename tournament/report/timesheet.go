package report

import (
	"iter"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// timesheet gathers the times of the bots' moves in the games of some matches, by bot, role and opponent.
type timesheet struct {
	paces map[part]map[string]*pace // by opponent
}

// part is a bot on one side.
type part struct {
	name string
	side rules.Side
}

func newTimesheet() *timesheet { return &timesheet{map[part]map[string]*pace{}} }

func timesheetOf(games []tournament.Game, matches []tournament.MatchResult) *timesheet {
	numbers := make(map[int]bool, len(matches))
	for _, m := range matches {
		numbers[m.Match] = true
	}
	t := newTimesheet()
	for i := range games {
		if g := &games[i]; numbers[g.Match] {
			t.add(g.Pairing, g.Leg, g.Record.Start, timesOf(&g.Record))
			t.addPauses(g.Pairing, g.Leg, g.Record.Start, g.Record.Pauses)
		}
	}
	return t
}

// timesOf returns the time and the lag of each ply. A lag that was not recorded is 0.
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

// add adds the time and the lag of each ply of a game. It ignores the plies of chance.
func (t *timesheet) add(p tournament.Pairing, leg int, start rules.Position, plies iter.Seq2[time.Duration, time.Duration]) {
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

// addPauses adds the pauses of the clock in a game. It ignores the plies of chance.
func (t *timesheet) addPauses(p tournament.Pairing, leg int, start rules.Position, pauses []record.Pause) {
	attacker, defender := p.Roles(leg)
	for _, still := range pauses {
		side := start.SideToMove()
		if still.Ply%2 == 1 {
			side = side.Other()
		}
		switch {
		case side == rules.Defender:
			t.pace(defender, attacker, side).pause(still)
		case !start.Rules().Chance():
			t.pace(attacker, defender, side).pause(still)
		}
	}
}

func (t *timesheet) pace(name, opponent string, side rules.Side) *pace {
	key := part{name, side}
	if t.paces[key] == nil {
		t.paces[key] = map[string]*pace{}
	}
	if t.paces[key][opponent] == nil {
		t.paces[key][opponent] = &pace{}
	}
	return t.paces[key][opponent]
}

func (t *timesheet) against(name, opponent string, side rules.Side) *pace {
	if p := t.paces[part{name, side}][opponent]; p != nil {
		return p
	}
	return &pace{}
}

func (t *timesheet) overall(name string, side rules.Side) *pace {
	paces := t.paces[part{name, side}]
	sum := &pace{}
	for _, p := range paces {
		sum.merge(p)
	}
	return sum
}
