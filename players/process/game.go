package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Game is one game of a program, which plays one side. It is a players.Searcher, for one goroutine at a time.
type Game struct {
	program *Program
	start   stdio.New
	child   *child // nil if no process could be started, and after Over
	failed  error  // the reason why there is no child

	spoiled bool            // the process owes an answer, so it is not used again
	moved   *rules.Position // the position after the program's last move, nil before
	reply   players.Reply
	log     []byte // the log after Over
	legal   bool   // whether the program's last answer is a legal move
}

// Choose implements players.Player, with the deadline of ctx as the clock. See Ask.
func (g *Game) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	limit := clock.Unlimited
	if deadline, limited := ctx.Deadline(); limited {
		limit = time.Until(deadline)
	}
	turn := clock.NewTurn(nil, limit, 0)
	defer turn.End()
	r := g.Ask(ctx, p, turn)
	return r.Move, r.Err
}

// Ask asks the program for a move in p. It tells the program the time of turn.ForBot, less Config.Margin. The error of
// the reply is players.ErrGone, with the reason, if the program cannot play on or reports that it cannot move;
// players.ErrResigned if it resigns; a *rules.NotationError, with the line, if the answer is not in the notation;
// context.DeadlineExceeded when the turn is over; and ctx's error when ctx ends. The search report comes from the info
// lines before the move. The complaint is about the program's last mistake between the request and its answer, such as
// an unknown line. Without a mistake, it quotes an illegal move, or the last line that was sent if no answer has come
// in time.
func (g *Game) Ask(ctx context.Context, p rules.Position, turn *clock.Turn) players.Reply {
	g.reply, g.legal = players.Reply{}, false
	g.reply.Move, g.reply.Err = g.ask(ctx, p, turn)
	return g.reply
}

func (g *Game) ask(ctx context.Context, p rules.Position, turn *clock.Turn) (rules.Move, error) {
	if g.child == nil {
		return 0, fmt.Errorf("%w: %w", players.ErrGone, g.failed)
	}
	if g.spoiled {
		return 0, fmt.Errorf("%w: it still owes the answer to an earlier go", players.ErrGone)
	}
	q := g.child.ask(g.request(p, turn), turn)
	answer, err := g.wait(ctx, q)
	if answer == nil {
		answer = g.child.withdraw(q)
		g.spoiled = answer == nil
	}
	if g.spoiled && errors.Is(err, context.DeadlineExceeded) {
		g.child.noteUnended()
	}
	g.reply.Complaint = g.child.lastComplaint()
	switch {
	case answer != nil:
		return g.accept(p, q, answer)
	case errors.Is(err, players.ErrGone):
		return 0, fmt.Errorf("%w: %w", err, g.child.reason())
	case g.reply.Complaint == "":
		g.reply.Complaint = fmt.Sprintf("it was sent %.200q", g.child.lastSent())
	}
	return 0, err
}

// wait waits for the answer to a question. Without an answer it returns the reason. When the turn is over, it
// first waits until all output that has already arrived is read, as the answer may be in it.
func (g *Game) wait(ctx context.Context, q *question) (stdio.Answer, error) {
	over, drained := q.turn.Over(), (<-chan struct{})(nil)
	for {
		select {
		case answer := <-q.answer:
			return answer, nil
		case <-g.child.gone:
			return nil, players.ErrGone
		case <-over:
			over, drained = nil, g.child.output.Drained()
		case <-drained:
			return nil, context.DeadlineExceeded
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// request returns the line that asks for a move in p.
func (g *Game) request(p rules.Position, turn *clock.Turn) stdio.Go {
	r := stdio.Go{Position: p, Clock: g.start.Clock, Last: g.lastMove(p)}
	if turn.Limited() {
		left := turn.ForBot()
		r.Limited, r.Left = true, left-min(g.program.config.Margin, left/2)
	}
	return r
}

// lastMove returns the other side's move that led to p, nil if it is unknown.
func (g *Game) lastMove(p rules.Position) *rules.Move {
	if g.moved == nil || g.moved.Ply()+1 != p.Ply() {
		return nil
	}
	for _, m := range g.moved.AppendMoves(nil) {
		if g.moved.Next(m) == p {
			return &m
		}
	}
	return nil
}

// accept returns the move in an answer, or the error that the answer means.
func (g *Game) accept(p rules.Position, q *question, answer stdio.Answer) (rules.Move, error) {
	switch a := answer.(type) {
	case stdio.Resign:
		return 0, players.ErrResigned
	case stdio.Error:
		return 0, fmt.Errorf("%w: it gave up: line %.300q", players.ErrGone, a)
	}
	text := answer.(stdio.Move).Text
	move, err := rules.ParseMove(text)
	if err != nil {
		return 0, fmt.Errorf("line %.200q: %w", answer, err)
	}
	g.reply.Search = g.validSearch(p, q.search.Report())
	next, err := p.Play(move)
	g.moved, g.legal = &next, err == nil
	if !g.legal && g.reply.Complaint == "" {
		g.reply.Complaint = fmt.Sprintf("line %.200q", answer)
	}
	return move, nil
}

// validSearch returns the report s. For an invalid report it writes a note to the log and returns nil.
func (g *Game) validSearch(p rules.Position, s *record.SearchReport) *record.SearchReport {
	if s == nil {
		return nil
	}
	if err := s.Check(p); err != nil {
		g.child.note(fmt.Sprintf("the info lines before the move at ply %d are not recorded: %v", p.Ply(), err))
		return nil
	}
	return s
}

// LastSearch implements players.Searcher.
func (g *Game) LastSearch() *record.SearchReport { return g.reply.Search }

// Complaint returns the complaint of the last reply.
func (g *Game) Complaint() string { return g.reply.Complaint }

// Log returns the last MaxLog bytes of the program's standard error in this game. Lines that begin with "arena: " are
// remarks of this package. If the process has ended, the log is complete even before Over.
func (g *Game) Log() []byte {
	if g.child == nil {
		return g.log
	}
	return g.child.wholeLog(!g.legal)
}

// Over ends the game. The program's process plays another game later, unless it is broken.
func (g *Game) Over(o stdio.Over) {
	if g.child == nil {
		return
	}
	c := g.child
	g.log = c.log.Bytes()
	g.child, g.failed = nil, errEnded
	if !g.spoiled {
		c.send(o.String())
	}
	g.program.release(c, g.spoiled)
}
