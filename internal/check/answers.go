package check

import (
	"context"
	"errors"
	"time"

	"versus2048/rules"
)

// answerChecks are about the form of the bot's answers. Most of them also judge the answers that the bot gives in other
// checks.
func answerChecks() []Check {
	return []Check{
		{
			ID: "output.valid", Level: Must, Media: Both, run: checkWholeGames, illegal: movesInGames,
			Demand: "Writes complete lines of UTF-8 of at most 64 KiB, or valid messages in text frames.",
		},
		{
			ID: "output.words", Level: Should, Media: Lines, run: checkWholeGames, illegal: movesInGames,
			Demand: "Writes only lines of the protocol to standard output.",
		},
		{
			ID: "output.modest", Level: Should, Media: Lines, run: checkWholeGames, illegal: movesInGames,
			Demand: "Writes fewer than 1000 lines for a move.",
		},
		{
			ID: "answer.notation", Level: Must, Media: Both, run: checkWholeGames, illegal: movesInGames,
			Demand: "Writes moves in the notation: `N`, `(2,3)` or `(2,3,4)`, in capital letters and without spaces.",
		},
		{
			ID: "answer.echo", Level: Must, Media: Sockets, run: checkEcho,
			Demand: "Answers with the game and the ply of the request, for any name of a game.",
		},
		{
			ID: "answer.unasked", Level: Must, Media: Both, run: checkUnasked, follows: "answer.once",
			Demand: "Moves only when asked, neither at the beginning of a game nor after its end.",
		},
		{
			ID: "answer.resign", Level: Must, Media: Both, run: checkWholeGames, illegal: movesInGames,
			Demand: "Resigns only where `resign` says that it may.",
		},
		{
			ID: "answer.gives-up", Level: Must, Media: Both, run: checkWholeGames, illegal: movesInGames,
			Demand: "Answers each request of a whole game, without `error` or `cannot_move`.",
		},
		{
			ID: "search.valid", Level: Should, Media: Both, run: checkSearch, illegal: movesInGames,
			Demand: "Its search reports fit the position: legal moves, a legal principal variation.",
		},
		{
			ID: "search.uninvited", Level: Info, Media: Sockets, run: checkUninvited,
			Demand: "Sends search reports only where `search` asks for them.",
		},
		{
			ID: "clock.spent", Level: Should, Media: Sockets, run: checkSpent,
			Demand: "Its `spent_us` is no longer than the time that the answer took.",
		},
	}
}

// checkWholeGames plays a short game in each role.
func checkWholeGames(ctx context.Context, b *bench) error {
	return b.inRoles(func(role rules.Side) error {
		start, plies := b.scope.game(rules.GPCC2015, rules.Size{Width: 3, Height: 2})
		_, err := b.someGame(ctx, start, role, plies, nil)
		return err
	})
}

// inRoles calls do with each role that is checked, until one fails.
func (b *bench) inRoles(do func(rules.Side) error) error {
	for _, role := range b.scope.sides(rules.Attacker, rules.Defender) {
		if err := do(role); err != nil {
			return err
		}
	}
	return nil
}

func checkEcho(ctx context.Context, b *bench) error {
	p := b.scope.easy()[0]
	for i, name := range []string{"a b", "7", "ünï/\"\\", "{game}"} {
		if err := b.onePosition(ctx, []rules.Position{p, atPly(p, 1_000_001)}[i%2], func(g *game) { g.name = name }); err != nil {
			return err
		}
	}
	return nil
}

func checkOnce(ctx context.Context, b *bench) error {
	return b.forEasy(ctx, func(t *talk, _ said) error { return t.quiet(ctx, aMoment) })
}

func checkUnasked(ctx context.Context, b *bench) error {
	return b.inRoles(func(role rules.Side) error {
		start := b.scope.board(rules.GPCC2015, rules.Full)
		err := b.inGame(ctx, start, func(g *game) { g.role = role }, func(t *talk, _ game) error { return t.quiet(ctx, aMoment) })
		if err == nil {
			err = b.talk.quiet(ctx, aMoment)
		}
		return err
	})
}

func checkSearch(ctx context.Context, b *bench) error {
	var all []error
	err := b.inRoles(func(role rules.Side) error {
		t, err := b.ready(ctx)
		if err != nil {
			return err
		}
		g := newGame(b.gameName(), b.scope.board(rules.GPCC2015, rules.Size{Width: 3, Height: 3}))
		g.role, g.search = role, true
		if err := t.begin(g); err != nil {
			return err
		}
		r, p := b.random(), g.start
		for n := 0; n < 16 && !p.Over(); n++ {
			m := anyMove(r, p)
			if p.SideToMove() == role {
				var s said
				if m, s, err = b.move(ctx, t, g, p, nil); err != nil {
					return err
				}
				report, err := t.report(s)
				if err == nil && report != nil {
					err = report.Check(p)
				}
				if err != nil {
					all = append(all, t.failf("the report: %v", err))
				}
			}
			p = p.Next(m)
		}
		return t.end(g, p, "unfinished")
	})
	return errors.Join(append(all, err)...)
}

// forEasy asks about easy positions and looks at the answers.
func (b *bench) forEasy(ctx context.Context, look func(t *talk, s said) error) error {
	for _, p := range b.scope.easy() {
		err := b.inGame(ctx, p, nil, func(t *talk, g game) error {
			_, s, err := b.move(ctx, t, g, p, nil)
			if err != nil {
				return err
			}
			return look(t, s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkUninvited(ctx context.Context, b *bench) error {
	return b.forEasy(ctx, func(t *talk, s said) error {
		if len(s.search) > 0 && string(s.search) != "null" {
			return t.failf("a report in a game without `search` in its start")
		}
		return nil
	})
}

func checkSpent(ctx context.Context, b *bench) error {
	return b.forEasy(ctx, func(t *talk, s said) error {
		if took := s.at - t.sent; s.spent > took+time.Millisecond {
			return t.failf("spent_us is %d, but the answer came after %d us", s.spent.Microseconds(), took.Microseconds())
		}
		return nil
	})
}
