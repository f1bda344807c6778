package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"versus2048/tournament"
)

// kinds lists the formats, the default first.
func kinds() []kind {
	return []kind{
		roundRobinKind(),
		gauntletKind(),
		swissKind(),
		knockoutKind(),
		doubleEliminationKind(),
		ladderKind(),
		sprtKind(),
		placementKind(),
	}
}

// kind describes a format: its limits, its check of a plan, and how to make it.
type kind struct {
	name    string // its name in plans
	matches int    // the default number of matches of each pairing, 0 for no limit
	most    int    // the greatest number of matches of each pairing
	endless bool   // an event may be without a limit of matches
	adapts  bool   // the results decide the later pairings
	// check returns an error if the settings of the format are wrong for an event with
	// that many bots at its start. It may be nil.
	check func(p tournament.Plan, bots int) error
	// create makes the format of a valid event.
	create func(e tournament.Event) tournament.Format
}

// New returns the event's format, before any match. The format also applies the event's strikes.
// The event must be valid: see [Validate].
func New(e tournament.Event) tournament.Format {
	k, _ := kindOf(e.Settings.Plan)
	return k.create(e)
}

// After returns the event's format after these matches.
func After(e tournament.Event, done []tournament.MatchResult) tournament.Format {
	f := New(e)
	for _, m := range done {
		f.Add(m)
	}
	f.SetLineup(e)
	return f
}

// Validate returns the reason why the event cannot be played, or nil.
func Validate(e tournament.Event) error {
	if err := validatePlan(e.Settings.Plan, atStart(e)); err != nil {
		return fmt.Errorf("event %.100q: %w", e.Name, err)
	}
	k, _ := kindOf(e.Settings.Plan)
	switch {
	case e.Matches < 0 || e.Matches == 0 && !k.endless:
		return fmt.Errorf("%d matches a pairing: want at least 1", e.Matches)
	case e.Matches > 0 && e.Settings.Plan.Open != tournament.Closed:
		return fmt.Errorf("%d matches of each bot: an open ladder has no end, leave the number out", e.Matches)
	case e.Matches > k.most:
		return fmt.Errorf("%d matches a pairing: want at most %d in a %s", e.Matches, k.most, k.name)
	}
	return e.Validate()
}

// Adapts reports whether the bots that meet in a match depend on the results of matches with lower numbers.
func Adapts(p tournament.Plan) bool {
	k, _ := kindOf(p)
	return k.adapts
}

// Known returns an error if this version has no format of the plan's kind.
func Known(p tournament.Plan) error {
	if _, known := kindOf(p); !known {
		return fmt.Errorf("format %q: want one of %s", p.Kind, strings.Join(tournament.Formats(), ", "))
	}
	return nil
}

// maxTie is the greatest number of matches of two bots in one tie of a knockout or one round of a Swiss event.
const maxTie = 1_000_000

func validatePlan(p tournament.Plan, bots int) error {
	if err := Known(p); err != nil {
		return err
	}
	k, _ := kindOf(p)
	e := tournament.Event{Settings: tournament.Settings{Plan: p}}
	for _, s := range tournament.AllSettings() {
		if s.Formats != nil && !slices.Contains(s.Formats, k.name) && !s.IsZero(&e) {
			return fmt.Errorf("format %s takes no %s: want the format %s", k.name, s.Noun(), strings.Join(s.Formats, " or "))
		}
	}
	if k.check == nil {
		return nil
	}
	return k.check(p, bots)
}

// Name returns the name of the plan's format, even if the plan leaves it out because it is the default.
func Name(p tournament.Plan) string { return cmp.Or(p.Kind, kinds()[0].name) }

// DefaultMatches returns the default number of matches of each pairing, or 0 for no limit.
func DefaultMatches(p tournament.Plan) int {
	k, _ := kindOf(p)
	return k.matches
}

// kindOf returns the kind of the plan's format. If there is no such kind, known is false and the
// kind is the default.
func kindOf(p tournament.Plan) (k kind, known bool) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == Name(p) })
	return all[max(i, 0)], i >= 0
}

// atStart returns the number of the event's bots without the bots that have joined while it was played.
func atStart(e tournament.Event) int { return len(e.Entries) - len(e.Joined()) }

func namesOf(e tournament.Event) []string {
	names := make([]string, len(e.Entries))
	for i, entry := range e.Entries {
		names[i] = entry.Name
	}
	return names
}
