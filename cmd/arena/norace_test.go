//go:build !race

package main

// kills is how often TestKilledArenaResumes kills the arena.
const kills = 20
