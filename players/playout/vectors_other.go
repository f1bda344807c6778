//go:build !amd64

package playout

// vectorsSupported reports that there is no playTurns for this architecture.
func vectorsSupported() bool { return false }

func playTurns(*vectors) uint32 { panic("no playouts in vectors on this architecture") }
