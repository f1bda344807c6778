//go:build !js

package ntuple

import (
	_ "embed"
	"fmt"
	"sync"

	"versus2048/rules"
)

// The first version of the networks that come with the program. The Recipe of each describes how it was learned.
var (
	//go:embed v1.ntuple
	file2015 []byte
	//go:embed v1-gpcc2016.ntuple
	file2016 []byte
	//go:embed v1-solo.ntuple
	fileSolo []byte

	own2015 = sync.OnceValue(func() *Network { return mustRead(rules.GPCC2015) })
	own2016 = sync.OnceValue(func() *Network { return mustRead(rules.GPCC2016) })
	ownSolo = sync.OnceValue(func() *Network { return mustRead(rules.Solo) })
)

// OwnFile returns the content of the network's file: see OwnName. It must not be changed.
func OwnFile(r rules.Ruleset) []byte {
	switch r {
	case rules.GPCC2016:
		return file2016
	case rules.Solo:
		return fileSolo
	}
	return file2015
}

// OwnBytes returns the most memory that Own takes, in bytes, including the memory for unpacking. Most pages of
// the 128 MiB of weights for gpcc2016 are empty, and take no memory.
func OwnBytes(r rules.Ruleset) uint64 {
	if r == rules.GPCC2016 {
		return 64 << 20
	}
	return 32 << 20
}

// Own returns the network for 4x4 that comes with the program for these rules. It is unpacked once; this takes
// 0.2 s for gpcc2016.
func Own(r rules.Ruleset) *Network {
	switch r {
	case rules.GPCC2016:
		return own2016()
	case rules.Solo:
		return ownSolo()
	}
	return own2015()
}

func mustRead(r rules.Ruleset) *Network {
	n, err := Read(OwnFile(r))
	if err != nil {
		panic(fmt.Sprintf("the program's own network: %v", err)) // a test reads it
	}
	return n
}
