package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Player is a model in one game. It implements players.Searcher.
type Player struct {
	model    *Model
	clock    players.Clock
	fallback players.Player
	log      *slog.Logger

	used   time.Duration // of the clock so far
	moves  int           // so far
	tally  Tally
	search *record.SearchReport
}

// Choose asks the model for a move. The model's deadline is earlier than the deadline of ctx. If none of its attempts
// gives a legal move by then, the fallback moves. For a forced move nobody is asked.
func (p *Player) Choose(ctx context.Context, position rules.Position) (rules.Move, error) {
	began := time.Now()
	defer func() {
		p.used += time.Since(began)
		p.moves++
	}()
	p.search = nil
	legal := position.AppendMoves(nil)
	if len(legal) == 1 {
		return legal[0], nil
	}
	allowed := p.allowed(ctx)
	asking, cancel := context.WithTimeout(ctx, allowed)
	defer cancel()
	turn := Tally{Moves: 1}
	m, err := p.ask(asking, position, legal, &turn)
	turn.Waited = time.Since(began)
	p.search = &record.SearchReport{Time: turn.Waited, TokensRead: turn.Tokens.Read, TokensWritten: turn.Tokens.Written}
	if err == nil {
		p.search.Variation = []rules.Move{m}
	} else {
		turn.Fallback = 1
		m, err = p.fallBack(ctx, position, inTime(asking, err, allowed))
	}
	p.tally.add(turn)
	p.model.count(turn)
	return m, err
}

// ask asks the model until it names a legal move, at most Attempts times.
func (p *Player) ask(ctx context.Context, position rules.Position, legal []rules.Move, turn *Tally) (rules.Move, error) {
	deadline, _ := ctx.Deadline()
	seen := NewTurn(position, time.Until(deadline))
	messages, err := p.model.Prompt.Messages(seen)
	if err != nil {
		return 0, err
	}
	var wrong error
	for range p.model.Attempts {
		answer, err := p.model.Endpoint.Ask(ctx, messages, legal)
		if err != nil {
			return 0, err
		}
		m, err := ReadMove(answer.Text, position)
		turn.count(answer, err)
		if err == nil {
			return m, nil
		}
		wrong = err
		if p.tally.Illegal+p.tally.Unreadable+turn.Illegal+turn.Unreadable == 1 { // the first of the game
			p.log.Info("an answer of the model does not count", "ply", position.Ply(), "answer", cut(answer.Text, 200), "cut", answer.Cut, "why", err)
		}
		refusal, err := p.model.Prompt.Refusal(seen, wrong)
		if err != nil {
			return 0, err
		}
		messages = append(messages, Message{"assistant", cut(answer.Text, 2000)}, refusal)
	}
	return 0, fmt.Errorf("none of %d answers has a legal move, the last since %w", p.model.Attempts, wrong)
}

// count counts an answer; err is from ReadMove.
func (t *Tally) count(answer Completion, err error) {
	t.Answers++
	t.Tokens.Read += answer.Tokens.Read
	t.Tokens.Written += answer.Tokens.Written
	switch {
	case errors.Is(err, ErrUnreadable):
		t.Unreadable++
	case err != nil:
		t.Illegal++
	}
}

// fallBack returns the move of the fallback. The log has the reason once a game.
func (p *Player) fallBack(ctx context.Context, position rules.Position, why error) (rules.Move, error) {
	if p.tally.Fallback == 0 && !errors.Is(ctx.Err(), context.Canceled) { // canceled: the game is over
		p.log.Warn("the fallback moves for the model", "ply", position.Ply(), "why", why)
	}
	return p.fallback.Choose(ctx, position)
}

const (
	longestReserve = 500 * time.Millisecond // before the deadline, for the fallback
	// One move takes at most 1/shareOfTotal of the rest of a total time, and 3/4 of an increment.
	shareOfTotal = 20
)

// allowed returns the time for the model's part of the move. A server that hangs must not use up a total time: the rest
// of the game would have none.
func (p *Player) allowed(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return p.model.Patience
	}
	left := time.Until(deadline)
	allowed := max(0, min(p.model.Patience, left-min(left/10, longestReserve)))
	if p.clock.Base > 0 {
		allowed = min(allowed, p.total(left)/shareOfTotal+p.clock.Increment*3/4)
	}
	return allowed
}

// total returns the rest of the total time of the game. left is the time until the deadline of the move. It is also the
// rest of the total time, unless the limit of each move comes first: then the rest is computed from the moves so far.
// Moves before a reconnect are not counted.
func (p *Player) total(left time.Duration) time.Duration {
	if p.clock.PerMove == 0 || left < p.clock.PerMove/2 {
		return left
	}
	return max(left, p.clock.Base+time.Duration(p.moves)*p.clock.Increment-p.used)
}

// LastSearch returns the time and the tokens of the model's answers for the last move. The report's variation is the
// move, unless the fallback chose it. LastSearch returns nil for a forced move.
func (p *Player) LastSearch() *record.SearchReport { return p.search }

// Tally returns the count of the game so far.
func (p *Player) Tally() Tally { return p.tally }
