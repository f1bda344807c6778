//go:build race

package main

// How much the tests that kill an arena have to do where the race detector makes
// everything some ten times as slow.
const (
	kills        = 6 // of TestKilledArenaResumes
	slowPlayouts = 8 // a move, of TestKilledFormatsResume
)
