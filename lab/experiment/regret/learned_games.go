package regret

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"versus2048/internal/parallel"
	"versus2048/lab/experiment"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Played summarises the games of a bot in one role.
type Played struct {
	Role  rules.Side      `json:"role"`
	Games int             `json:"games"`
	Mean  report.Interval `json:"mean"` // final score; Student's t
	Best  int             `json:"best"` // largest score
	// Share is the sum of the scores as a share of the sum that perfect play of both sides makes from the same
	// positions: about 1 at most for a defender, at least 1 for an attacker. If there are enough games, the
	// scores are freed of some luck. The interval is Student's t of the linearised ratio. Share is absent if no
	// exact values are known.
	Share report.Interval `json:"share"`
	// Reached is the share of games with a 2048; Wilson.
	Reached report.Interval `json:"reached"`
	// Lost has, for each quarter of the bot's games, the mean number of points that the bot's moves lost there,
	// against perfect play from then on. Against a perfect opponent the quarters add up to the difference to the
	// optimum. Lost and Mistakes are absent if no exact values are known.
	Lost     []float64        `json:"lost,omitempty"`
	Mistakes []LearnedMistake `json:"mistakes,omitempty"` // the costliest, at most mostMistakes
}

// game is a finished game of a bot.
type game struct {
	score   float64
	optimum float64 // the score of perfect play from the same start; 0 if it is not known
	reached bool    // whether it has a 2048
	choices int     // the bot's moves that were not forced

	from, plies int       // the first ply, and the number of plies
	blunders    []blunder // of the bot, in their order; none if no exact values are known
}

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
	p.Mean = experiment.MeanInterval(scores, "game").Within(0, math.Inf(1))
	p.Reached = experiment.ShareInterval(float64(reached), len(games), "game")
	if solved {
		p.Share, p.Lost, p.Mistakes = shareOfOptimum(games, role), lostByQuarter(games), costliest(games)
	}
	return p
}

// luck returns the points that chance added to the score of a bot in a role: the part of the score that is
// neither in the optimum nor lost by the bot's moves. It is 0 in a game against perfect play. Against chance
// its mean is 0, as the value of a position is the mean over all moves of chance.
func (g game) luck(role rules.Side) float64 {
	luck := g.score - g.optimum
	for _, b := range g.blunders {
		if role == rules.Attacker {
			luck -= b.loss
		} else {
			luck += b.loss
		}
	}
	return luck
}

// fewestForLuck is the least number of games for withoutLuck to take out luck. The share of the luck to take
// out is estimated from the same games. It fits few games too well: the share for two games leaves no variance at
// all, so that the interval of their mean would have no length. From 30 games on the interval is at most 4 % too
// short (Lavenberg and Welch 1981).
const fewestForLuck = 30

// withoutLuck returns the scores without a share of the luck. It chooses the share that leaves the smallest
// variance, so that the mean of the scores is known better. Luck is a control variate (Glasserman 2003, section
// 4.1), as in AIVAT (Burch et al. 2018). Fewer than fewestForLuck games keep their luck.
func withoutLuck(games []game, role rules.Side) []float64 {
	scores, luck := make([]float64, len(games)), make([]float64, len(games))
	for i, g := range games {
		scores[i], luck[i] = g.score, g.luck(role)
	}
	if len(games) < fewestForLuck || stat.Variance(luck, nil) == 0 {
		return scores
	}
	floats.AddScaled(scores, -stat.Covariance(scores, luck, nil)/stat.Variance(luck, nil), luck)
	return scores
}

// shareOfOptimum returns the sum of the scores, freed of luck as in withoutLuck, divided by the sum of the optima.
func shareOfOptimum(games []game, role rules.Side) report.Interval {
	scores, optima := withoutLuck(games, role), make([]float64, len(games))
	for i, g := range games {
		optima[i] = g.optimum
	}
	return experiment.RatioOfSums(scores, optima, "game in which perfect play scores")
}

// setup is the beginning of a game, the same for all bots and in both roles.
type setup struct {
	start         rules.Position
	bot, opponent uint64 // the seeds of the players
}

