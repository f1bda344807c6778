//go:build race

package main

// kills is how often TestKilledArenaResumes kills the arena: fewer times where
// the race detector makes everything some ten times as slow.
const kills = 6
