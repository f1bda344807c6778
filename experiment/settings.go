package experiment

import (
	"fmt"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Settings are what may be chosen of an experiment. The paper's are 80 matches
// with 10,000 playouts on the full board.
type Settings struct {
	Matches     int // of each pairing, two games each
	Playouts    int // a move, of MCTS and MCTS2
	Time        int // milliseconds a move, where that replaces Playouts
	Size        rules.Size
	Seed        uint64 // of each event, below 2^53
	Concurrency int    // games at once
}

// Table1Events are the events of Table 1, a pairing each, named such as
// "table1 MCTS/evMiniMax". The error says which setting is out of range.
func Table1Events(s Settings) ([]tournament.Event, error) {
	var events []tournament.Event
	for _, p := range paperTable1() {
		e, err := s.event("table1", p.first, p.second)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// event is an experiment's event of two of the paper's players.
func (s Settings) event(experiment, first, second string) (tournament.Event, error) {
	return s.eventOf(fmt.Sprintf("%s %s/%s", experiment, first, second),
		tournament.Entry{Name: first, Spec: s.spec(first)}, tournament.Entry{Name: second, Spec: s.spec(second)})
}

// eventOf is an experiment's event. Nobody has a clock: the budgets are the
// bots' own.
func (s Settings) eventOf(name string, entries ...tournament.Entry) (tournament.Event, error) {
	e := tournament.Event{
		Name:        name,
		Rules:       rules.GPCC2015,
		Size:        s.Size,
		Seed:        s.Seed,
		Matches:     s.Matches,
		Concurrency: s.Concurrency,
		InProcess:   true,
	}
	for _, entry := range entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			return e, err
		}
		e.Entries = append(e.Entries, tournament.Entry{Name: entry.Name, Spec: spec.String()})
	}
	return e, format.Validate(e)
}

// spec is our bot that is one of the paper's players. Its other options have
// the paper's values by default.
func (s Settings) spec(name string) string {
	switch name {
	case nameMCTS:
		return fmt.Sprintf("mcts:playouts=%d", s.Playouts)
	case nameMCTS2:
		return fmt.Sprintf("dag:playouts=%d", s.Playouts)
	case nameCanonical:
		return fmt.Sprintf("dag:playouts=%d,canonical=true", s.Playouts)
	}
	return fmt.Sprintf("evminimax:depth=%d", paperDepth)
}
