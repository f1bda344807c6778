package recipe

import (
	"cmp"
	"fmt"
	"math"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/rating"
)

// unset marks a number of an event that was not given. A recorded event has 0 in place of this mark, or in Matches the
// default. Therefore a user can give the number 0 only for Matches: in other fields the record could not distinguish it
// from a number that was not given.
const unset = math.MinInt

// Prepare marks the numbers that Complete fills in: they are not given yet. Every reader of an event, from a command
// line, a file, a request or a form, calls Prepare first and Complete last, so that the same words are the same event
// everywhere.
func Prepare(e *tournament.Event) {
	e.Matches = unset
	e.Settings.Plan.SPRT = rating.SPRT{Alpha: rating.Unset, Beta: rating.Unset}
	for _, s := range tournament.AllSettings() {
		if !s.NotZero {
			continue
		}
		switch field := s.Field(e).(type) {
		case *int:
			*field = unset
		case *float64:
			*field = rating.Unset
		}
	}
}

// Complete sets the values that were not given: the default number of matches of the format, and openings for an sprt.
// load loads the event's openings: it is [LoadOpenings], or [LoadDrawnOpenings] where no file may be read. Complete
// returns an error for given numbers that no new event may have, and load's error for a given source.
func Complete(e *tournament.Event, load func(source string, v Variant) ([]rules.Position, error)) error {
	p := &e.Settings.Plan
	if err := completeNumbers(e); err != nil {
		return err
	}
	if p.Kind == tournament.RoundRobin {
		p.Kind = "" // as in events recorded before there were other formats
	}
	if e.Matches == unset {
		e.Matches = format.DefaultMatches(*p)
	}
	return completeOpenings(e, load)
}

// completeNumbers calls completeNumber for the numbers that Prepare has marked, except Matches. It also returns an
// error for hypotheses that are too close.
func completeNumbers(e *tournament.Event) error {
	var err error
	for _, s := range tournament.AllSettings() {
		if s.NotZero {
			err = cmp.Or(err, completeNumber(s.Name, s.Field(e)))
		}
	}
	t := &e.Settings.Plan.SPRT
	return cmp.Or(err, completeNumber("sprt: alpha", &t.Alpha), completeNumber("sprt: beta", &t.Beta), checkApart(*t))
}

// completeNumber completes the number at a pointer: if it is not given, it becomes 0. completeNumber returns an error
// for a given 0, and for a negative whole number.
func completeNumber(name string, number any) error {
	switch n := number.(type) {
	case *int:
		switch {
		case *n == unset:
			*n = 0
		case *n < 1:
			return fmt.Errorf("%s %d: want at least 1; leave it out for the usual number", name, *n)
		}
	case *float64:
		switch *n {
		case rating.Unset:
			*n = 0
		case 0: // a number such as 1e-400 is read as 0, too
			return fmt.Errorf("%s 0: want more; leave it out for the usual number", name)
		}
	}
	return nil
}

// leastApart is the least difference between the hypotheses of a new test, in Elo. A smaller one
// takes more than a hundred million trials. Recorded tests may have less.
const leastApart = 0.1

// checkApart returns an error for hypotheses that are too close. It allows for rounding: 0.3 minus
// 0.2 is a little below 0.1.
func checkApart(t rating.SPRT) error {
	if apart := t.Elo1 - t.Elo0; 0 < apart && apart < leastApart-1e-9 {
		return fmt.Errorf("sprt: elo0 %v and elo1 %v: want elo1 at least %v above elo0: a test of a smaller difference hardly ever ends", t.Elo0, t.Elo1, leastApart)
	}
	return nil
}

// noOpenings is the source of an event with games from the empty board.
const noOpenings = "none"

// completeOpenings loads the openings of an event from their source. A test of two bots needs games that differ, so an
// sprt draws openings unless a source is given. If no opening can be drawn, as on a small board, the sprt has none.
func completeOpenings(e *tournament.Event, load func(source string, v Variant) ([]rules.Position, error)) error {
	o, test := &e.Settings.Openings, e.Settings.Plan.Kind == tournament.SPRT
	source, byItself := o.Source, o.Source == "" && test
	switch {
	case o.Starts != nil: // a command has loaded them
		return nil
	case source == noOpenings && test: // keep it: the next reader of the event would draw openings otherwise
		return nil
	case byItself:
		source = fmt.Sprintf("random:plies=8,seed=%d", e.Seed)
	case source == "" || source == noOpenings:
		*o = tournament.Openings{}
		return nil
	}
	starts, err := load(source, Variant{Rules: e.Rules, Size: e.Size})
	if err == nil {
		*o = tournament.NewOpenings(source, starts)
	}
	if byItself {
		return nil
	}
	return err
}
