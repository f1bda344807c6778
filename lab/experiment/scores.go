package experiment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Defence is the mean score of games. Its interval, Student's t, takes openings as independent, not games, since
// games from one opening may depend on each other.
type Defence struct {
	Games int             `json:"games"`
	Mean  report.Interval `json:"mean"`
}

// scores are the scores of games that count for means, in the order of their matches.
type scores []gameScore

type gameScore struct {
	start              rules.Position
	defender, attacker string
	score              float64
}

// newScores returns the scores of decided matches that count for means: of all games, or with early decision only of
// the first games. Early decision cuts second games with high scores short, so the mean of the complete ones would be
// too low.
func newScores(played Played) (all scores) {
	for _, m := range tournament.Matches(played.Games) {
		names := [2]string{m.First, m.Second}
		for i, game := range m.Legs {
			if game.Scored() && (i == 0 || !played.Event.Settings.Adjudication.EarlyDecision) {
				all = append(all, gameScore{m.Start, names[i], names[1-i], float64(game.Score)})
			}
		}
	}
	return all
}

// of returns the scores of a defender against an attacker. "" stands for all bots.
func (s scores) of(defender, attacker string) (some scores) {
	for _, game := range s {
		if (defender == "" || game.defender == defender) && (attacker == "" || game.attacker == attacker) {
			some = append(some, game)
		}
	}
	return some
}

// defence returns the mean score of a defender against an attacker. "" stands for all bots.
func (s scores) defence(defender, attacker string) Defence {
	some := s.of(defender, attacker)
	c := some.byOpening()
	return Defence{len(some), RatioOfSums(c.sums, c.games, "opening")}
}

// earlyGames returns the second games that were not forfeited, with the bot as defender. It returns nil if there are
// none.
func earlyGames(matches []tournament.MatchResult, defender string) *EarlyGames {
	early, sum := new(EarlyGames), 0
	for _, m := range matches {
		if game := m.Legs[1]; m.Second == defender && !game.Forfeited {
			early.Games++
			sum += game.Score
		}
	}
	if early.Games == 0 {
		return nil
	}
	early.AtLeast = float64(sum) / float64(early.Games)
	return early
}

// clusters are scores by the opening of their games, in the order of the first games from each opening.
type clusters struct {
	starts      []rules.Position
	sums, games []float64 // for each opening, the sum and the number of its scores
}

func (s scores) byOpening() (c clusters) {
	for _, game := range s {
		i := slices.Index(c.starts, game.start)
		if i < 0 {
			i = len(c.starts)
			c.starts, c.sums, c.games = append(c.starts, game.start), append(c.sums, 0), append(c.games, 0)
		}
		c.sums[i] += game.score
		c.games[i]++
	}
	return c
}

// mean returns the mean of all scores. There must be at least one.
func (c clusters) mean() float64 { return floats.Sum(c.sums) / floats.Sum(c.games) }

// errors returns, for each opening, its part in the relative error of the mean, and the relative variance of the
// mean: the sum of the squares of these parts. There must be at least two openings.
func (c clusters) errors() (errors map[rules.Position]float64, variance float64) {
	n, mean, sum := float64(len(c.starts)), c.mean(), floats.Sum(c.sums)
	errors = map[rules.Position]float64{}
	for i, start := range c.starts {
		e := (c.sums[i] - mean*c.games[i]) / sum * math.Sqrt(n/(n-1))
		errors[start] = e
		variance += e * e
	}
	return errors, variance
}

// ratioOfMeans returns the ratio of two mean scores above 0, with the interval of its logarithm by the delta
// method. Openings are independent, not games, as in a Defence: an opening that helps the defender may raise both
// means, which leaves their ratio as it is. Student's t has Satterthwaite's degrees of freedom for both means.
func ratioOfMeans(x, y scores) report.Interval {
	a, b := x.byOpening(), y.byOpening()
	if floats.Sum(a.sums) <= 0 || floats.Sum(b.sums) <= 0 {
		return NoInterval("needs games with scores")
	}
	ratio := a.mean() / b.mean()
	if min(len(a.starts), len(b.starts)) < 2 {
		return withoutEnds(report.Figure{Value: ratio}, "needs 2 openings")
	}
	errors, v := a.errors()
	others, w := b.errors()
	variance := 0.0
	for _, start := range slices.Concat(a.starts, b.starts) {
		e := errors[start] - others[start]
		variance += e * e
		delete(errors, start) // an opening of both counts once
		delete(others, start)
	}
	if variance == 0 {
		return newInterval(ratio, ratio, ratio)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: (v + w) * (v + w) / (v*v/float64(len(a.starts)-1) + w*w/float64(len(b.starts)-1))}
	reach := math.Exp(t.Quantile((1+Level)/2) * math.Sqrt(variance))
	return newInterval(ratio, ratio/reach, ratio*reach)
}
