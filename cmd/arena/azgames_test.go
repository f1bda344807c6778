package main

import (
	"github.com/rogpeppe/go-internal/testscript"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// writeNetwork is the script command "network METHOD RULES SIZE FILE": it writes a small network with random
// weights.
func writeNetwork(ts *testscript.TestScript, _ bool, args []string) {
	r, err := rules.ParseRuleset(args[1])
	ts.Check(err)
	s, err := rules.ParseSize(args[2])
	ts.Check(err)
	ts.Check(searchtest.Network(args[0], r, s, 1).WriteFile(ts.MkAbs(args[3]), false))
}
