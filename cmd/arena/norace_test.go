//go:build !race

package main

// The amounts for the tests that kill an arena: without the race detector, slow bots keep a game from being over before
// the arena can be killed.
const (
	kills        = 8   // of each test that kills, unless VERSUS2048_KILLS says otherwise
	slowPlayouts = 20  // a move, of TestKilledFormatsResume
	lonerMatches = 25  // of each pairing, of TestKilledProgramPlaysOn
	mostFormats  = 100 // of each test that plays all formats
)

// playScripts are the only scripts that TestScripts runs, if there are any in the list: without the race
// detector it runs all.
var playScripts []string
