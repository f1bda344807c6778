package check

import (
	"context"
	"errors"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// connectionChecks returns the checks of the connection of a bot that speaks WebSocket. They come last: a bot
// that fails one of them may not come back.
func connectionChecks() []Check {
	return []Check{
		{
			ID: "ping.answered", Level: Must, Media: Sockets, run: withTalk((*bench).ready, checkPing),
			Demand: "Answers a ping by a pong of the same content.",
		},
		{
			ID: "ping.thinking", Level: Should, Media: Sockets, run: withTalk((*bench).ready, checkPingThinking), follows: "ping.answered",
			Demand: "Answers a ping within 3 s while it thinks.",
		},
		{
			ID: "connection.cut", Level: Should, Media: Sockets, run: checkCut,
			Demand: "Connects again, with its hello, after a connection lost while it thinks.",
		},
		{
			ID: "resume.request", Level: Should, Media: Sockets, run: checkRepeated, follows: "connection.cut",
			Demand: "Answers the repeated request after it has connected again.",
		},
		{
			ID: "resume.secret", Level: Info, Media: Sockets, run: withTalk((*bench).ready, checkSecret), follows: "connection.cut",
			Demand: "Asks for the secret `resume` in its hello and sends it on its return.",
		},
		{
			ID: "refusal.in-use", Level: Should, Media: Sockets, run: checkInUse, follows: "connection.cut",
			Demand: "Tries again while its name is in use, on its return and after it was killed and started again.",
		},
		{
			ID: "goodbye.returns", Level: Should, Media: Sockets, run: withTalk((*bench).ready, checkReturns),
			Demand: "Connects again after a goodbye with `reconnect` true.",
		},
		{
			ID: "refusal.stops", Level: Should, Media: Sockets, run: withTalk((*bench).restarted, checkStops), starts: true,
			Demand: "Does not connect again after a refusal that another attempt cannot change.",
		},
		{
			ID: "goodbye.leaves", Level: Should, Media: Sockets, run: withTalk((*bench).ready, checkLeaves),
			Demand: "Closes the connection for good after a goodbye without `reconnect`.",
		},
	}
}

func checkPing(ctx context.Context, b *bench, t *talk) error {
	for _, payload := range []string{"", "check 1", "\x00\xff"} {
		if err := t.socket().ping(payload); err != nil {
			return t.failf("the bot takes no ping: %v", err)
		}
		if !t.socket().pong(ctx, payload, patience) {
			return t.failf("no pong with the content %q within %v", payload, patience)
		}
	}
	return nil
}

func checkPingThinking(ctx context.Context, b *bench, t *talk) error {
	const soon = 3 * time.Second
	g := newGame(b.gameName(), b.scope.easy()[0])
	g.move = 2 * soon
	if err := t.startThenAsk(g); err != nil {
		return err
	}
	asked := b.now()
	if err := t.socket().ping("thinking"); err != nil {
		return t.failf("the bot takes no ping: %v", err)
	}
	answered := t.socket().pong(ctx, "thinking", soon-(b.now()-asked))
	if _, err := t.answer(ctx, g.move+patience); err != nil {
		return err
	}
	if !answered {
		return t.failf("no pong within %v while the bot thinks", soon)
	}
	return t.end(g, g.start, "unfinished")
}

// socketBot returns the bot as one that connects.
func (b *bench) socketBot() *SocketBot { return b.bot.(*SocketBot) }

// arrive waits for the bot to come back by itself, and reads its hello.
func (b *bench) arrive(ctx context.Context, after *talk) (*talk, error) {
	t, err := b.socketBot().arrival(ctx, b, b.options.Wait)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, after.failf("the bot does not connect again within %v", b.options.Wait)
	}
	b.talk = t
	return t, t.readHello(ctx)
}

// returns checks that the bot comes back by itself, and welcomes it.
func (b *bench) returns(ctx context.Context, after *talk) error {
	t, err := b.arrive(ctx, after)
	if err != nil {
		return err
	}
	return t.admit(nil)
}

// restarted ends the bot, waits until it has been started and has connected again, and reads its hello.
func (b *bench) restarted(ctx context.Context) (*talk, error) {
	b.hangUp(ctx)
	b.socketBot().stop(0)
	t, err := b.socketBot().await(ctx, b)
	if err != nil {
		return nil, err
	}
	return t, t.readHello(ctx)
}

