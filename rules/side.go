package rules

import "fmt"

// Side is one of the two roles.
type Side uint8

// The roles. The attacker moves first.
const (
	Attacker Side = iota // places tiles, wants a low score
	Defender             // slides the board, wants a high score
)

// Other is the opposite role.
func (s Side) Other() Side { return s ^ 1 }

// String is "attacker" or "defender".
func (s Side) String() string {
	if s == Attacker {
		return "attacker"
	}
	return "defender"
}

// MarshalText writes the side as String does.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads "attacker" or "defender".
func (s *Side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "attacker":
		*s = Attacker
	case "defender":
		*s = Defender
	default:
		return fmt.Errorf("side %q: want attacker or defender", text)
	}
	return nil
}
