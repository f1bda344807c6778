//go:build !race

package learning_test

// optimalGames is how many games learn 2x2.
const optimalGames = 20_000
