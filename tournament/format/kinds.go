package format

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// The kinds of format.
const (
	RoundRobinPlan        = "round-robin"
	GauntletPlan          = "gauntlet"
	SwissPlan             = "swiss"
	KnockoutPlan          = "knockout"
	DoubleEliminationPlan = "double-elimination"
	LadderPlan            = "ladder"
	SPRTPlan              = "sprt"
)

// Plans are the kinds of format, the default first.
func Plans() []string {
	return []string{RoundRobinPlan, GauntletPlan, SwissPlan, KnockoutPlan, DoubleEliminationPlan, LadderPlan, SPRTPlan}
}

// defaultAhead keeps sixteen games busy, and loses few after a test's decision.
const defaultAhead = 8

// Name is the plan's kind, also where it is the default.
func Name(p tournament.Plan) string { return cmp.Or(p.Kind, RoundRobinPlan) }

// DefaultMatches is how many matches to play where nobody says: of each pairing,
// and 0, for no limit, in a ladder and an sprt.
func DefaultMatches(p tournament.Plan) int {
	switch p.Kind {
	case SwissPlan:
		return 2
	case KnockoutPlan, DoubleEliminationPlan:
		return 3
	case LadderPlan, SPRTPlan:
		return 0
	}
	return 10
}

// Endless tells whether an event may have no limit of matches.
func Endless(p tournament.Plan) bool { return p.Kind == LadderPlan || p.Kind == SPRTPlan }

// New returns the event's format, with its strikes. The event must be valid: see
// Validate.
func New(e tournament.Event) tournament.Format {
	f := unstruck(e)
	if e.Settings.Strikes.Faults > 0 {
		f = Struck{f, e.Settings.Strikes}
	}
	return f
}

// Validate returns an error that says what keeps the event from being played.
func Validate(e tournament.Event) error {
	if err := validatePlan(e.Settings.Plan, len(e.Entries)); err != nil {
		return fmt.Errorf("event %q: %w", e.Name, err)
	}
	if e.Matches < 0 || e.Matches == 0 && !Endless(e.Settings.Plan) {
		return fmt.Errorf("%d matches a pairing: want at least 1", e.Matches)
	}
	return e.Validate()
}

func unstruck(e tournament.Event) tournament.Format {
	names := make([]string, len(e.Entries))
	for i, entry := range e.Entries {
		names[i] = entry.Name
	}
	p := e.Settings.Plan
	ahead := cmp.Or(p.Ahead, defaultAhead)
	switch p.Kind {
	case GauntletPlan:
		return Gauntlet{Names: names, Seeds: max(1, p.Seeds), Matches: e.Matches}
	case SwissPlan:
		return Swiss{Names: names, Rounds: planRounds(p, len(names)), Matches: e.Matches}
	case KnockoutPlan:
		return NewKnockout(names, e.Matches)
	case DoubleEliminationPlan:
		return NewDoubleElimination(names, e.Matches)
	case LadderPlan:
		return Ladder{Names: names, Stays: e.Stays, Matches: e.Matches, Ahead: ahead}
	case SPRTPlan:
		return NewSPRT([2]string(names), planTest(p), e.Matches, ahead, len(e.Settings.Openings.Starts) > 0)
	}
	return RoundRobin{Names: names, Matches: e.Matches}
}

// test is the sprt's with what is not given.
func planTest(p tournament.Plan) rating.SPRT {
	t := p.SPRT
	t.Alpha, t.Beta, t.Model = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Model, rating.Normalized)
	return t
}

// rounds are those of a swiss event of n bots.
func planRounds(p tournament.Plan, n int) int {
	if p.Rounds > 0 {
		return p.Rounds
	}
	return min(bits.Len(uint(n-1))+1, mostRounds(n))
}

// mostRounds is how many rounds n bots can play without a rematch.
func mostRounds(n int) int { return n - 1 + n%2 }

// validate says what is wrong with the plan of an event of n bots.
func validatePlan(p tournament.Plan, n int) error {
	switch kind := p.Kind; {
	case kind != "" && !slices.Contains(Plans(), kind):
		return fmt.Errorf("format %q: want one of %s", kind, strings.Join(Plans(), ", "))
	case p.Seeds != 0 && kind != GauntletPlan:
		return errors.New("seeds are a gauntlet's")
	case p.Rounds != 0 && kind != SwissPlan:
		return errors.New("rounds are a swiss event's")
	case p.SPRT != (rating.SPRT{}) && kind != SPRTPlan:
		return fmt.Errorf("the hypotheses are an sprt's: want the format %s", SPRTPlan)
	case p.Ahead != 0 && !Endless(p):
		return errors.New("matches ahead are a ladder's or an sprt's")
	case p.Seeds < 0 || p.Seeds >= n:
		return fmt.Errorf("%d seeds of %d bots: want at least 1, and somebody whom they meet", p.Seeds, n)
	case p.Rounds < 0 || p.Rounds > mostRounds(n):
		return fmt.Errorf("%d rounds of %d bots: want at most %d, so that nobody meets twice", p.Rounds, n, mostRounds(n))
	case p.Ahead < 0:
		return fmt.Errorf("%d matches ahead: want at least 1", p.Ahead)
	case kind == SPRTPlan && n != 2:
		return fmt.Errorf("an sprt of %d bots: want two", n)
	case kind == SPRTPlan:
		return planTest(p).Validate()
	}
	return nil
}
