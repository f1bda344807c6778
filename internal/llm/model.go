package llm

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Model is a language model as a bot. It plays several games at once.
type Model struct {
	Endpoint *Endpoint
	Prompt   *Prompt
	Fallback players.Spec  // moves if the model gives no legal move in time
	Attempts int           // the most answers for one move, from 1: if none has a legal move, Fallback moves
	Patience time.Duration // the longest time for one move
	Log      *slog.Logger  // nil discards the log

	mu    sync.Mutex
	tally Tally
}

// New returns the player for a game. The random choices of its fallback come from the seed of the game.
func (m *Model) New(game string, g players.Game) *Player {
	return &Player{model: m, clock: g.Clock, fallback: m.Fallback.New(g), log: m.log().With("game", game)}
}

// Check asks the model for a move on a small board, within Patience. It returns the errors of Endpoint.Await. An answer
// without a legal move is only logged, since the model may do better with the next one.
func (m *Model) Check(ctx context.Context) error {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0/0,2 D")
	if err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, m.Patience)
	defer cancel()
	messages, err := m.Prompt.Messages(NewTurn(position, m.Patience))
	if err != nil {
		return err
	}
	answer, err := m.Endpoint.Await(asking, messages, position.AppendMoves(nil))
	if err != nil {
		return inTime(asking, err, m.Patience)
	}
	if _, err := ReadMove(answer.Text, position); err != nil {
		m.log().Warn("the model's first answer has no legal move", "answer", cut(answer.Text, 200), "why", err)
	}
	return nil
}

// inTime returns the error of a request, or a clearer one if the request has taken all of its time.
func inTime(ctx context.Context, err error, allowed time.Duration) error {
	if ctx.Err() == context.DeadlineExceeded {
		return fmt.Errorf("no answer within %v: %w", allowed.Round(time.Millisecond), context.DeadlineExceeded)
	}
	return err
}

// log returns the model's log, or one that discards all messages.
func (m *Model) log() *slog.Logger { return cmp.Or(m.Log, slog.New(slog.DiscardHandler)) }

// Tally returns the count of all games so far.
func (m *Model) Tally() Tally {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tally
}

// count adds to the tally.
func (m *Model) count(t Tally) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally.add(t)
}

// Tally counts moves and answers.
type Tally struct {
	Moves      int           // moves that the model was asked for
	Answers    int           // answers of the model
	Illegal    int           // answers with an illegal move
	Unreadable int           // answers without a move
	Fallback   int           // moves that the fallback chose
	Tokens     Tokens        // of all answers, as far as the endpoint counts them
	Waited     time.Duration // the time for the model in all moves, without the fallback's time
}

func (t *Tally) add(o Tally) {
	t.Moves += o.Moves
	t.Answers += o.Answers
	t.Illegal += o.Illegal
	t.Unreadable += o.Unreadable
	t.Fallback += o.Fallback
	t.Tokens.Read += o.Tokens.Read
	t.Tokens.Written += o.Tokens.Written
	t.Waited += o.Waited
}

// LogValue implements slog.LogValuer.
func (t Tally) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("moves", t.Moves), slog.Int("by_fallback", t.Fallback), slog.Int("answers", t.Answers),
		slog.Int("illegal", t.Illegal), slog.Int("unreadable", t.Unreadable),
		slog.Int64("tokens_read", t.Tokens.Read), slog.Int64("tokens_written", t.Tokens.Written),
		slog.Duration("time_per_move", (t.Waited/time.Duration(max(1, t.Moves))).Round(time.Millisecond)),
	)
}
