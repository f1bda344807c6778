//go:build race

package check

// usually is the value of oneOf without -short. The race detector, which is ten times slower, sees the
// same code with every eighth of them.
const usually = 8
