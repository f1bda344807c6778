package tournament

import (
	"cmp"
	"fmt"

	"versus2048/players"
)

// Settings are what an event plays by beyond its bots and clocks. In JSON, what
// is not set is left out: the zero Settings are those of a plain round-robin.
type Settings struct {
	Plan         Plan           `json:"plan,omitzero"`
	Openings     Openings       `json:"openings,omitzero"`
	Budget       players.Effort `json:"budget,omitzero"`
	Lenience     Lenience       `json:"lenience,omitzero"`
	Adjudication Adjudication   `json:"adjudication,omitzero"`
	Strikes      Strikes        `json:"strikes,omitzero"`
}

// Plan says which format an event has.
type Plan struct {
	Kind string `json:"kind,omitzero"` // "" for a round-robin
}

// validate says what is wrong with the settings.
func (s *Settings) validate() error {
	if s.Plan.Kind != "" {
		return fmt.Errorf("format %q: want none, for a round-robin", s.Plan.Kind)
	}
	return cmp.Or(s.Budget.Validate(), s.Lenience.validate(), s.Adjudication.validate(), s.Strikes.validate())
}
