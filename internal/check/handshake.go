package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/protocol"
	"versus2048/protocol/stdio"
)

// handshakeChecks are about the beginning of a conversation.
func handshakeChecks() []Check {
	return []Check{
		{
			ID: "handshake.ready", Level: Must, Media: Both, run: withTalk((*bench).ready, checkReady),
			Demand: "Answers `v2048 1` with `ready` within `--start-timeout` (1 min), or sends a valid hello within 10 s.",
		},
		{
			ID: "answer.once", Level: Must, Media: Both, run: checkOnce, // early: see bench.doubles
			Demand: "Answers each request once.",
		},
		{
			ID: "handshake.subprotocol", Level: Must, Media: Sockets, run: withTalk((*bench).ready, checkSubprotocol),
			Demand: "Offers the subprotocol versus2048.v1 when it opens the WebSocket.",
		},
		{
			ID: "handshake.patient", Level: Must, Media: Both, run: checkPatient,
			Demand: "Says nothing unasked: no line before `v2048 1`, no message between hello and welcome.",
		},
		{
			ID: "handshake.identity", Level: Info, Media: Both, run: withTalk((*bench).ready, checkIdentity),
			Demand: "Says which bot it is: `id name` and `id version`, or the hello's version.",
		},
		{
			ID: "handshake.options", Level: Must, Media: Lines, run: withTalk((*bench).ready, checkOptions),
			Demand: "Its options have different names, known types and valid defaults.",
		},
		{
			ID: "handshake.set", Level: Must, Media: Lines, run: withTalk((*bench).anew, checkSet),
			Demand: "Plays with each of its options set to the default.",
		},
		{
			ID: "handshake.unknown-option", Level: Must, Media: Lines, run: withTalk((*bench).anew, checkUnknownOption),
			Demand: "Plays on after `set` of an unknown option.",
		},
	}
}

func checkReady(context.Context, *bench, *talk) error { return nil }

func checkSubprotocol(ctx context.Context, b *bench, t *talk) error {
	if got := t.socket().ws.Subprotocol(); got != protocol.Subprotocol {
		return t.failf("the bot does not offer the subprotocol %s in the header Sec-WebSocket-Protocol", protocol.Subprotocol)
	}
	return nil
}

// aMoment is the time that the checker waits for a message that must not come.
const aMoment = 200 * time.Millisecond

func checkPatient(ctx context.Context, b *bench) error {
	if b.bot.media() == Sockets {
		t, err := b.ready(ctx)
		if err == nil && len(t.intro.early) > 0 {
			err = t.failf("the bot sends something between its hello and the welcome")
		}
		return err
	}
	b.hangUp(ctx)
	if b.absent != "" {
		return skipf("%s", b.absent)
	}
	t, err := b.bot.(*LineBot).launch(b)
	if err != nil {
		return err
	}
	defer func() { t.broken = !t.greeted }()
	b.talk = t
	_, spoke, err := t.hear(ctx, aMoment)
	switch {
	case errors.Is(err, errEnded):
		return t.failf("the bot ends before the first line")
	case err != nil:
		return err
	case spoke:
		return t.failf("a line before `v2048 1`")
	}
	if err := t.greet(ctx); err != nil {
		return err
	}
	if len(t.intro.early) > 0 {
		return t.failf("a line between `v2048 1` and `ready` that is not `id`, `option` or `plays`")
	}
	return nil
}

func checkIdentity(_ context.Context, _ *bench, t *talk) error {
	switch {
	case t.intro.name == "":
		return t.failf("no `id name`")
	case t.intro.version == "":
		return t.failf("no version")
	}
	return nil
}

func checkOptions(ctx context.Context, b *bench, t *talk) error {
	var all []error
	seen := map[string]bool{}
	for _, o := range t.intro.options {
		if seen[o.Name] {
			all = append(all, t.failf("the option %s comes twice", o.Name))
		}
		seen[o.Name] = true
		if err := optionError(o); err != nil {
			all = append(all, t.failf("%v", err))
		}
	}
	return errors.Join(all...)
}

// optionError returns an error for an invalid option.
func optionError(o botOption) error {
	switch o.Type {
	case stdio.IntType, stdio.FloatType, stdio.StringType, stdio.BoolType, stdio.ChoiceType:
	default:
		return fmt.Errorf("option %s: type=%s: want int, float, string, bool or choice", o.Name, o.Type)
	}
	if o.Default == "" {
		return nil // none, or the empty text
	}
	return o.Check(o.Default)
}

func checkSet(ctx context.Context, b *bench, t *talk) error {
	for _, o := range t.intro.options {
		if o.Default == "" || optionError(o) != nil {
			continue
		}
		if err := t.sendText(stdio.Set{Name: o.Name, Value: o.Default}.String()); err != nil {
			return err
		}
		s, spoke, err := t.hear(ctx, aMoment/10)
		if errors.Is(err, errEnded) || spoke && s.kind == saidCannotMove {
			return t.failf("the bot does not take its own default %s=%s", o.Name, o.Default)
		}
	}
	return b.positions(ctx, style{}, b.scope.easy())
}

func checkUnknownOption(ctx context.Context, b *bench, t *talk) error {
	if err := t.sendText("set no_such_option=1"); err != nil {
		return err
	}
	// If the bot reported its error after the next request, the error would count as the answer to that request.
	if _, _, err := t.hear(ctx, aMoment); errors.Is(err, errEnded) {
		return t.failf("the bot ends")
	} // any other error counts as no answer
	return b.positions(ctx, style{}, b.scope.easy())
}
