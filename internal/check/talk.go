package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"versus2048/players/process"
	"versus2048/rules"
)

// channel carries lines to a program and back, or messages over a WebSocket.
type channel interface {
	send(pieces ...string) error   // the pieces of one text, sent apart
	together(texts []string) error // several texts, sent in one write
	texts() <-chan received        // the bot's texts; closed at the end of the channel
	stderr() string                // the end of the bot's standard error, if that is known
	close()                        // frees the resources of the channel, whatever the bot does
}

// received is a text from a bot.
type received struct {
	text    string
	at      time.Duration // by the bench's clock
	problem string        // the fault of a binary frame or of a line that is too long, else ""
}

// The sides of a conversation.
const (
	fromChecker = "checker"
	fromBot     = "bot"
)

// patience is the time that a bot may take for anything without a limit of its own.
const patience = 10 * time.Second

// talk is a conversation with a bot over one channel, from its first text to its last.
type talk struct {
	channel
	bench *bench
	form  form
	style style
	began time.Duration

	lines   []Line // the last lines in both directions
	intro   intro
	infos   []said // the info lines since the last request
	heard   int    // lines since the last request
	written int    // bytes since the last request
	greeted bool   // the bot is ready
	broken  bool   // the channel cannot be used any more

	asked    map[string]rules.Position // the open requests by the game
	sent     time.Duration             // when the last request was sent
	last     map[string]said           // the last answer in each game; in the line protocol under ""
	waiting  []said                    // answers to open requests that came before anybody waited for them
	pardoned int                       // the number of late answers that are not counted as mistakes
	resume   *string                   // the secret "resume" of the bot's hello, nil for none
}

// intro is a bot's introduction of itself at the beginning.
type intro struct {
	name, version string
	slots         int
	options       []botOption
	plays         rules.Variants
	early         []said // messages before their time
}

// The parts of a conversation that are kept and shown.
const (
	kept    = 24  // the least number of last lines that are kept
	excerpt = 12  // lines that a failure shows
	widest  = 240 // the largest number of bytes of a line that are shown
)

func (t *talk) note(from, text string, at time.Duration) {
	if end := widest; len(text) > end {
		for end > widest-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = fmt.Sprintf("%s... (%d bytes)", text[:end], len(text))
	}
	t.lines = append(t.lines, Line{at - t.began, from, text})
	if len(t.lines) > 2*kept {
		t.lines = slices.Clone(t.lines[len(t.lines)-kept:])
	}
}

// failf returns a mistake of the bot, with the lines that show it.
func (t *talk) failf(format string, args ...any) *finding {
	lines := slices.Clone(t.lines[max(0, len(t.lines)-excerpt):])
	return &finding{Failure: Failure{Problem: fmt.Sprintf(format, args...), Wire: lines, Stderr: t.stderr()}}
}

// blame counts a mistake of the bot against the check for such mistakes, even while another check runs.
func (t *talk) blame(owner, format string, args ...any) {
	f := t.failf(format, args...)
	f.owner = owner
	t.bench.found(f)
}

func (t *talk) say(m message) error { return t.sendText(t.form.write(m, t.style)) }

func (t *talk) sendText(text string) error {
	t.drain()
	t.note(fromChecker, text, t.bench.now())
	if err := t.send(t.form.frame(text, t.style)...); err != nil {
		t.broken = true
		return t.failf("the bot reads nothing more: %v", err)
	}
	return nil
}

// errEnded means that the bot ended the conversation.
var errEnded = errors.New("the bot ended the conversation")

// hear returns the next message of the bot. ok is false if no message comes within the limit. After the bot's last
// message hear returns errEnded, and for a bot that floods the checker a finding.
func (t *talk) hear(ctx context.Context, limit time.Duration) (s said, ok bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r, open := <-t.texts():
		if !open {
			t.broken = true
			return s, false, errEnded
		}
		if s = t.read(r); t.floods() {
			t.broken = true
			return s, false, t.failf("the bot has written more than %d bytes since the last request: an arena would end it", process.DefaultLimits().Output)
		}
		return s, true, nil
	case <-timer.C:
		return s, false, nil
	case <-ctx.Done():
		return s, false, ctx.Err()
	}
}

// modest is the least number of lines that are too many for one move.
const modest = 1000

// floods reports whether a program has written more since the last request than an arena takes.
func (t *talk) floods() bool { return !t.form.named() && t.written > process.DefaultLimits().Output }

// read reads a text of the bot. It blames the bot for a text that the protocol does not have, and for too many lines.
func (t *talk) read(r received) said {
	t.note(fromBot, r.text, r.at)
	t.written += len(r.text) + 1
	if t.heard++; t.heard == modest {
		t.blame("output.modest", "%d lines for one move", modest)
	}
	s := t.form.read(r.text)
	s.at = r.at
	if r.problem != "" {
		s.invalid = r.problem
	}
	switch {
	case s.invalid != "" && s.blame != "":
		t.blame(s.blame, "%s", s.invalid)
	case s.invalid != "":
		t.blame("output.valid", "%s", s.invalid)
	case s.kind == saidUnknown && t.greeted:
		t.blame("output.words", "the protocol has no such line: it is ignored, and a log belongs on stderr")
	}
	return s
}

