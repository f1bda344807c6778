package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/rules"
)

// limitChecks are about time and memory. On a machine that has too much to do, an honest bot is late now and
// then. Therefore a game with too many late answers is played again.
func limitChecks() []Check {
	small, medium, full := rules.Size{Width: 2, Height: 2}, rules.Size{Width: 3, Height: 3}, rules.Full
	return []Check{
		{
			ID: "clock.none", Level: Must, Media: Both, run: checkNoClock,
			Demand: "Answers within 30 s without a clock.",
		},
		{
			ID: "clock.left", Level: Must, Media: Both, run: checkLeft,
			Demand: "Answers within `left_ms` where that is much smaller than `move_ms`.",
		},
		{
			ID: "clock.1s", Level: Must, Media: Both, illegal: movesInGames,
			run:    withClock(game{move: time.Second}, small),
			Demand: "Is in time in whole games at 1 s a move.",
		},
		{
			ID: "clock.100ms", Level: Must, Media: Both, illegal: movesInGames,
			run:    withClock(game{move: 100 * time.Millisecond}, medium),
			Demand: "Is in time in whole games at 100 ms a move.",
		},
		{
			ID: "clock.50ms", Level: Must, Media: Both, illegal: movesInGames,
			run:    withClock(game{move: 50 * time.Millisecond}, full),
			Demand: "Is in time in whole games at 50 ms a move.",
		},
		{
			ID: "clock.increment", Level: Must, Media: Both, illegal: movesInGames,
			run:    withClock(game{base: 2 * time.Second, extra: 50 * time.Millisecond}, medium),
			Demand: "Is in time in whole games at 2 s for all moves and 50 ms more after each.",
		},
		{
			ID: "memory.growth", Level: Should, Media: Both, run: withTalk((*bench).anew, checkMemory), illegal: movesInGames,
			Demand: "Needs hardly more memory after 120 games than after 20.",
		},
	}
}

const (
	attempts = 3  // the largest number of times that a game is played
	oneIn    = 50 // one of this many answers may be late: the machine may have had other work
)

// withClock returns a check that plays a game in each role with the clock of times.
func withClock(times game, size rules.Size) func(context.Context, *bench) error {
	return func(ctx context.Context, b *bench) error {
		var all []error
		start, plies := b.scope.game(rules.GPCC2015, size)
		for _, role := range b.scope.sides(rules.Attacker, rules.Defender) {
			err := b.inTime(func() (course, error) {
				return b.someGame(ctx, start, role, plies, func(g *game) {
					g.move, g.base, g.extra = times.move, times.base, times.extra
				})
			})
			all = append(all, err)
		}
		return errors.Join(all...)
	}
}

// inTime plays a game up to attempts times, until at most one in oneIn answers of a game is late. Otherwise it returns
// the first late answer of the last game.
func (b *bench) inTime(play func() (course, error)) error {
	var c course
	for range attempts {
		var err error
		if c, err = play(); err != nil {
			return err
		}
		if c.late*oneIn <= len(c.moves) {
			return nil
		}
	}
	c.lateAt.Problem += fmt.Sprintf(" (%d of %d answers were late)", c.late, len(c.moves))
	return c.lateAt
}

func checkNoClock(ctx context.Context, b *bench) error {
	for _, p := range b.scope.easy()[2:] {
		err := b.inGame(ctx, p, func(g *game) { g.move = 0 }, func(t *talk, g game) error {
			if err := t.askWithin(g, p, nil, 0, false); err != nil {
				return err
			}
			_, _, err := b.answer(ctx, t, g, p, 3*patience)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkLeft(ctx context.Context, b *bench) error {
	for _, p := range b.scope.easy()[:2] {
		if err := b.inTime(func() (course, error) { return b.hurried(ctx, p) }); err != nil {
			return err
		}
	}
	return nil
}

// hurried asks for a move in a game with little time left.
func (b *bench) hurried(ctx context.Context, p rules.Position) (c course, err error) {
	little := func(g *game) { g.move, g.base = 8*time.Second, 60*time.Second }
	err = b.inGame(ctx, p, little, func(t *talk, g game) error {
		_, _, err := b.turn(ctx, t, g, p, nil, 200*time.Millisecond, &c)
		return err
	})
	return c, err
}

const (
	warmUp     = 20        // games before the memory is measured
	manyGames  = 100       // games between the measurements
	mostGrowth = 128 << 20 // bytes
)

func checkMemory(ctx context.Context, b *bench, t *talk) error {
	var before int64
	warm, many := warmUp, manyGames
	if b.options.brief {
		warm, many = 1, 1
	}
	for n := range warm + many {
		if n == warm {
			var err error
			if before, err = t.memory(); err != nil {
				return err
			}
		}
		start, plies := b.scope.game(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
		g := newGame(b.gameName(), start)
		g.role = b.scope.side([]rules.Side{rules.Attacker, rules.Defender}[n%2])
		g.move = 10 * time.Millisecond
		if _, err := b.play(ctx, t, g, plies); err != nil {
			return err
		}
	}
	after, err := t.memory()
	if err != nil {
		return err
	}
	if growth := after - before; growth > mostGrowth {
		return t.failf("%d MiB after %d games, %d MiB after %d", before>>20, warm, after>>20, warm+many)
	}
	return nil
}

// memory returns the memory of the bot's processes, or an error that skips the check.
func (t *talk) memory() (int64, error) {
	var p program
	switch c := t.channel.(type) {
	case *lineChannel:
		p = c.program
	case *socketChannel:
		p = c.running
	}
	if p == nil {
		return 0, skipf("the checker did not start the bot")
	}
	bytes, ok := p.memory()
	if !ok {
		return 0, skipf("this system does not report the memory of a process")
	}
	return bytes, nil
}
