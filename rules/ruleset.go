package rules

import (
	"fmt"
	"slices"
)

// Ruleset determines the tiles that may be placed, and whether a player or chance places them. Slides work the same
// under all rule sets.
type Ruleset uint8

// The rule sets.
const (
	// GPCC2015 is the two-player game of the GPCC 2015 problem and of Oka,
	// Matsuzaki and Haraguchi 2015: the attacker places 2s.
	GPCC2015 Ruleset = iota
	// GPCC2016 is the two-player game of the GPCC 2016 problem: the attacker places a 2 or a 4.
	GPCC2016
	// Solo is the one-player game: chance places a 2 (90%) or a 4 (10%) on a cell drawn uniformly.
	Solo
)

var rulesetNames = [...]string{"gpcc2015", "gpcc2016", "solo"}

// Rulesets lists all rule sets, the default first.
func Rulesets() []Ruleset { return []Ruleset{GPCC2015, GPCC2016, Solo} }

// ParseRuleset reads a rule set's name: gpcc2015, gpcc2016 or solo. It returns an error for any other text.
func ParseRuleset(name string) (Ruleset, error) {
	if i := slices.Index(rulesetNames[:], name); i >= 0 {
		return Ruleset(i), nil
	}
	return 0, fmt.Errorf("rules %q: want gpcc2015, gpcc2016 or solo", name)
}

// String returns the rule set's name.
func (r Ruleset) String() string {
	if int(r) < len(rulesetNames) {
		return rulesetNames[r]
	}
	return fmt.Sprintf("Ruleset(%d)", uint8(r))
}

// MarshalText writes the rule set's name.
func (r Ruleset) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a rule set's name, as ParseRuleset does.
func (r *Ruleset) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRuleset(string(text))
	return err
}

// Fours reports whether a 4 may be placed as well as a 2.
func (r Ruleset) Fours() bool { return r != GPCC2015 }

// Chance reports whether the placements are drawn at random instead of chosen by a player.
func (r Ruleset) Chance() bool { return r == Solo }

// Side is one of the two roles.
type Side uint8

// The roles. The attacker moves first.
const (
	Attacker Side = iota // places tiles, wants a low score
	Defender             // slides the board, wants a high score
)

// Roles lists the sides that players take. Where chance attacks, only the defender is a player.
func (r Ruleset) Roles() []Side {
	if r.Chance() {
		return []Side{Defender}
	}
	return []Side{Attacker, Defender}
}

// Other returns the opposite role.
func (s Side) Other() Side { return s ^ 1 }

// String returns "attacker" or "defender".
func (s Side) String() string {
	if s == Attacker {
		return "attacker"
	}
	return "defender"
}

// MarshalText writes the side as String does.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads "attacker" or "defender". It returns an error for any other text.
func (s *Side) UnmarshalText(text []byte) error {
	for _, side := range []Side{Attacker, Defender} {
		if side.String() == string(text) {
			*s = side
			return nil
		}
	}
	return fmt.Errorf("side %q: want attacker or defender", text)
}
