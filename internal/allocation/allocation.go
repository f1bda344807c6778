package allocation

import (
	"runtime/metrics"
	"testing"
)

// Of returns how many bytes do allocates in all. Other goroutines count, too, and small allocations
// may be counted late or early, some hundred kilobytes at a time.
func Of(do func()) uint64 {
	before := allocated()
	do()
	return allocated() - before
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// fixed is what any input may cost, in bytes.
const fixed = 4 << 20

// Check fails the test if do, which decodes an input of length bytes, allocates more than each bytes
// for each of them and a few megabytes besides.
func Check(t testing.TB, length, each int, do func()) {
	t.Helper()
	if took, most := Of(do), uint64(length)*uint64(each)+fixed; took > most {
		t.Fatalf("decoding %d bytes allocates %d, want at most %d", length, took, most)
	}
}
