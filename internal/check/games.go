package check

import (
	"context"
	"errors"
	"slices"
	"time"

	"versus2048/rules"
)

// gameChecks are about games: their beginning, their end, and several of them.
func gameChecks() []Check {
	return []Check{
		{
			ID: "openings.position", Level: Must, Media: Both, run: checkOpenings,
			Demand: "Plays from the position of an opening, not from the empty board.",
		},
		{
			ID: "openings.parity", Level: Must, Media: Both, run: checkParity,
			Demand: "Does not take its side from the ply: in an opening the defender may move first.",
		},
		{
			ID: "games.role", Level: Must, Media: Both, run: checkRoles,
			Demand: "Takes its side from `role` alone, even if two games in a row have the same role.",
		},
		{
			ID: "games.solo", Level: Must, Media: Both, run: checkSolo,
			Demand: "Defends under solo, where chance places 2s and 4s.",
		},
		{
			ID: "games.next", Level: Must, Media: Both, run: checkNext,
			Demand: "Plays several games in turn, under other rules and on boards of other sizes.",
		},
		{
			ID: "games.interleaved", Level: Must, Media: Both, run: checkInterleaved,
			Demand: "Plays several games at once: in as many processes, or up to its slots in one connection.",
		},
		{
			ID: "games.hint", Level: Must, Media: Sockets, run: checkHint,
			Demand: "Answers a single request within a game, such as for a visitor's hint.",
		},
		{
			ID: "over.thinking", Level: Must, Media: Both, run: withTalk((*bench).ready, checkOverThinking), follows: "answer.once",
			Demand: "Plays on after a game that ended while it was thinking.",
		},
		{
			ID: "resume.position", Level: Must, Media: Both, run: checkResumed,
			Demand: "Continues a game that began before the bot was started.",
		},
		{
			ID: "resume.unfinished", Level: Must, Media: Sockets, run: withTalk((*bench).ready, checkUnfinished),
			Demand: "Continues an unfinished game when it comes back under the same name.",
		},
		{
			ID: "games.seed", Level: Info, Media: Both, run: checkSeed, illegal: movesInGames,
			Demand: "Repeats its moves from the same seed.",
		},
	}
}

// withTalk returns a check that begins with a conversation. If open cannot open one, it returns open's error.
func withTalk(open func(*bench, context.Context) (*talk, error), check func(context.Context, *bench, *talk) error) func(context.Context, *bench) error {
	return func(ctx context.Context, b *bench) error {
		t, err := open(b, ctx)
		if err != nil {
			return err
		}
		return check(ctx, b, t)
	}
}

// inGame is partOf in a sound conversation.
func (b *bench) inGame(ctx context.Context, p rules.Position, change func(*game), do func(*talk, game) error) error {
	t, err := b.ready(ctx)
	if err != nil {
		return err
	}
	return b.partOf(t, p, change, do)
}

// partOf begins a game at a position, and ends it as unfinished after do. change, if it is not nil, may change the
// game before it begins.
func (b *bench) partOf(t *talk, p rules.Position, change func(*game), do func(*talk, game) error) error {
	g := newGame(b.gameName(), p)
	if change != nil {
		change(&g)
	}
	if err := t.begin(g); err != nil {
		return err
	}
	if err := do(t, g); err != nil {
		return err
	}
	return t.end(g, p, "unfinished")
}

// onePosition begins a game at p and asks the bot for one move. change, if it is not nil, may change the game before it
// begins.
func (b *bench) onePosition(ctx context.Context, p rules.Position, change func(*game)) error {
	t, err := b.ready(ctx)
	if err != nil {
		return err
	}
	return b.position(ctx, t, p, change)
}

// someGame plays a game for some plies, or to its end if plies is 0. change, if it is not nil, may change the game
// before it begins.
func (b *bench) someGame(ctx context.Context, p rules.Position, role rules.Side, plies int, change func(*game)) (course, error) {
	t, err := b.ready(ctx)
	if err != nil {
		return course{}, err
	}
	g := newGame(b.gameName(), p)
	g.role = role
	if change != nil {
		change(&g)
	}
	return b.play(ctx, t, g, plies)
}

// middle returns a position of a game that is under way, with that side to move.
func middle(b *bench, ruleset rules.Ruleset, side rules.Side) rules.Position {
	start := b.scope.board(ruleset, rules.Full)
	r := b.random()
	for n := 0; ; n++ {
		p := wander(r, start, 3*start.Size().Cells()/2)
		if !p.Over() && p.SideToMove() != side {
			p = p.Next(anyMove(r, p))
		}
		if !p.Over() && p.SideToMove() == side && (!misled(p) || n > 100) { // a small board may have only misleading ones
			return p
		}
	}
}

