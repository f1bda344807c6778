package exact

import (
	"slices"

	"versus2048/rules"
)

// Probe is a table's data about a position.
type Probe struct {
	Rules    rules.Ruleset `json:"rules"`
	Position string        `json:"position"`
	Mated    bool          `json:"mated"`
	Value    Value         `json:"value"`
	Moves    []ProbedMove  `json:"moves"` // in the order of AppendMoves, none for a mated defender
}

// ProbedMove is a legal move with its value.
type ProbedMove struct {
	MoveValue
	Best bool `json:"best"` // see [Table.Best]
}

// Probe returns the table's data about a position. It returns the same errors as Value.
func (t *Table) Probe(p rules.Position) (*Probe, error) {
	value, err := t.Value(p)
	if err != nil {
		return nil, err
	}
	moves, err := t.Moves(p)
	if err != nil {
		return nil, err
	}
	best, err := t.Best(p)
	if err != nil {
		return nil, err
	}
	probe := &Probe{t.Rules(), p.String(), p.Over(), value, []ProbedMove{}}
	for _, m := range moves {
		probe.Moves = append(probe.Moves, ProbedMove{m, slices.Contains(best, m.Move)})
	}
	return probe, nil
}
