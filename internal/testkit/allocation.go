package testkit

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
)

// Allocated returns how many bytes do allocates in all. Other goroutines count, too, and small allocations
// may be counted late or early, some hundred kilobytes at a time.
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

// PeakAllocated returns the largest growth of the memory that do keeps, in bytes, as garbage collections
// measure it meanwhile. It may miss memory that is kept only for a moment.
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
	return max(peak.Load(), live(), before) - before // on one core perhaps nobody has watched
}

// live returns how many bytes the last garbage collection has kept.
func live() uint64 { return read("/gc/heap/live:bytes") }

// fixed is how many bytes any input may cost.
const fixed = 4 << 20

// CheckAllocation fails the test if do allocates too much. do decodes an input of length bytes, and may
// allocate each bytes for every one of them and a few megabytes besides.
func CheckAllocation(t testing.TB, length, each int, do func()) {
	t.Helper()
	if took, most := Allocated(do), uint64(length)*uint64(each)+fixed; took > most {
		t.Fatalf("decoding %d bytes allocates %d, want at most %d", length, took, most)
	}
}
