package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"versus2048/players"
	"versus2048/tournament"
)

// Store is where events and their games are: a results.Store.
type Store interface {
	// EventsNamed lists the events of that name, the oldest first.
	EventsNamed(ctx context.Context, name string) ([]tournament.Event, error)
	// FinishedGames lists the finished games of an event.
	FinishedGames(ctx context.Context, event int64) ([]tournament.Game, error)
}

// Played is an event of an experiment with its finished games.
type Played struct {
	Event tournament.Event // its ID is 0 if it is not on record
	Games []tournament.Game
}

// Read finds the experiment's events and reads what is played of them. An event
// that is not on record has no games. Errors are those of Find and the store's.
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

// Find is an experiment's event as it is on record, where it may have another
// number of matches; it is the event itself, with ID 0, if there is none of its
// name. Of several of that name the last one counts. It returns a *MismatchError
// if that one was played under other conditions, or without the reports on
// searches that are wanted.
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

// MismatchError says that an event of the experiment's name is on record, but is
// not the experiment's.
type MismatchError struct {
	Event tournament.Event // on record
	Why   string           // "with ..." or "without ..."
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("event %d, %q, is on record %s", e.Event.ID, e.Event.Name, e.Why)
}

// Conditions says in a line under which conditions an event is played: all that
// its games follow from, but for the number of matches. Specs are written with
// every option of this program, so that one recorded before an option was
// there counts as having its default.
func Conditions(e tournament.Event) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v %v, seed %d", e.Rules, e.Size, e.Seed)
	for _, entry := range e.Entries {
		fmt.Fprintf(&text, ", %s=%s", entry.Name, fullSpec(entry.Spec))
	}
	if c := e.Clock; c != (tournament.Clock{}) {
		fmt.Fprintf(&text, ", at most %v a move and %v+%v a game", c.PerMove, c.Base, c.Increment)
	}
	if settings, err := json.Marshal(e.Settings); err != nil || string(settings) != "{}" {
		fmt.Fprintf(&text, ", settings %s", settings)
	}
	return text.String()
}

func fullSpec(text string) string {
	spec, err := players.Parse(text)
	if err != nil {
		return text // of a connected bot, or an option that is no more
	}
	return spec.String()
}
