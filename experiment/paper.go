package experiment

import (
	"versus2048/tournament/report"
)

// Table1Source is where the paper's figures stand.
const Table1Source = "Oka, Matsuzaki, Haraguchi: Exhaustive Analysis and Monte-Carlo Tree Search Player for Two-Player 2048 (2015), Table 1"

// The paper's settings of Table 1.
const (
	PaperMatches  = 80     // of each pairing
	PaperPlayouts = 10_000 // a move, of MCTS and MCTS2
	paperDepth    = 3      // of evMiniMax, in moves of the defender
)

// The paper's names of its players.
const (
	nameMCTS      = "MCTS"
	nameMCTS2     = "MCTS2"
	nameCanonical = "canonical" // MCTS2 with canonical positions, which the paper proposes
	nameEvMiniMax = "evMiniMax"
)

// pairing is a row of Table 1 as the paper has it.
type pairing struct {
	first, second             string
	firstScores, secondScores Scores
}

// paperTable1 is Table 1. Its shares of games with a 2048 are whole games of 80:
// 67.5% are 54.
func paperTable1() []pairing {
	return []pairing{
		{nameMCTS, nameEvMiniMax, published(27806.1, 10182.2, 54), published(18267.9, 9975.3, 32)},
		{nameMCTS2, nameEvMiniMax, published(26702.6, 9919.5, 51), published(16696.2, 9183.8, 25)},
		{nameMCTS2, nameMCTS, published(22190.1, 7558.1, 35), published(20153.9, 7102.4, 27)},
	}
}

func published(mean, sd float64, reached int) Scores {
	return Scores{Sample{PaperMatches, report.Figure{Value: mean}, report.Figure{Value: sd}}, reached}
}
