//go:build race

package retrograde_test

// raced is true under the race detector, which makes everything about ten times slower.
const raced = true
