package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Played is an event of an experiment with its finished games.
type Played struct {
	Event tournament.Event // its ID is 0 if it is not on record
	Games []tournament.Game
}

// Store reads recorded events and games. A results.Reader implements it.
type Store interface {
	// EventsNamed lists the events with the given name, the oldest first.
	EventsNamed(ctx context.Context, name string) ([]tournament.Event, error)
	// FinishedGames lists the finished games of an event.
	FinishedGames(ctx context.Context, event int64) ([]tournament.Game, error)
}

// Read finds the experiment's events in the store and reads their finished games. An event that is not on record has
// no games. Read returns the errors of Find and of the store.
func Read(ctx context.Context, store Store, events []tournament.Event) ([]Played, error) {
	played := make([]Played, len(events))
	for i, e := range events {
		recorded, err := Find(ctx, store, e)
		if err != nil {
			return nil, err
		}
		played[i].Event = recorded
		if recorded.ID == 0 {
			continue
		}
		if played[i].Games, err = store.FinishedGames(ctx, recorded.ID); err != nil {
			return nil, err
		}
	}
	return played, nil
}

// Find returns the recorded event of an experiment. It may have another number of matches than e. If several
// recorded events have e's name, Find returns the last one; if none has, it returns e itself, with the ID 0. It
// returns a *MismatchError if the recorded event was played under other conditions, or lacks the search reports
// that e asks for.
func Find(ctx context.Context, store Store, e tournament.Event) (tournament.Event, error) {
	events, err := store.EventsNamed(ctx, e.Name)
	if err != nil || len(events) == 0 {
		return e, err
	}
	recorded := events[len(events)-1]
	if got, want := Conditions(recorded), Conditions(e); got != want {
		return e, &MismatchError{recorded, "with other conditions: " + got + "; wanted: " + want}
	}
	if e.Search && !recorded.Search {
		return e, &MismatchError{recorded, "without reports on the bots' searches"}
	}
	return recorded, nil
}

// MismatchError reports that a recorded event has the name of an experiment's event, but differs from it.
type MismatchError struct {
	Event tournament.Event // on record
	Why   string           // the difference, "with ..." or "without ..."
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("event %d, %q, is on record %s", e.Event.ID, e.Event.Name, e.Why)
}

// Conditions describes in one line everything that determines the games of an event, except the
// number of matches. Specs are written with all options that this program knows, so that a spec
// recorded before an option existed counts as having its default.
func Conditions(e tournament.Event) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v %v, seed %d", e.Rules, e.Size, e.Seed)
	for _, entry := range e.Entries {
		fmt.Fprintf(&text, ", %s=%s", entry.Name, fullSpec(entry.Spec))
	}
	if c := e.Clock; c != (tournament.Clock{}) {
		fmt.Fprintf(&text, ", at most %v a move and %v+%v a game", c.PerMove, c.Base, c.Increment)
	}
	settings := e.Settings
	if o := settings.Openings; len(o.Starts) > 0 {
		sum := sha256.Sum256([]byte(strings.Join(o.Starts, "\n")))
		fmt.Fprintf(&text, ", %d openings of %s (SHA-256 %x...)", len(o.Starts), o.Source, sum[:4])
		settings.Openings = tournament.Openings{}
	}
	if settings, err := json.Marshal(settings); err != nil || string(settings) != "{}" {
		fmt.Fprintf(&text, ", settings %s", settings)
	}
	return text.String()
}

// fullSpec returns a spec with all its options.
func fullSpec(text string) string {
	spec, err := players.Parse(text)
	if err != nil {
		return text // the bot connects by itself, or the spec has an option that no longer exists
	}
	return spec.String()
}

// Finding returns the conclusion of the sequential test about the event's first bot. The test takes the matches
// in the order of their numbers and stops at the first one that is still open: games with high scores take
// longer, so the matches that finish first are not a fair sample.
func (p Played) Finding() Finding {
	first, test := p.Event.Entries[0].Name, newSequential()
	for i, m := range tournament.Matches(p.Games) {
		if m.Match != i+1 {
			break
		}
		test.add(matchPoints(m, first))
	}
	return test.finding()
}

// Next returns the number of matches that the event should have next: the recorded number until all
// of these are decided, then batch more until the sequential test has ended or the event has limit
// matches. It returns 0 if nothing is left to play.
func (p Played) Next(limit, batch int) int {
	recorded := 0
	if p.Event.ID != 0 {
		recorded = p.Event.Matches
	}
	switch {
	case len(tournament.Matches(p.Games)) < recorded:
		return recorded
	case recorded >= limit || p.Finding() != Undecided:
		return 0
	}
	return min(limit, recorded+batch)
}

// Complete reports whether the event of two bots is on record and all its matches are decided.
func (p Played) Complete() bool {
	return p.Event.ID != 0 && len(tournament.Matches(p.Games)) >= p.Event.Matches
}

// GamesLeft returns the largest number of games left to play. It is 0 if Next returns 0. While the sequential test is
// undecided, the event may grow to limit matches, or keep a larger recorded number. Once the test has ended, only the
// recorded matches are played to their end.
func (p Played) GamesLeft(limit int) int {
	if p.Next(limit, limit) == 0 {
		return 0
	}
	if p.Event.ID != 0 {
		limit = max(limit, p.Event.Matches)
	}
	if p.Finding() != Undecided {
		limit = p.Event.Matches
	}
	return max(0, 2*limit-len(p.Games))
}

// Summary returns a line such as "16 matches, 12-0-4: better".
func (p Played) Summary() string {
	e := p.Event.Entries
	m := report.NewHeadToHead(e[0].Name, e[1].Name, p.Games, p.Event.Seed).Matches
	return fmt.Sprintf("%d matches, %s: %s", m.Played(), wonDrawnLost(m), p.Finding())
}

// wonDrawnLost returns a text such as "12-0-4".
func wonDrawnLost(t tournament.Tally) string {
	return fmt.Sprintf("%d-%d-%d", t.Won, t.Drawn, t.Lost)
}

// matchPoints returns 1 if the named bot won the match, 0 if it lost, and 1/2 for a draw.
func matchPoints(m tournament.MatchResult, name string) float64 {
	switch {
	case m.Outcome == tournament.Drawn:
		return 0.5
	case (m.Outcome == tournament.FirstWins) == (m.First == name):
		return 1
	}
	return 0
}
