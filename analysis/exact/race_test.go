//go:build race

package exact_test

// slow is whether the race detector watches: some ten times as slow.
const slow = true
