package learning

import (
	"context"
	"fmt"
	"math/rand/v2"

	"versus2048/experiment"
	"versus2048/experiment/parallel"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Played summarises the games of a bot in one role.
type Played struct {
	Role  rules.Side      `json:"role"`
	Games int             `json:"games"`
	Mean  report.Interval `json:"mean"` // final score; Student's t
	Best  int             `json:"best"` // largest score
	// Share is the sum of the scores as a share of the sum that perfect play of both sides makes from the
	// same positions: at most 1 for a defender on average, at least 1 for an attacker. Its interval is
	// Student's t of the linearised ratio. It is absent if no exact values are known.
	Share report.Interval `json:"share"`
	// Reached is the share of games with a 2048; Wilson.
	Reached report.Interval `json:"reached"`
}

// game is a game that was played.
type game struct {
	score   float64
	optimum float64 // the score of perfect play from the same start; 0 if it is not known
	reached bool    // a 2048
	choices int     // the bot's moves that were not forced
}

// largeTile is the exponent of a 2048.
const largeTile = 11

func newPlayed(role rules.Side, games []game, solved bool) Played {
	p := Played{Role: role, Games: len(games), Share: experiment.NoInterval(unknown.Needs)}
	var scores []float64
	reached := 0
	for _, g := range games {
		scores = append(scores, g.score)
		p.Best = max(p.Best, int(g.score))
		if g.reached {
			reached++
		}
	}
	p.Mean = experiment.MeanInterval(scores, "game")
	p.Reached = experiment.ShareInterval(float64(reached), len(games), "game")
	if solved {
		p.Share = ratio(games)
	}
	return p
}

// ratio returns the sum of the scores by the sum of the optima. Each game's term is the ratio plus its
// own part of the ratio's error (Cochran 1977, section 6.4), so that the terms have the ratio as mean.
func ratio(games []game) report.Interval {
	var scores, optima float64
	for _, g := range games {
		scores, optima = scores+g.score, optima+g.optimum
	}
	terms := make([]float64, len(games))
	for i, g := range games {
		terms[i] = scores/optima + (g.score-scores/optima*g.optimum)*float64(len(games))/optima
	}
	return experiment.MeanInterval(terms, "game")
}

// play plays the games of a bot in a role. The opponents, the openings and the seeds are the same for
// all bots.
func (m *measurement) play(ctx context.Context, b Bot, role rules.Side) ([]game, error) {
	games := make([]game, m.settings.Games)
	err := parallel.Do(ctx, m.settings.Workers, len(games), m.part(len(games)), func(i int) (err error) {
		random := rand.New(rand.NewPCG(m.settings.Seed, uint64(i)))
		start := m.start(random)
		sides := map[rules.Side]players.Player{
			role:         b.Spec.New(players.Game{Seed: seed(random)}),
			role.Other(): m.opponent(seed(random)),
		}
		games[i], err = m.playOne(ctx, start, sides, role)
		return err
	})
	return games, err
}

// seed returns a seed as events draw them, below 2^53.
func seed(random *rand.Rand) uint64 { return random.Uint64N(1 << 53) }

// opening returns how many random plies come before a game.
func (m *measurement) opening() int {
	if m.game.Rules.Chance() {
		return 0
	}
	return m.settings.Opening
}

// start returns a position after random plies in which the game is not over.
func (m *measurement) start(random *rand.Rand) rules.Position {
	for {
		p := rules.NewPosition(m.game.Rules, m.game.Size)
		for range m.opening() {
			if p.Over() {
				break
			}
			moves := p.AppendMoves(nil)
			p = p.Next(moves[random.IntN(len(moves))])
		}
		if !p.Over() {
			return p
		}
	}
}

// opponent returns chance under solo, and else perfect play.
func (m *measurement) opponent(seed uint64) players.Player {
	if m.game.Rules.Chance() {
		return players.Chance(players.Game{Seed: seed})
	}
	return perfect{m.game.table}
}

// playOne plays a game to its end.
func (m *measurement) playOne(ctx context.Context, start rules.Position, sides map[rules.Side]players.Player, role rules.Side) (g game, err error) {
	if m.game.table != nil {
		value, err := m.game.table.Value(start)
		if err != nil {
			return g, err
		}
		g.optimum = float64(start.Score()) + value.Gain
	}
	p := start
	for !p.Over() {
		move, err := sides[p.SideToMove()].Choose(ctx, p)
		if ctx.Err() != nil {
			return g, ctx.Err() // the search was cut short
		}
		if err != nil {
			return g, fmt.Errorf("in %v: %w", p, err)
		}
		if p.SideToMove() == role && len(p.AppendMoves(nil)) > 1 {
			g.choices++
		}
		if p, err = p.Play(move); err != nil {
			return g, err
		}
	}
	g.score = float64(p.Score())
	for cell := range 16 {
		g.reached = g.reached || p.Board().Exponent(cell) >= largeTile
	}
	return g, nil
}

// oracle knows the best moves. An *exact.Table implements it.
type oracle interface {
	Best(p rules.Position) ([]rules.Move, error)
}

// perfect plays the first of the best moves.
type perfect struct{ oracle }

// Choose implements players.Player.
func (p perfect) Choose(_ context.Context, position rules.Position) (rules.Move, error) {
	best, err := p.Best(position)
	if err != nil {
		return 0, err
	}
	return best[0], nil
}
