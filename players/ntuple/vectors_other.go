//go:build !amd64

package ntuple

// vectorsSupported reports that there are no vectors for this architecture.
func vectorsSupported() bool { return false }

func sumAVX2(uint64, *eight, int, *byte) int32 { panic("no vectors on this architecture") }

func numbersAVX2(uint64, *eight, int, *uint32) { panic("no vectors on this architecture") }
