package check

import (
	"context"
	"math/rand/v2"
	"time"

	"versus2048/rules"
)

// course sums up a game that was played.
type course struct {
	moves   []rules.Move // of the bot
	late    int          // the number of late moves
	lateAt  *finding     // the first late move; nil if there is none
	flagged bool         // a move was late, and the bot's total was used up
}

// play plays a game with the bot. The bot's opponent moves at random. The game goes to its end, or for at most the
// given number of plies if plies is not 0. A late move is counted, but does not end the game, unless the bot's total is
// used up.
func (b *bench) play(ctx context.Context, t *talk, g game, plies int) (c course, err error) {
	if err := t.begin(g); err != nil {
		return c, err
	}
	p, c, err := b.playOn(ctx, t, g, g.start, plies)
	if err != nil {
		return c, err
	}
	ending := "unfinished"
	if p.Over() {
		ending = "mate"
	}
	return c, t.end(g, p, ending)
}

// playOn continues a game from a position, as play plays it.
func (b *bench) playOn(ctx context.Context, t *talk, g game, p rules.Position, plies int) (rules.Position, course, error) {
	var c course
	var moves []string
	total := g.base
	r := rand.New(rand.NewPCG(g.seed, uint64(g.role)))
	for n := 0; !p.Over() && (plies == 0 || n < plies) && !c.flagged; n++ {
		m := placement(r, p)
		if p.SideToMove() == g.role {
			var err error
			if m, total, err = b.turn(ctx, t, g, p, moves, total, &c); err != nil {
				return p, c, err
			}
			moves = nil
		}
		moves = append(moves, m.String())
		p = p.Next(m)
	}
	return p, c, nil
}

// turn asks the bot for a move and keeps the bot's clock. It returns the move and the rest of the total.
func (b *bench) turn(ctx context.Context, t *talk, g game, p rules.Position, moves []string, total time.Duration, c *course) (rules.Move, time.Duration, error) {
	left, limited := g.left(total)
	if err := t.askWithin(g, p, moves, left, limited); err != nil {
		return 0, total, err
	}
	s, err := t.answer(ctx, left+patience)
	if err != nil {
		return 0, total, err
	}
	used := s.at - t.sent
	if over := used - left - b.options.Slack; limited && over > 0 {
		c.late++
		if c.lateAt == nil {
			c.lateAt = t.failf("an answer after %v; it had %v", used.Round(time.Millisecond), left.Round(time.Millisecond))
		}
	}
	if g.base > 0 {
		if total -= used; total < 0 {
			total, c.flagged = 0, c.lateAt != nil
		}
		total += g.extra
	}
	m, err := b.judge(t, g, p, s)
	c.moves = append(c.moves, m)
	return m, total, err
}

// placement returns a random move of the bot's opponent. Under rules with chance it draws a placement as chance does.
func placement(r *rand.Rand, p rules.Position) rules.Move {
	m := anyMove(r, p)
	if p.SideToMove() == rules.Attacker && p.Rules().Chance() {
		return rules.Place(m.Cell(), r.IntN(10) == 0)
	}
	return m
}
