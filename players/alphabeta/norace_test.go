//go:build !race

package alphabeta

// minimaxGames is the number of random games for each size and rule set whose positions are compared
// with plain minimax, and minimaxPositions the least number of these positions.
const minimaxGames, minimaxPositions = 10, 2000
