package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"versus2048/rules"
)

// bench checks one bot.
type bench struct {
	bot     Bot
	options Options
	scope   scope
	met     bool                 // the bot has said which games it plays
	now     func() time.Duration // never goes back; it stands still while this process does

	talk     *talk // the open conversation, nil if there is none
	name     string
	doubles  bool            // the bot has answered twice, so that the checker waits for second answers
	absent   string          // the reason why no conversation with the bot is possible any more, "" for none
	runs     map[string]bool // the checks that were asked for
	current  Check
	failures map[string][]Failure
	names    int // the number of games that were named so far
}

// mostFailures is the largest number of failures of a check that are reported.
const mostFailures = 5

// found adds a finding to the failures of its check.
func (b *bench) found(f *finding) {
	owner := f.owner
	if owner == "" {
		owner = b.current.ID
	}
	if list := b.failures[owner]; len(list) < mostFailures {
		f.Wire = append([]Line{}, f.Wire...) // in JSON a list, also before the bot has said anything
		b.failures[owner] = append(list, f.Failure)
		if len(list) == 0 && b.options.Found != nil {
			b.options.Found(owner, f.Problem)
		}
	}
}

// ready returns a conversation with a bot that is ready: the open conversation if it is sound, else a new one.
func (b *bench) ready(ctx context.Context) (*talk, error) {
	if b.talk != nil && !b.talk.broken {
		b.talk.style = style{}
		b.talk.drain()
	}
	if b.talk != nil && !b.talk.broken && len(b.talk.asked) == 0 {
		return b.talk, nil
	}
	return b.anew(ctx)
}

// anew ends the open conversation and begins another one.
func (b *bench) anew(ctx context.Context) (*talk, error) {
	b.hangUp(ctx)
	if b.absent != "" {
		return nil, skipf("%s", b.absent)
	}
	t, err := b.bot.open(ctx, b)
	if err != nil {
		return nil, err
	}
	b.talk, b.name = t, t.intro.name
	return t, nil
}

// hangUp ends the open conversation.
func (b *bench) hangUp(ctx context.Context) {
	if b.talk != nil {
		b.bot.leave(ctx, b.talk)
		b.talk.close()
		b.talk = nil
	}
}

// newTalk returns a conversation over a channel.
func (b *bench) newTalk(c channel, f form) *talk {
	return &talk{channel: c, bench: b, form: f, began: b.now(), asked: map[string]rules.Position{}, last: map[string]said{}}
}

func (b *bench) gameName() string {
	b.names++
	return fmt.Sprintf("check-%d", b.names)
}

// random returns the random numbers of the check that runs.
func (b *bench) random() *rand.Rand {
	seed := uint64(2048)
	for _, c := range b.current.ID {
		seed = seed*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(seed, 2048))
}

// position begins a game at p, asks the bot for its move, and judges the move. change, if it is not nil, may change the
// game before it begins.
func (b *bench) position(ctx context.Context, t *talk, p rules.Position, change func(*game)) error {
	return b.partOf(t, p, change, func(t *talk, g game) error {
		_, _, err := b.move(ctx, t, g, p, nil)
		return err
	})
}

// positions asks the bot for its move in each position. The check goes on after an error, unless the conversation is
// broken or there are mostFailures errors.
func (b *bench) positions(ctx context.Context, s style, list []rules.Position) error {
	var all []error
	for _, p := range list {
		t, err := b.ready(ctx)
		if err != nil {
			return errors.Join(append(all, err)...)
		}
		t.style = s
		if err := b.position(ctx, t, p, nil); err != nil {
			all = append(all, err)
			if t.broken || len(all) == mostFailures {
				break
			}
		}
	}
	return errors.Join(all...)
}

// move asks for a move in p and judges it. Without an error the returned move is legal.
func (b *bench) move(ctx context.Context, t *talk, g game, p rules.Position, moves []string) (rules.Move, said, error) {
	if err := t.ask(g, p, moves, g.base); err != nil {
		return 0, said{}, err
	}
	return b.answer(ctx, t, g, p, g.move+patience)
}

// answer waits for the answer to the request for a move in p, and judges it.
func (b *bench) answer(ctx context.Context, t *talk, g game, p rules.Position, limit time.Duration) (rules.Move, said, error) {
	s, err := t.answer(ctx, limit)
	if err != nil {
		return 0, s, err
	}
	m, err := b.judge(t, g, p, s)
	return m, s, err
}