// prepare draws the setups of all games. It comes before all measurements, so that an opening with too many plies is
// refused at once.
func (m *measurement) prepare(ctx context.Context) error {
	m.setups = make([]setup, m.settings.Games)
	for i := range m.setups {
		random := rand.New(rand.NewPCG(m.settings.Seed, uint64(i)))
		start, err := m.start(ctx, random)
		if err != nil {
			return err
		}
		m.setups[i] = setup{start: start, bot: seed(random), opponent: seed(random)}
	}
	return nil
}

// play plays the games of a bot in a role.
func (m *measurement) play(ctx context.Context, b LearnedBot, role rules.Side) ([]game, error) {
	games := make([]game, len(m.setups))
	err := parallel.Do(ctx, m.settings.Workers, len(games), m.part(len(games)), func(i int) (err error) {
		with := m.setups[i]
		sides := map[rules.Side]players.Player{
			role:         b.Spec.New(players.Game{Seed: with.bot}),
			role.Other(): m.opponent(with.opponent),
		}
		games[i], err = m.playOne(ctx, with.start, sides, role)
		return err
	})
	return games, err
}

// seed returns a seed as events draw them, below 2^53.
func seed(random *rand.Rand) uint64 { return random.Uint64N(1 << 53) }

// opening returns the number of random plies before a game.
func (m *measurement) opening() int {
	if m.game.Rules.Chance() {
		return 0
	}
	return m.settings.Opening
}

// mostDraws is the number of openings that are drawn for a game before Measure gives up. If one random game in a
// hundred is long enough, all draws fail once in 10^43 times.
const mostDraws = 10_000

// start returns a position after random plies. The game is not over there. It returns an error if it finds no
// such position, and when ctx ends.
func (m *measurement) start(ctx context.Context, random *rand.Rand) (rules.Position, error) {
	for range mostDraws {
		if err := ctx.Err(); err != nil {
			return rules.Position{}, err
		}
		if p := m.drawStart(random); !p.Over() {
			return p, nil
		}
	}
	return rules.Position{}, fmt.Errorf("an opening of %d plies: %d random games of %v ended before; want fewer plies (--opening)",
		m.opening(), mostDraws, m.game)
}

// drawStart returns a position after random plies, or the last one of a game that ends earlier.
func (m *measurement) drawStart(random *rand.Rand) rules.Position {
	p := rules.NewPosition(m.game.Rules, m.game.Size)
	for range m.opening() {
		if p.Over() {
			break
		}
		moves := p.AppendMoves(nil)
		p = p.Next(moves[random.IntN(len(moves))])
	}
	return p
}

// opponent returns the bot's opponent: chance under solo, and else perfect play.
func (m *measurement) opponent(seed uint64) players.Player {
	if m.game.Rules.Chance() {
		return players.Chance(players.Game{Seed: seed})
	}
	return perfect{m.game.table, rand.New(rand.NewPCG(seed, 0))}
}

// playOne plays a game to its end. role is the bot's.
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
		next, err := p.Play(move)
		if err == nil && p.SideToMove() == role && len(p.AppendMoves(nil)) > 1 {
			g.choices++
			err = m.addBlunder(&g, p, move)
		}
		if err != nil {
			return g, err
		}
		p = next
	}
	g.score, g.from, g.plies, g.reached = float64(p.Score()), start.Ply(), p.Ply()-start.Ply(), p.LargestTile() >= 2048
	return g, nil
}

// addBlunder adds a move of the bot to the game's blunders if the move loses anything.
func (m *measurement) addBlunder(g *game, p rules.Position, move rules.Move) error {
	if m.game.table == nil {
		return nil
	}
	b, loses, err := judge(m.game.table, p, move)
	if loses {
		g.blunders = append(g.blunders, b)
	}
	return err
}

// perfect plays one of the best moves, drawn evenly. In positions with many best moves, for example where the
// attacker cannot win, the same choice every time would lead all games along one line.
type perfect struct {
	table  *exact.Table
	random *rand.Rand
}

// Choose implements players.Player.
func (p perfect) Choose(_ context.Context, position rules.Position) (rules.Move, error) {
	best, err := p.table.Best(position)
	if err != nil {
		return 0, err
	}
	return best[p.random.IntN(len(best))], nil
}
