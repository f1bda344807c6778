//go:build !js

package study

import (
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// own returns the network that comes with the program for these rules.
func own(r rules.Ruleset) *ntuple.Network { return ntuple.Own(r) }
