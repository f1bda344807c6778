//go:build race

package main

// How much the tests that kill an arena have to do where the race detector makes
// everything some ten times as slow.
const (
	kills        = 6 // of each test that kills, unless VERSUS2048_KILLS says otherwise
	slowPlayouts = 8 // a move, of TestKilledFormatsResume
)

// memoryFactor is how much more memory a process takes than without the race detector.
const memoryFactor = 4

// longScripts are scripts that TestScripts leaves out under the race detector: they
// compute for minutes there, and run nothing at once that other scripts do not.
var longScripts = []string{"docs_analysis.txt", "docs_research.txt", "docs_tournaments.txt", "force.txt", "newcomer.txt", "output.txt"}
