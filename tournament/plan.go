package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

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

// Plan says which format an event has. A field that a kind does not know must
// be left zero.
type Plan struct {
	Kind   string `json:"kind,omitzero"`   // one of Plans, "" for a round-robin
	Seeds  int    `json:"seeds,omitzero"`  // gauntlet: how many of the first entries meet all others, 0 for 1
	Rounds int    `json:"rounds,omitzero"` // swiss: 0 for as many as find a winner, and one more
	// SPRT is what an sprt tests: alpha and beta are 0.05 where they are not given,
	// the model is normalized.
	SPRT rating.SPRT `json:"sprt,omitzero"`
	// Ahead, in a ladder and an sprt, is how many matches may begin before one is
	// decided: what is played next depends on all matches but the last so many.
	// 0 stands for 8.
	Ahead int `json:"ahead,omitzero"`
}

// defaultAhead keeps sixteen games busy, and loses few after a test's decision.
const defaultAhead = 8

// Name is the plan's kind, also where it is the default.
func (p Plan) Name() string { return cmp.Or(p.Kind, RoundRobinPlan) }

// DefaultMatches is how many matches to play where nobody says: of each pairing,
// and 0, for no limit, in a ladder and an sprt.
func (p Plan) DefaultMatches() int {
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
func (p Plan) Endless() bool { return p.Kind == LadderPlan || p.Kind == SPRTPlan }

// Format is the event's format, with its strikes.
func (e *Event) Format() Format { return e.strike(e.format()) }

func (e *Event) format() Format {
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
		return Swiss{Names: names, Rounds: p.rounds(len(names)), Matches: e.Matches}
	case KnockoutPlan:
		return NewKnockout(names, e.Matches)
	case DoubleEliminationPlan:
		return NewDoubleElimination(names, e.Matches)
	case LadderPlan:
		return Ladder{Names: names, Stays: e.Stays, Matches: e.Matches, Ahead: ahead}
	case SPRTPlan:
		return NewSPRT([2]string(names), p.test(), e.Matches, ahead, len(e.Settings.Openings.Starts) > 0)
	}
	return RoundRobin{Names: names, Matches: e.Matches}
}

// test is the sprt's with what is not given.
func (p Plan) test() rating.SPRT {
	t := p.SPRT
	t.Alpha, t.Beta, t.Model = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Model, rating.Normalized)
	return t
}

// rounds are those of a swiss event of n bots.
func (p Plan) rounds(n int) int {
	if p.Rounds > 0 {
		return p.Rounds
	}
	return min(bits.Len(uint(n-1))+1, mostRounds(n))
}

// mostRounds is how many rounds n bots can play without a rematch.
func mostRounds(n int) int { return n - 1 + n%2 }

// validate says what is wrong with the plan of an event of n bots.
func (p Plan) validate(n int) error {
	switch kind := p.Kind; {
	case kind != "" && !slices.Contains(Plans(), kind):
		return fmt.Errorf("format %q: want one of %s", kind, strings.Join(Plans(), ", "))
	case p.Seeds != 0 && kind != GauntletPlan:
		return errors.New("seeds are a gauntlet's")
	case p.Rounds != 0 && kind != SwissPlan:
		return errors.New("rounds are a swiss event's")
	case p.SPRT != (rating.SPRT{}) && kind != SPRTPlan:
		return fmt.Errorf("the hypotheses are an sprt's: want the format %s", SPRTPlan)
	case p.Ahead != 0 && !p.Endless():
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
		return p.test().Validate()
	}
	return nil
}
