package check

import (
	"context"
	"time"
)

// endingChecks are about the end of a program.
func endingChecks() []Check {
	return []Check{
		{
			ID: "end.quit", Level: Must, Media: Lines, run: ends(func(t *talk) error { return t.sendText("quit") }),
			Demand: "Ends within 2 s after `quit`.",
		},
		{
			ID: "end.eof", Level: Must, Media: Lines, run: ends(func(t *talk) error { return t.program().stdin().Close() }),
			Demand: "Ends within 2 s after the end of its standard input.",
		},
		{
			ID: "end.sigterm", Level: Must, Media: Lines, run: ends(func(t *talk) error { t.program().terminate(); return nil }),
			Demand: "Ends within 2 s after SIGTERM.",
		},
		{
			ID: "end.thinking", Level: Should, Media: Lines, run: withTalk((*bench).played, checkEndThinking), follows: "end.quit",
			Demand: "Ends within 2 s after `quit`, even while it thinks about a move with a limit of 1 s.",
		},
		{
			ID: "end.status", Level: Should, Media: Lines, run: withTalk((*bench).quit, checkStatus), follows: "end.quit",
			Demand: "Ends with status 0 after `quit`.",
		},
		{
			ID: "end.children", Level: Should, Media: Lines, run: withTalk((*bench).quit, checkChildren), follows: "end.quit",
			Demand: "Leaves no process behind when it ends.",
		},
	}
}

// ends returns a check: a bot that has played a move must end soon after tell.
func ends(tell func(*talk) error) func(context.Context, *bench) error {
	return withTalk((*bench).played, func(ctx context.Context, b *bench, t *talk) error {
		if err := tell(t); err != nil {
			return err
		}
		return b.ended(ctx, t)
	})
}

// played returns a conversation with a new process that has played a move.
func (b *bench) played(ctx context.Context) (*talk, error) {
	if _, err := b.anew(ctx); err != nil {
		return nil, err
	}
	if err := b.onePosition(ctx, b.scope.easy()[0], nil); err != nil {
		return nil, err
	}
	return b.talk, nil
}

// ended gives up the conversation, and returns a finding if the program does not end in time.
func (b *bench) ended(ctx context.Context, t *talk) error {
	t.broken = true
	if !t.program().ends(ctx, quitTime+b.options.Slack) {
		return t.failf("the bot still runs after %v", quitTime)
	}
	return nil
}

// quit lets a new program play a move, ends the program by the line quit, and returns the conversation.
func (b *bench) quit(ctx context.Context) (*talk, error) {
	t, err := b.played(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.sendText("quit"); err != nil {
		return nil, err
	}
	if b.ended(ctx, t) != nil {
		return nil, skipf("the bot does not end")
	}
	return t, nil
}

func checkEndThinking(ctx context.Context, b *bench, t *talk) error {
	g := newGame(b.gameName(), b.scope.easy()[0])
	g.move = time.Second
	if err := t.startThenAsk(g); err != nil {
		return err
	}
	t.pardoned++ // the answer may cross with the line quit
	if err := t.sendText("quit"); err != nil {
		return err
	}
	return b.ended(ctx, t)
}

func checkStatus(ctx context.Context, b *bench, t *talk) error {
	if exit := t.program().exit(); exit != "" {
		return t.failf("the bot ends with %s", exit)
	}
	return nil
}

func checkChildren(ctx context.Context, b *bench, t *talk) error {
	n, ok := t.program().remaining()
	switch {
	case !ok:
		return skipf("this system does not report the processes that a program has started")
	case n > 0:
		return t.failf("processes that the bot has started still run: %d", n)
	}
	return nil
}
