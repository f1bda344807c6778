package labcmd

import (
	"runtime"

	"github.com/urfave/cli/v2"
)

// memoryFlag limits the memory of a computation.
func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", DefaultText: "a quarter of the machine's", Usage: usage}
}

// usedMemory returns the number of bytes that this process has from the system and has not returned.
func usedMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
