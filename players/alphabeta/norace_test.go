//go:build !race

package alphabeta

// minimaxGames is the number of random games for each size and rule set. Their positions are compared with
// plain minimax. minimaxPositions is the smallest allowed number of these positions.
const minimaxGames, minimaxPositions = 10, 2000