// drain hears the texts that the bot has sent already, unless it floods the checker.
func (t *talk) drain() {
	for {
		select {
		case r, open := <-t.texts():
			if open {
				t.keep(t.read(r))
			}
			if !open || t.floods() {
				t.broken = true
				return
			}
		default:
			return
		}
	}
}

// stray handles a message of the bot that answers no open request.
func (t *talk) stray(s said) {
	switch {
	case !s.answers():
		if s.kind == saidInfo {
			t.infos = append(t.infos, s)
		}
	case t.pardoned > 0:
		t.pardoned--
	case s.kind == saidCannotMove && !t.form.named():
		// The bot answers a line that is no request, such as an option that it does not have.
	case s.repeats(t.last[s.game]):
		t.bench.doubles = true
		t.blame("answer.once", "a second answer to the same request")
	default:
		t.blame("answer.unasked", "an answer, although nobody asks")
	}
}

// keep keeps an answer to an open request until somebody waits for it. Any other message is a stray one.
func (t *talk) keep(s said) {
	_, open := t.asked[s.game]
	if s.answers() && (open || !t.form.named() && len(t.asked) > 0) {
		t.waiting = append(t.waiting, s)
		return
	}
	t.stray(s)
}

// quiet hears the bot's messages for a while.
func (t *talk) quiet(ctx context.Context, d time.Duration) error {
	for end := t.bench.now() + d; ; {
		left := end - t.bench.now()
		if left <= 0 {
			return nil
		}
		s, ok, err := t.hear(ctx, left)
		if errors.Is(err, errEnded) {
			return t.failf("the bot ends, although it was not told to")
		}
		if err != nil {
			return err
		}
		if ok {
			t.keep(s)
		}
	}
}

func (t *talk) begin(g game) error { return t.beginAt(g, g.start) }

// beginAt announces a game at a position that was reached already.
func (t *talk) beginAt(g game, p rules.Position) error { return t.say(t.form.begin(g, p, t.style)) }

// ask sends a request for a move in p. total is the rest of the bot's time for the game.
func (t *talk) ask(g game, p rules.Position, moves []string, total time.Duration) error {
	left, limited := g.left(total)
	return t.askWithin(g, p, moves, left, limited)
}

func (t *talk) askWithin(g game, p rules.Position, moves []string, left time.Duration, limited bool) error {
	t.open(g, p)
	return t.say(t.form.ask(g, p, moves, left, limited))
}

// open opens a request for a move in p, which is sent next.
func (t *talk) open(g game, p rules.Position) {
	t.drain()
	t.infos, t.heard, t.written = nil, 0, 0
	t.asked[g.name], t.sent = p, t.bench.now()
}

// startThenAsk announces a game and asks for its first move.
func (t *talk) startThenAsk(g game) error {
	if err := t.begin(g); err != nil {
		return err
	}
	return t.ask(g, g.start, nil, g.base)
}

// answer waits for the answer to an open request; if several are open, to any of them. It returns a finding if the bot
// ends, or does not answer within the limit.
func (t *talk) answer(ctx context.Context, limit time.Duration) (said, error) {
	for end := t.bench.now() + limit; ; {
		s, ok, err := t.next(ctx, end-t.bench.now())
		if errors.Is(err, errEnded) {
			return s, t.failf("the bot ends in place of an answer")
		}
		if err != nil {
			return s, err
		}
		if !ok {
			t.broken = true
			return s, t.failf("no answer within %v%s", limit, t.unheard())
		}
		switch {
		case s.kind == saidInfo:
			t.infos = append(t.infos, s)
		case !s.answers():
		case s.repeats(t.last[s.game]) && t.form.named():
			t.stray(s)
		default:
			if t.matches(&s) {
				t.last[t.key(s)] = s
				if !t.bench.doubles {
					return s, nil
				}
				return s, t.quiet(ctx, aMoment/20)
			}
		}
	}
}

// key returns the key of an answer in t.last.
func (t *talk) key(s said) string {
	if t.form.named() {
		return s.game
	}
	return ""
}

// next returns the first of the waiting messages. If none waits, it hears the next one.
func (t *talk) next(ctx context.Context, limit time.Duration) (s said, ok bool, err error) {
	if len(t.waiting) == 0 {
		return t.hear(ctx, max(0, limit))
	}
	s, t.waiting = t.waiting[0], t.waiting[1:]
	return s, true, nil
}

// matches finds the open request that an answer is for, and blames the bot if the answer does not repeat the
// request's game and ply.
func (t *talk) matches(s *said) bool {
	p, ok := t.asked[s.game]
	switch {
	case !t.form.named():
		for name := range t.asked {
			s.game = name
		}
	case ok && s.ply == p.Ply():
	case !ok && t.pardoned > 0:
		t.pardoned--
		return false
	case len(t.asked) == 1:
		for name, p := range t.asked {
			t.blame("answer.echo", "the answer is for game %q and ply %d, the request for game %q and ply %d", s.game, s.ply, name, p.Ply())
			s.game, s.ply = name, p.Ply()
		}
	default:
		t.blame("answer.echo", "the answer is for game %q and ply %d, which nobody asked for", s.game, s.ply)
		return false
	}
	delete(t.asked, s.game)
	return true
}

func (t *talk) end(g game, p rules.Position, ending string) error {
	delete(t.asked, g.name)
	for _, s := range t.waiting {
		t.stray(s)
	}
	t.waiting = nil
	return t.say(t.form.end(g, p, ending))
}
