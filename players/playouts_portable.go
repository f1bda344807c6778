//go:build !goexperiment.simd || !amd64

package players

// playOn plays each of the games on to its end.
func playOn(games []turning, g *generator) { playPairs(games, g) }
