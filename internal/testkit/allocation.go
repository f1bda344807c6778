package testkit

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
)

// Allocated calls do and returns how many bytes were allocated meanwhile. Other goroutines count, too, and small
// allocations may be counted late or early, some hundred kilobytes at a time.
func Allocated(do func()) uint64 {
	before := allocated()
	do()
	return allocated() - before
}

func allocated() uint64 { return read("/gc/heap/allocs:bytes") }

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// PeakAllocated calls do and returns the largest growth of the memory in use meanwhile, in bytes, as garbage
// collections measure it. It may miss memory that is in use only for a moment.
func PeakAllocated(do func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := live()
	var peak atomic.Uint64
	var done atomic.Bool
	var watch func()
	watch = func() {
		peak.Store(max(peak.Load(), live()))
		if !done.Load() {
			runtime.AddCleanup(new([16]byte), func(struct{}) { watch() }, struct{}{}) // after the next collection
		}
	}
	watch()
	do()
	done.Store(true)
	return max(peak.Load(), live(), before) - before // on one core perhaps no cleanup has run
}

// live returns how many bytes the last garbage collection has kept.
func live() uint64 { return read("/gc/heap/live:bytes") }

// fixedCost is how many bytes the decoding of any input may allocate.
const fixedCost = 4 << 20

// CheckAllocation calls do, which decodes an input of length bytes, and fails the test if that allocates too much:
// more than perByte bytes for each byte of the input, and a few megabytes besides.
func CheckAllocation(t testing.TB, length, perByte int, do func()) {
	t.Helper()
	if took, most := Allocated(do), uint64(length)*uint64(perByte)+fixedCost; took > most {
		t.Fatalf("decoding %d bytes allocates %d, want at most %d", length, took, most)
	}
}
