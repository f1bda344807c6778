//go:build !race

package check

// usually is explained in race_test.go.
const usually = 1
