//go:build race

package sweep_test

// The detector makes sweeps ten times slower. Small boards have all possible races as well.
func init() { games = games[:5] }
