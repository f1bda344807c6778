package standing

import (
	"fmt"
	"strings"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

// Conditions are the settings that change the bots' relative strengths: matches under different conditions are
// rated in different lists. docs/adr/0025-standing-lists.md gives the reasons for this choice.
type Conditions struct {
	Rules    rules.Ruleset
	Size     rules.Size
	Clock    tournament.Clock
	Budget   players.Effort // of bots that count playouts or positions
	Openings bool           // games start from openings, of any source
	MaxTurns int            // games end after this many turns; 0 means no limit
	MaxTile  int            // games end at this tile; 0 means no limit
}

// ConditionsOf returns the conditions of an event.
func ConditionsOf(e *tournament.Event) Conditions {
	s := &e.Settings
	return Conditions{
		Rules: e.Rules, Size: e.Size, Clock: e.Clock, Budget: s.Budget, Openings: len(s.Openings.Starts) > 0,
		MaxTurns: s.Adjudication.MaxTurns, MaxTile: s.Adjudication.MaxTile,
	}
}

// String describes the conditions, such as "gpcc2015 4x4 5s/move" or "gpcc2016 3x3 1m0s+500ms openings". Different
// conditions have different descriptions.
func (c Conditions) String() string {
	words := []string{c.Rules.String(), c.Size.String()}
	add := func(set bool, format string, values ...any) {
		if set {
			words = append(words, fmt.Sprintf(format, values...))
		}
	}
	add(c.Clock == tournament.Clock{}, "untimed")
	add(c.Clock.PerMove > 0, "%v/move", tournament.ShortDuration(c.Clock.PerMove))
	add(c.Clock.Base > 0, "%v+%v", tournament.ShortDuration(c.Clock.Base), tournament.ShortDuration(c.Clock.Increment))
	add(c.Budget.Playouts > 0, "playouts=%d", c.Budget.Playouts)
	add(c.Budget.Nodes > 0, "nodes=%d", c.Budget.Nodes)
	add(c.Openings, "openings")
	add(c.MaxTurns > 0, "max-turns=%d", c.MaxTurns)
	add(c.MaxTile > 0, "max-tile=%d", c.MaxTile)
	return strings.Join(words, " ")
}
