package testkit_test

import (
	"flag"
	"slices"
	"testing"

	"versus2048/internal/testkit"
)

// skipped counts the calls of Skip.
type skipped int

func (s *skipped) Skip(...any) { *s++ }

// A long test is skipped, and has fewer cases, with -short only.
func TestLong(t *testing.T) {
	before := flag.Lookup("test.short").Value.String()
	defer func() {
		if err := flag.Set("test.short", before); err != nil {
			t.Error(err)
		}
	}()
	for short, want := range map[string]int{"true": 1, "false": 0} {
		if err := flag.Set("test.short", short); err != nil {
			t.Fatal(err)
		}
		var s skipped
		testkit.Long(&s)
		if int(s) != want {
			t.Errorf("-short=%s: skipped %d times, want %d", short, s, want)
		}
		if got := testkit.Shortened(t, []int{1, 2, 3}, 2); !slices.Equal(got, []int{1, 2, 3}[:3-want]) {
			t.Errorf("-short=%s: the cases %v", short, got)
		}
	}
}
