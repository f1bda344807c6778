package check

import (
	"context"
	"slices"
	"strings"

	"versus2048/rules"
)

// framingChecks are about the bytes of lines and messages: their ends, white space, pieces and length.
func framingChecks() []Check {
	return []Check{
		{
			ID: "framing.line-ends", Level: Must, Media: Lines, run: inStyle(style{crlf: true}),
			Demand: "Reads lines that end with \\r\\n.",
		},
		{
			ID: "framing.spaces", Level: Must, Media: Both, run: inStyle(style{spaced: true}),
			Demand: "Reads empty lines and several spaces and tabs between words, or JSON with white space.",
		},
		{
			ID: "framing.pieces", Level: Must, Media: Both, run: inStyle(style{pieces: true}),
			Demand: "Reads a line that arrives in pieces, or a message in several frames.",
		},
		{
			ID: "framing.batch", Level: Must, Media: Both, run: checkBatch,
			Demand: "Reads several lines or messages at once.",
		},
		{
			ID: "framing.long", Level: Must, Media: Both, run: checkLong,
			Demand: "Reads a line of 60,000 bytes, or a message of 200,000 bytes.",
		},
	}
}

// toleranceChecks are about parts that later versions of the protocol may add, and about unusual messages of this one.
func toleranceChecks() []Check {
	return []Check{
		{
			ID: "unknown.messages", Level: Must, Media: Both, run: checkUnknownMessages,
			Demand: "Ignores lines with an unknown first word, or messages of an unknown type.",
		},
		{
			ID: "unknown.fields", Level: Must, Media: Both, run: inStyle(style{unknown: true}),
			Demand: "Ignores unknown keys or fields.",
		},
		{
			ID: "fields.order", Level: Must, Media: Both, run: inStyle(style{reversed: true}),
			Demand: "Takes keys or fields in any order, even the type of a message last.",
		},
		{
			ID: "fields.escapes", Level: Must, Media: Sockets, run: inStyle(style{escaped: true}),
			Demand: "Reads JSON strings and names of fields with \\u escapes.",
		},
		{
			ID: "fields.optional", Level: Must, Media: Both, run: inStyle(style{optional: true}),
			Demand: "Plays on with optional fields, such as a budget and limits.",
		},
		{
			ID: "text.scripts", Level: Must, Media: Both, run: checkScripts,
			Demand: "Plays against an opponent with any characters in its name.",
		},
		{
			ID: "error.survived", Level: Must, Media: Sockets, run: withTalk((*bench).ready, checkErrorSurvived),
			Demand: "Plays on after an error of the arena.",
		},
	}
}

// inStyle asks about a few positions in a style.
func inStyle(s style) func(context.Context, *bench) error {
	return func(ctx context.Context, b *bench) error { return b.positions(ctx, s, b.scope.easy()) }
}

func checkBatch(ctx context.Context, b *bench) error {
	for _, p := range b.scope.easy() {
		t, err := b.ready(ctx)
		if err != nil {
			return err
		}
		g := newGame(b.gameName(), p)
		if err := t.startAndAsk(g, p); err != nil {
			return err
		}
		if _, _, err := b.answer(ctx, t, g, p, patience); err != nil {
			return err
		}
		if err := t.end(g, p, "unfinished"); err != nil {
			return err
		}
	}
	return nil
}

// startAndAsk announces a game and asks for its first move in one write.
func (t *talk) startAndAsk(g game, p rules.Position) error {
	left, limited := g.left(g.base)
	t.open(g, p)
	var texts []string
	for _, m := range []message{t.form.begin(g, g.start, t.style), t.form.ask(g, p, nil, left, limited)} {
		text := t.form.write(m, t.style)
		t.note(fromChecker, text, t.bench.now())
		texts = append(texts, text)
	}
	if err := t.together(texts); err != nil {
		t.broken = true
		return t.failf("the bot reads nothing more: %v", err)
	}
	return nil
}

func checkLong(ctx context.Context, b *bench) error {
	length := 60_000
	if b.bot.media() == Sockets {
		length = 200_000
	}
	for _, p := range b.scope.easy() {
		if err := b.onePosition(ctx, p, func(g *game) { g.opponent = strings.Repeat("x", length) }); err != nil {
			return err
		}
	}
	return nil
}

func checkUnknownMessages(ctx context.Context, b *bench) error {
	strange := message{word: "future"}.add("game", "1").add("ply", 3)
	for _, p := range b.scope.easy() {
		t, err := b.ready(ctx)
		if err != nil {
			return err
		}
		g := newGame(b.gameName(), p)
		for _, m := range []message{strange, t.form.begin(g, p, style{}), strange, {word: "News"}} {
			if err := t.say(m); err != nil {
				return err
			}
		}
		if _, _, err := b.move(ctx, t, g, p, nil); err != nil {
			return err
		}
		if err := t.end(g, p, "unfinished"); err != nil {
			return err
		}
		if err := t.say(strange); err != nil {
			return err
		}
	}
	return nil
}

func checkScripts(ctx context.Context, b *bench) error {
	for i, opponent := range []string{"Zoë 棋士 😀", `50% = "half", \ / and 'all'`, "  "} {
		if err := b.onePosition(ctx, b.scope.easy()[i], func(g *game) { g.opponent = opponent }); err != nil {
			return err
		}
	}
	return nil
}

func checkErrorSurvived(ctx context.Context, b *bench, t *talk) error {
	for _, m := range []message{
		{word: "error", fields: []field{{"code", "unknown_game"}, {"message", "the checker tries this"}, {"game", "none"}, {"ply", 3}}},
		{word: "error", fields: []field{{"code", "of a later version"}, {"message", ""}}},
	} {
		if err := t.say(m); err != nil {
			return err
		}
	}
	return b.positions(ctx, style{}, slices.Concat(b.scope.easy(), b.scope.easy()))
}
