package tournament

import (
	"time"

	"versus2048/rules"
)

// GoalTile is the tile that gives the game its name.
const GoalTile = 2048

// Performance is what one bot did in its matches against another. Its figures
// as defender leave out the games that were cut short: see Summary.Scored.
type Performance struct {
	Name     string `json:"name"`
	Games    int    `json:"games"`           // as defender
	CutShort int    `json:"games_cut_short"` // left out, not among Games

	MeanScore   Figure `json:"mean_score"`
	ScoreSD     Figure `json:"score_sd"` // of the sample
	MinScore    Figure `json:"min_score"`
	MaxScore    Figure `json:"max_score"`
	Reached     int    `json:"reached_2048"` // games that made the GoalTile
	ReachShare  Figure `json:"share_2048"`   // of Games, 0 to 1
	LargestTile int    `json:"largest_tile"` // in any of Games, 0 if there is none
	MeanTurns   Figure `json:"mean_turns"`

	Defending Conduct `json:"defending"`
	Attacking Conduct `json:"attacking"` // empty where chance attacks
}

// Conduct is how a bot played one role in all its games: how fast, on the
// referee's clock, and with what faults.
type Conduct struct {
	Moves    int                  `json:"timed_moves"`
	MeanMS   Figure               `json:"mean_ms"`
	MedianMS Figure               `json:"median_ms"`
	MaxMS    Figure               `json:"max_ms"`
	MeanLag  Figure               `json:"mean_lag_ms"` // the part of the time that the network took
	MaxLag   Figure               `json:"max_lag_ms"`
	Faults   map[rules.Ending]int `json:"faults"` // games that its faults or resigning ended, by ending
}

func newPerformance(name string, matches []MatchResult, games []Game) Performance {
	p := Performance{
		Name:      name,
		Defending: newConduct(name, rules.Defender, games),
		Attacking: newConduct(name, rules.Attacker, games),
	}
	var scores, turns []float64
	for _, m := range matches {
		game := m.defence(name)
		if !game.Scored() {
			p.CutShort++
			continue
		}
		p.Games++
		p.LargestTile = max(p.LargestTile, game.LargestTile)
		if game.LargestTile >= GoalTile {
			p.Reached++
		}
		scores = append(scores, float64(game.Score))
		turns = append(turns, float64(game.Turns))
	}
	p.MeanScore, p.ScoreSD = meanOf(scores, "game"), deviationOf(scores, "game")
	p.MinScore, p.MaxScore = minOf(scores, "game"), maxOf(scores, "game")
	p.MeanTurns = meanOf(turns, "game")
	p.ReachShare = share(p.Reached, p.Games)
	return p
}

// share is count of so many games, 0 to 1.
func share(count, games int) Figure {
	if games < 1 {
		return Figure{Needs: "needs 1 game"}
	}
	return Figure{Value: float64(count) / float64(games)}
}

func newConduct(name string, side rules.Side, games []Game) Conduct {
	c := Conduct{Faults: map[rules.Ending]int{}}
	var times, lags []float64
	for i := range games {
		g := &games[i]
		if !g.plays(name, side) {
			continue
		}
		times = append(times, ofSide(side, g.Record.Start, g.Record.Times)...)
		lags = append(lags, ofSide(side, g.Record.Start, g.Record.Lags)...)
		if winner, fault := g.Record.Winner(); fault && winner != side {
			c.Faults[g.Record.Ending]++
		}
	}
	c.Moves = len(times)
	c.MeanMS, c.MedianMS, c.MaxMS = meanOf(times, "timed move"), medianOf(times, "timed move"), maxOf(times, "timed move")
	c.MeanLag, c.MaxLag = meanOf(lags, "timed move"), maxOf(lags, "timed move")
	return c
}

// plays tells whether the named bot plays a side of the game. Where chance
// attacks, no bot does.
func (g *Game) plays(name string, side rules.Side) bool {
	attacker, defender := g.Roles(g.Leg)
	if side == rules.Defender {
		return name == defender
	}
	return name == attacker && !g.Record.Start.Rules().Chance()
}

// ofSide are one side's times of a game, in milliseconds.
func ofSide(side rules.Side, start rules.Position, times []time.Duration) []float64 {
	var ms []float64
	mover := start.SideToMove()
	for _, t := range times {
		if mover == side {
			ms = append(ms, float64(t)/float64(time.Millisecond))
		}
		mover = mover.Other()
	}
	return ms
}
