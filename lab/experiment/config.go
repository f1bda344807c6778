package experiment

import (
	"fmt"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// The paper's settings of Table 1.
const (
	PaperMatches  = 80     // per pairing
	PaperPlayouts = 10_000 // per move, of MCTS and MCTS2
	paperDepth    = 3      // of evMiniMax, in moves of the defender
)

// The paper's names of its players.
const (
	nameMCTS      = "MCTS"
	nameMCTS2     = "MCTS2"
	nameCanonical = "canonical" // MCTS2 with canonical positions, which the paper proposes
	nameEvMiniMax = "evMiniMax"
)

// Config holds the adjustable parameters of an experiment. The paper plays 80 matches with 10,000
// playouts on the full board.
type Config struct {
	Matches  int // per pairing, two games each
	Playouts int // per move, of MCTS and MCTS2
	Time     int // milliseconds per move, in experiments where time replaces Playouts
	Rules    rules.Ruleset
	Size     rules.Size
	// Complete lets second games go on after their match is decided. It matters only where matches have
	// openings.
	Complete bool
	// Search records reports on searches in events with openings. A TreeEvent records them anyway.
	Search      bool
	Seed        uint64 // of each event, below 2^53
	Concurrency int    // games played at once
}

// paperEvent returns an event of an experiment between two of the paper's players, with a name such as
// "table1 MCTS/evMiniMax". The error names a setting that is out of range.
func (s Config) paperEvent(experiment, first, second string) (tournament.Event, error) {
	return s.event(fmt.Sprintf("%s %s/%s", experiment, first, second),
		tournament.Entry{Name: first, Spec: s.paperSpec(first)}, tournament.Entry{Name: second, Spec: s.paperSpec(second)})
}

// event returns an event with the given entries. An entry without a spec is a program of the arena's host. The
// event has no clocks, since the bots limit their searches themselves.
func (s Config) event(name string, entries ...tournament.Entry) (tournament.Event, error) {
	e := tournament.Event{
		Name:        name,
		Rules:       s.Rules,
		Size:        s.Size,
		Seed:        s.Seed,
		Matches:     s.Matches,
		Concurrency: s.Concurrency,
		InProcess:   true,
	}
	for _, entry := range entries {
		if entry.Spec == "" {
			e.Entries, e.Settings.Programs = append(e.Entries, entry), append(e.Settings.Programs, entry.Name)
			continue
		}
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			return e, err
		}
		e.Entries = append(e.Entries, tournament.Entry{Name: entry.Name, Spec: spec.String()})
	}
	return e, format.Validate(e)
}

// paperSpec returns the spec of our bot that corresponds to one of the paper's players. Options that the spec leaves
// out have the paper's values by default.
func (s Config) paperSpec(name string) string {
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
