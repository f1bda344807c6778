package results

import (
	"context"
	"fmt"
	"slices"

	"versus2048/rules"
	"versus2048/tournament"
)

// verifier holds games against what their events, and the other games of their
// matches, say of them. It knows the events and matches that it has seen.
type verifier struct {
	store  *Store
	events map[int64]*conditions
	first  map[matchKey]firstSeen
}

// conditions are what the games of one event are played under.
type conditions struct {
	tournament.Adjudication
	starts []rules.Position // that games may have
}

// matchKey names a match of a database.
type matchKey struct {
	event int64
	match int
}

// firstSeen is what the other game of a match is held against.
type firstSeen struct {
	leg    int
	start  rules.Position
	target *int
}

func (s *Store) newVerifier() *verifier {
	return &verifier{store: s, events: map[int64]*conditions{}, first: map[matchKey]firstSeen{}}
}

// conditions are those of an event, read once.
func (v *verifier) conditions(ctx context.Context, event int64) (*conditions, error) {
	if c := v.events[event]; c != nil {
		return c, nil
	}
	e, err := v.store.Event(ctx, event)
	if err != nil {
		return nil, err
	}
	c := &conditions{Adjudication: e.Settings.Adjudication}
	if c.starts, err = e.Starts(); err != nil {
		return nil, err
	}
	v.events[event] = c
	return c, nil
}

// check says what is wrong with a game whose moves are legal. A match's first
// game must be checked before its second.
func (v *verifier) check(ctx context.Context, g *Stored) error {
	c, err := v.conditions(ctx, g.Event)
	if err != nil {
		return err
	}
	start := g.Record.Start
	if !slices.Contains(c.starts, start) {
		return fmt.Errorf("it starts from %v, which is no opening of its event", start)
	}
	key := matchKey{g.Event, g.Match}
	other, seen := v.first[key]
	if !seen {
		v.first[key] = firstSeen{g.Leg, start, c.Target(tournament.Summarize(&g.Game))}
	}
	var target *int
	if seen && other.leg == 1 {
		target = other.target
	}
	if seen && other.start != start {
		return fmt.Errorf("it starts from %v, but the other game of its match from %v", start, other.start)
	}
	return c.Check(&g.Record, target)
}
