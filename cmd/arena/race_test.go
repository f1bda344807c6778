//go:build race

package main

// The amounts for the tests that kill an arena: the race detector makes everything some ten times as slow.
const (
	kills        = 3  // of each test that kills, unless VERSUS2048_KILLS says otherwise
	slowPlayouts = 8  // a move, of TestKilledFormatsResume
	lonerMatches = 10 // of each pairing, of TestKilledProgramPlaysOn
	mostFormats  = 3  // of each test that plays all formats
)

// playScripts are the scripts that TestScripts runs under the race detector: they play over sockets. The others would
// compute for minutes and run nothing at once.
var playScripts = []string{"docs_running.txt", "token.txt", "tournament.txt"}