// judge returns the move of an answer, or a legal move in place of a wrong one. A mistake in the answer counts against
// the check for such mistakes. If there is no check for it, judge returns the mistake as an error, which counts against
// the check that runs.
func (b *bench) judge(t *talk, g game, p rules.Position, s said) (rules.Move, error) {
	instead := p.AppendMoves(nil)[0]
	switch s.kind {
	case saidResign:
		if !g.resign {
			t.blame("answer.resign", "the bot resigns, although it may not")
		}
		return instead, nil
	case saidCannotMove:
		if b.current.illegal == "" {
			return instead, t.failf("the bot gives up: %.200s", s.text)
		}
		t.blame("answer.gives-up", "the bot gives up: %.200s", s.text)
		return instead, nil
	}
	m, err := rules.ParseMove(s.text)
	if err != nil {
		t.blame("answer.notation", "%.80q is not in the notation, as %q is", s.text, instead.String())
		if m, err = rules.ParseMove(strings.ToUpper(strings.Join(strings.Fields(s.text), ""))); err != nil {
			return instead, nil
		}
	}
	_, err = p.Play(m)
	var wrong *rules.IllegalMoveError
	switch {
	case err == nil:
		return m, nil
	case errors.As(err, &wrong) && wrong.Reason == rules.NoFours:
		t.blame("moves.twos", "%s: under %s the attacker places only 2s", m, p.Rules())
		return rules.Place(m.Cell(), false), nil
	case b.current.illegal != "":
		t.blame(b.current.illegal, "%v", err)
		return instead, nil
	}
	return instead, t.failf("%v", err)
}

func (b *bench) run(ctx context.Context, checks []Check) ([]Result, error) {
	defer b.hangUp(context.WithoutCancel(ctx))
	results := make([]Result, 0, len(checks))
	b.runs = map[string]bool{}
	for _, c := range checks {
		b.runs[c.ID] = true
	}
	for _, c := range checks {
		b.current = c
		began := b.now()
		why, err := b.try(ctx, c)
		if err != nil {
			b.settle(checks[:len(results)], results)
			return results, err
		}
		result := Result{ID: c.ID, Level: c.Level, Demand: c.Demand, State: Passed, Took: b.now() - began}
		if why != "" {
			result.State, result.Why = Skipped, why
		}
		results = append(results, result)
		if b.options.Progress != nil {
			b.options.Progress(c)
		}
	}
	b.hangUp(ctx)
	b.settle(checks, results)
	return results, ctx.Err()
}

// try runs a check. why is the reason if the check could not be tried, and "" if it was tried. The error is ctx's.
func (b *bench) try(ctx context.Context, c Check) (why string, err error) {
	if c.starts && !b.bot.starts() {
		return "the bot would have to be started again: give its command, too", nil
	}
	if !b.met {
		_, err = b.ready(ctx)
	}
	if err == nil {
		err = c.run(ctx, b)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err == nil {
		return "", nil
	}
	for _, e := range findings(err) {
		if skip := (errSkip{}); errors.As(e, &skip) {
			why = skip.why
			continue
		}
		f, ok := e.(*finding)
		if !ok {
			f = &finding{Failure: Failure{Problem: e.Error()}}
		}
		if !b.runs[f.owner] {
			f.owner = "" // the check for such mistakes was not asked for
		}
		b.found(f)
	}
	return why, nil
}

// settle puts the failures into the results of their checks. Other checks may have found them. A failed check that
// depends on another failed check counts as skipped.
func (b *bench) settle(checks []Check, results []Result) {
	for i := range results {
		r := &results[i]
		if r.Failures = b.failures[r.ID]; len(r.Failures) > 0 {
			r.State, r.Why = Failed, ""
		}
	}
	failed := func(fits func(Result) bool) int {
		return slices.IndexFunc(results, func(r Result) bool { return r.State == Failed && fits(r) })
	}
	for i := range results {
		r := &results[i]
		cause := failed(func(other Result) bool { return checks[i].follows == other.ID })
		if r.ID == movesInGames { // failures in whole games add nothing to failures in positions
			cause = failed(func(other Result) bool { return other.ID != movesInGames && strings.HasPrefix(other.ID, "moves.") })
		}
		if r.State == Failed && cause >= 0 {
			r.State, r.Why, r.Failures = Skipped, results[cause].ID+" failed", nil
		}
	}
}
