//go:build !goexperiment.simd || !amd64

package playout

// playOn plays each of the games to its end.
func playOn(games []fullGame, g *Generator) { playPairs(games, g) }
