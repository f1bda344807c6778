package report

import "versus2048/tournament"

// GoalTile is the tile that gives the game its name.
const GoalTile = 2048

// Scores are what games came to for their defenders. Those that were cut short
// are left out: see Summary.Scored.
type Scores struct {
	Games    int `json:"games"`
	CutShort int `json:"games_cut_short"` // left out, not among Games

	MeanScore   Figure `json:"mean_score"`
	ScoreSD     Figure `json:"score_sd"` // of the sample
	MinScore    Figure `json:"min_score"`
	MaxScore    Figure `json:"max_score"`
	Reached     int    `json:"reached_2048"` // games that made the GoalTile
	ReachShare  Figure `json:"share_2048"`   // of Games, 0 to 1
	LargestTile int    `json:"largest_tile"` // in any of Games, 0 if there is none
	MeanTurns   Figure `json:"mean_turns"`
}

func newScores(games []tournament.Summary) Scores {
	var s Scores
	var scores, turns []float64
	for _, game := range games {
		if !game.Scored() {
			s.CutShort++
			continue
		}
		s.Games++
		s.LargestTile = max(s.LargestTile, game.LargestTile)
		if game.LargestTile >= GoalTile {
			s.Reached++
		}
		scores = append(scores, float64(game.Score))
		turns = append(turns, float64(game.Turns))
	}
	s.MeanScore, s.ScoreSD = meanOf(scores, "game"), deviationOf(scores, "game")
	s.MinScore, s.MaxScore = minOf(scores, "game"), maxOf(scores, "game")
	s.MeanTurns = meanOf(turns, "game")
	s.ReachShare = share(s.Reached, s.Games)
	return s
}

// share is count of so many games, 0 to 1.
func share(count, games int) Figure {
	if games < 1 {
		return Figure{Needs: "needs 1 game"}
	}
	return Figure{Value: float64(count) / float64(games)}
}
