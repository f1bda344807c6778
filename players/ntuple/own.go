package ntuple

import (
	_ "embed"
	"fmt"
	"sync"
)

//go:embed v1.ntuple
var ownFile []byte

// OwnBytes is how much memory Own takes at most, with what unpacks it.
const OwnBytes = 32 << 20

// Own returns the network that comes with the program, version 1: for gpcc2015 on 4x4. Its Recipe says how
// it was learned. It is unpacked once.
var Own = sync.OnceValue(func() *Network {
	n, err := Read(ownFile)
	if err != nil {
		panic(fmt.Sprintf("the program's own network: %v", err)) // a test reads it
	}
	return n
})
