//go:build race

package sweep_test

// The detector makes sweeps ten times slower, and what can race does so on small boards as well.
func init() { games = games[:5] }
