//go:build race

package alphabeta

// minimaxGames is the number of random games for each size and rule set. Their positions are compared with
// plain minimax. minimaxPositions is the smallest allowed number of these positions. The race detector makes
// the search ten times slower, and this test has one thread.
const minimaxGames, minimaxPositions = 1, 150
