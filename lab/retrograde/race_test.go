//go:build race

package retrograde_test

// slow is true under the race detector, which makes everything about ten times slower.
const slow = true
