//go:build !race

package check

// oneOf is explained in race_test.go.
const oneOf = 1