// cut cuts the connection without a goodbye or a close frame.
func (t *talk) cut() {
	t.broken = true
	t.note(fromChecker, "(the connection is cut)", t.bench.now())
	t.close()
}

// cutInThought begins a game, asks for a move and cuts the connection.
func (b *bench) cutInThought(ctx context.Context) (t *talk, g game, err error) {
	if t, err = b.ready(ctx); err != nil {
		return nil, g, err
	}
	g = newGame(b.gameName(), middle(b, rules.GPCC2015, b.scope.side(rules.Defender)))
	g.move = 5 * time.Second
	if err := t.startThenAsk(g); err != nil {
		return nil, g, err
	}
	t.cut()
	return t, g, nil
}

func checkCut(ctx context.Context, b *bench) error {
	t, _, err := b.cutInThought(ctx)
	if err != nil {
		return err
	}
	return b.returns(ctx, t)
}

func checkRepeated(ctx context.Context, b *bench) error {
	before, g, err := b.cutInThought(ctx)
	if err != nil {
		return err
	}
	t, err := b.arrive(ctx, before)
	if err != nil {
		return skipf("the bot does not come back")
	}
	if err := t.admit([]string{g.name}); err != nil {
		return err
	}
	g.resumed = true
	if err := t.beginAt(g, g.start); err != nil {
		return err
	}
	if err := t.ask(g, g.start, nil, 0); err != nil {
		return err
	}
	if _, _, err := b.answer(ctx, t, g, g.start, g.move+patience); err != nil {
		return err
	}
	t.pardoned++ // the answer from before the cut
	if err := t.quiet(ctx, aMoment); err != nil {
		return err
	}
	t.pardoned = 0
	return t.end(g, g.start, "unfinished")
}

func checkSecret(ctx context.Context, b *bench, t *talk) error {
	if t.resume == nil {
		return t.failf("the hello has no `resume`")
	}
	t.cut()
	again, err := b.arrive(ctx, t)
	if err != nil {
		return skipf("the bot does not come back")
	}
	if again.resume == nil || *again.resume != resumeSecret {
		return again.failf("the second hello does not have the secret of the welcome")
	}
	return again.admit(nil)
}

// refuse refuses the bot and closes the connection.
func (t *talk) refuse(code protocol.Code) error {
	t.broken = true
	err := t.say(message{word: "refusal"}.add("code", code).add("message", "the checker tries this"))
	t.socket().end(websocket.ClosePolicyViolation)
	return err
}

func checkInUse(ctx context.Context, b *bench) error {
	before, _, err := b.cutInThought(ctx)
	if err != nil {
		return err
	}
	t, err := b.arrive(ctx, before)
	if err != nil {
		return skipf("the bot does not come back")
	}
	if err := b.insists(ctx, t); err != nil {
		return err
	}
	if t, err = b.restarted(ctx); err != nil {
		return err
	}
	return b.insists(ctx, t)
}

// insists checks that the bot comes again after the refusal of a name that is in use.
func (b *bench) insists(ctx context.Context, t *talk) error {
	if err := t.refuse(protocol.NameInUse); err != nil {
		return err
	}
	return b.returns(ctx, t)
}

func checkReturns(ctx context.Context, b *bench, t *talk) error {
	b.socketBot().leave(ctx, t)
	t.broken = true
	return b.returns(ctx, t)
}

// staysAway checks that the bot does not connect again.
func (b *bench) staysAway(ctx context.Context, t *talk) error {
	const away = 3 * time.Second
	again, err := b.socketBot().arrival(ctx, b, away)
	if err != nil || again == nil {
		return err
	}
	again.close()
	return t.failf("the bot connects again within %v", away)
}

func checkStops(ctx context.Context, b *bench, t *talk) error {
	if err := t.refuse(protocol.BadToken); err != nil {
		return err
	}
	defer b.socketBot().stop(0)
	return b.staysAway(ctx, t)
}

func checkLeaves(ctx context.Context, b *bench, t *talk) error {
	if err := t.say(goodbye("the checks are over", false)); err != nil {
		return err
	}
	t.broken = true
	_ = t.socket().ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, ""), time.Now().Add(time.Second))
	var left []error
	select {
	case <-t.socket().ready:
	case <-time.After(patience):
		left = append(left, t.failf("the bot does not close the connection"))
	}
	t.close()
	return errors.Join(append(left, b.staysAway(ctx, t))...)
}