func checkOpenings(ctx context.Context, b *bench) error {
	return b.inRoles(func(role rules.Side) error {
		_, err := b.someGame(ctx, middle(b, rules.GPCC2016, rules.Attacker), role, 8, nil)
		if err == nil {
			_, err = b.someGame(ctx, middle(b, rules.GPCC2016, rules.Defender), role, 8, nil)
		}
		return err
	})
}

func checkParity(ctx context.Context, b *bench) error {
	for _, p := range b.scope.easy() {
		for ply := 10; ply < 12; ply++ {
			if err := b.onePosition(ctx, atPly(p, ply), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkRoles(ctx context.Context, b *bench) error {
	d, a := rules.Defender, rules.Attacker
	for i, role := range b.scope.sides(d, d, a, a, d, a) {
		_, err := b.someGame(ctx, b.scope.board(rules.GPCC2015, rules.Full), role, 6, func(g *game) { g.leg = i%2 + 1 })
		if err != nil {
			return err
		}
	}
	return nil
}

func checkSolo(ctx context.Context, b *bench) error {
	start := b.scope.board(rules.Solo, rules.Full)
	if !start.Rules().Chance() {
		return b.scope.outside()
	}
	for leg := 1; leg <= 2; leg++ {
		_, err := b.someGame(ctx, start, rules.Defender, 16, func(g *game) {
			g.leg, g.opponent = leg, "chance"
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkNext(ctx context.Context, b *bench) error {
	for i, size := range rules.Sizes() {
		role := b.scope.side([]rules.Side{rules.Attacker, rules.Defender}[i%2])
		start := b.scope.board([]rules.Ruleset{rules.GPCC2016, rules.GPCC2015}[i/2%2], size)
		if start.Size() != size {
			continue // such boards are not checked
		}
		if _, err := b.someGame(ctx, start, role, 6, nil); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is the greatest number of games that are played at once.
const atOnce = 4

func checkInterleaved(ctx context.Context, b *bench) error {
	if b.bot.media() == Sockets {
		return checkSlots(ctx, b)
	}
	b.hangUp(ctx)
	if b.absent != "" {
		return skipf("%s", b.absent)
	}
	var talks []*talk
	defer func() {
		for _, t := range talks {
			b.bot.leave(ctx, t)
			t.close()
		}
	}()
	var games []game
	for i := range atOnce {
		t, err := b.bot.open(ctx, b)
		if err != nil {
			return err
		}
		talks = append(talks, t)
		games = append(games, interleaved(b, i))
		if err := t.begin(games[i]); err != nil {
			return err
		}
	}
	return b.interleave(ctx, games, func(i int) *talk { return talks[i] })
}

// interleaved returns the i-th of several games at once.
func interleaved(b *bench, i int) game {
	g := newGame(b.gameName(), b.scope.board(rules.GPCC2015, rules.Full))
	g.role = b.scope.side([]rules.Side{rules.Attacker, rules.Defender, rules.Defender, rules.Attacker}[i%4])
	g.seed += uint64(i)
	return g
}

// checkSlots plays several games in one connection.
func checkSlots(ctx context.Context, b *bench) error {
	t, err := b.ready(ctx)
	if err != nil {
		return err
	}
	if t.intro.slots == 1 {
		return skipf("the bot plays one game at once: its hello has no slots")
	}
	var games []game
	for i := range min(t.intro.slots, atOnce) {
		games = append(games, interleaved(b, i))
		if err := t.begin(games[i]); err != nil {
			return err
		}
	}
	err = b.interleave(ctx, games, func(int) *talk { return t })
	t.pardoned = len(t.asked) // after an error
	for _, g := range games {
		err = errors.Join(err, t.end(g, g.start, "unfinished")) // the position does not matter
	}
	if t.pardoned > 0 {
		err = errors.Join(err, t.quiet(ctx, aMoment))
	}
	t.pardoned = 0
	return err
}

// interleave plays a few turns of games that have begun. In each turn it sends all requests before it reads the first
// answer.
func (b *bench) interleave(ctx context.Context, games []game, of func(int) *talk) error {
	positions, last := make([]rules.Position, len(games)), make([][]string, len(games))
	for i, g := range games {
		positions[i] = g.start
	}
	r := b.random()
	for range 12 {
		var open []int
		for i, g := range games {
			if positions[i].Over() {
				continue
			}
			if positions[i].SideToMove() != g.role {
				m := anyMove(r, positions[i])
				positions[i], last[i] = positions[i].Next(m), append(last[i], m.String())
			}
			if positions[i].Over() {
				continue
			}
			if err := of(i).ask(g, positions[i], last[i], 0); err != nil {
				return err
			}
			open = append(open, i)
		}
		for len(open) > 0 {
			t := of(open[0])
			s, err := t.answer(ctx, quick+patience)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(games, func(g game) bool { return g.name == s.game })
			m, err := b.judge(t, games[i], positions[i], s)
			if err != nil {
				return err
			}
			positions[i], last[i] = positions[i].Next(m), []string{m.String()}
			open = slices.DeleteFunc(open, func(j int) bool { return j == i })
		}
	}
	return nil
}

func checkHint(ctx context.Context, b *bench) error {
	return b.inRoles(func(side rules.Side) error {
		return b.onePosition(ctx, middle(b, rules.GPCC2015, side), func(g *game) {
			g.name, g.opponent, g.move, g.base = "hint "+g.name, "a visitor", time.Second, 0
		})
	})
}

func checkOverThinking(ctx context.Context, b *bench, t *talk) error {
	if len(b.scope.sides(rules.Attacker, rules.Defender)) == 1 {
		return b.scope.outside() // a late answer differs from the next one only by its role
	}
	for range 3 {
		g := newGame(b.gameName(), middle(b, rules.GPCC2015, rules.Defender))
		g.move = 500 * time.Millisecond
		if err := t.startThenAsk(g); err != nil {
			return err
		}
		t.pardoned++ // the answer may cross with the end
		if err := t.end(g, g.start, "unfinished"); err != nil {
			return err
		}
		for end := b.now() + 2*g.move; t.pardoned > 0 && b.now() < end; {
			s, spoke, err := t.hear(ctx, end-b.now())
			if errors.Is(err, errEnded) {
				return t.failf("the bot ends when a game ends while it thinks")
			}
			if err != nil {
				return err
			}
			if spoke {
				t.stray(s)
			}
		}
		if err := b.afterOver(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// afterOver plays a game as the attacker after a game as the defender. The answer to the last request of the earlier
// game, a slide, may still come.
func (b *bench) afterOver(ctx context.Context, t *talk) error {
	return b.partOf(t, middle(b, rules.GPCC2015, rules.Attacker), nil, func(t *talk, g game) error {
		if err := t.ask(g, g.start, nil, 0); err != nil {
			return err
		}
		s, err := t.answer(ctx, quick+patience)
		if m, wrong := rules.ParseMove(s.text); err == nil && t.pardoned > 0 && wrong == nil && m.IsSlide() {
			t.asked[g.name] = g.start
			s, err = t.answer(ctx, quick+patience)
		}
		t.pardoned = 0
		if err == nil {
			_, err = b.judge(t, g, g.start, s)
		}
		return err
	})
}

func checkResumed(ctx context.Context, b *bench) error {
	return b.inRoles(func(role rules.Side) error {
		t, err := b.ready(ctx)
		if b.bot.media() == Lines {
			t, err = b.anew(ctx) // a process that has not seen the game
		}
		if err != nil {
			return err
		}
		g := newGame(b.gameName(), middle(b, rules.GPCC2016, role))
		g.resumed = true
		_, err = b.play(ctx, t, g, 8)
		return err
	})
}

func checkUnfinished(ctx context.Context, b *bench, t *talk) error {
	return b.inRoles(func(role rules.Side) error {
		g := newGame(b.gameName(), b.scope.board(rules.GPCC2015, rules.Full))
		g.role = role
		p := g.start
		for range 2 { // the second time the game is resumed
			err := t.beginAt(g, p)
			if err == nil {
				p, _, err = b.playOn(ctx, t, g, p, 7)
			}
			if err == nil {
				err = t.end(g, p, "unfinished")
			}
			if err != nil {
				return err
			}
			g.resumed = true
		}
		return nil
	})
}

func checkSeed(ctx context.Context, b *bench) error {
	for _, role := range b.scope.sides(rules.Attacker, rules.Defender) {
		var first course
		for n := range 2 {
			c, err := b.someGame(ctx, b.scope.board(rules.GPCC2015, rules.Size{Width: 3, Height: 3}), role, 16, nil)
			if err != nil {
				return err
			}
			if n == 1 && !slices.Equal(first.moves, c.moves) {
				return b.talk.failf("as the %s it played %v, and then %v", role, first.moves, c.moves)
			}
			first = c
		}
	}
	return nil
}
