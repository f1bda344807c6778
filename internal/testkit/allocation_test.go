package testkit_test

import (
	"testing"

	"versus2048/internal/testkit"
)

// sink keeps the memory of a test on the heap.
var sink []byte

func TestOf(t *testing.T) {
	if took := testkit.Allocated(func() { sink = make([]byte, 64<<20) }); took < 64<<20 || took > 80<<20 {
		t.Errorf("64 MiB are counted as %d bytes", took)
	}
}

// failure is a test that remembers whether it failed.
type failure struct {
	testing.TB
	failed bool
}

func (f *failure) Helper() {}

func (f *failure) Fatalf(string, ...any) { f.failed = true }

func TestCheck(t *testing.T) {
	for size, want := range map[int]bool{1 << 20: false, 32 << 20: true} {
		f := failure{TB: t}
		testkit.CheckAllocation(&f, 1000, 16, func() { sink = make([]byte, size) })
		if f.failed != want {
			t.Errorf("%d bytes for an input of 1000: failed is %v", size, f.failed)
		}
	}
}

func TestPeak(t *testing.T) {
	const size, times = 1 << 20, 64
	passing := testkit.PeakAllocated(func() {
		for range times {
			sink = make([]byte, size)
		}
	})
	var kept [][]byte
	keeping := testkit.PeakAllocated(func() {
		for range times {
			kept = append(kept, make([]byte, size))
		}
	})
	if passing > 8*size || keeping < times*size/2 || keeping > 2*times*size {
		t.Errorf("of %d times 1 MiB, %d bytes are kept at once if each is let go, %d if none is", len(kept), passing, keeping)
	}
}
