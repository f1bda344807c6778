package tournament

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
)

// ErrInterrupted means that a game or an event was stopped from outside. Its plies and games so far
// are kept, and it can be resumed.
var ErrInterrupted = errors.New("interrupted")

// Referee plays single games.
type Referee struct {
	Clock        Clock
	Lenience     Lenience
	Adjudication Adjudication
	Target       *int // a game with a higher score decides the match; nil for no target
	Search       bool // record the players' reports on their searches, at most 32 MiB in a game
	// Running measures the time that the arena has been running, so that its stalls do not count.
	// If it is nil, all time counts.
	Running clock.Source
	// Played, if it is not nil, is called after each ply that was legal and in time. g includes that ply already. Play
	// changes g later, so Played must not keep it.
	Played func(g *Game, ply Ply)
}

// Play plays g from its last recorded ply to its end. The failure of a player ends the game and is not an
// error. Play returns [ErrInterrupted] if ctx ends, or an error if the record so far does not replay.
func (r Referee) Play(ctx context.Context, g Game, attacker, defender Seat) (Game, error) {
	position, err := g.Record.Replay()
	if err != nil {
		return g, fmt.Errorf("game %d cannot be resumed: %w", g.ID, err)
	}
	seats := [2]Seat{rules.Attacker: attacker, rules.Defender: defender}
	watch, room := replayed(&g.Record), NewReportRoom(g.Record.Searches)
	for !position.Over() {
		if ending, detail := r.Adjudication.ending(position, g.Record.Turns(), r.Target); ending != "" {
			g.Record.Ending, g.Record.Detail = ending, detail
			return g, nil
		}
		side := position.SideToMove()
		a := r.ask(ctx, seats[side], position, &watch)
		if ctx.Err() != nil {
			// The interruption cut the answer short, so it must not count as a move.
			return g, fmt.Errorf("game %d at ply %d: %w", g.ID, position.Ply(), ErrInterrupted)
		}
		if a.ending != "" {
			g.Record.Ending, g.Record.Detail = a.ending, a.detail
			g.Record.AddPause(a.ply.Stall, a.ply.Away)
			return g, nil
		}
		position = a.next
		watch.used[side] += a.ply.Time
		watch.moves[side]++
		a.ply.Search = room.Take(a.ply.Search)
		r.enter(&g, a.ply, seats)
	}
	g.Record.Ending = record.Mate
	return g, nil
}

// enter records a ply, and passes it to the seats and to the function Played.
func (r Referee) enter(g *Game, ply Ply, seats [2]Seat) {
	g.Add(ply)
	for _, s := range seats {
		s.Played(ply.Move)
	}
	if r.Played != nil {
		r.Played(g, ply)
	}
}

// answer is the result of asking a player: a ply and the position after it, or an ending that the player caused. With
// an ending, ply has no move, but its times are set.
type answer struct {
	ply    Ply
	next   rules.Position
	ending record.Ending
	detail string
}

// ask asks a seat for its move, and judges the move and its time. It keeps a valid report on the search if the event
// records reports.
func (r Referee) ask(ctx context.Context, seat Seat, p rules.Position, w *stopwatch) answer {
	side := p.SideToMove()
	limit, limited := r.Clock.Limit(w.used[side], w.moves[side])
	if !limited {
		limit = clock.Unlimited
	}
	turn := clock.NewTurn(r.Running, limit, r.Lenience.Patience())
	reply := seat.Ask(ctx, p, turn)
	took := turn.End()
	spent := took.Used - r.Lenience.credit(reply.RoundTrip, took.Used)

	a := r.judge(p, reply.Move, reply.Err)
	if limited && r.late(spent-limit, took) && a.ending != record.Disconnect {
		a = answer{ending: record.Time}
	}
	if a.ending == record.Time {
		a.detail = fmt.Sprintf("no answer within %v", max(0, limit))
	}
	if a.ending != "" && reply.Complaint != "" {
		a.detail += "; " + reply.Complaint
	}
	a.ply.Time, a.ply.Lag, a.ply.Stall, a.ply.Away = spent, reply.Lag, took.Stalled, took.Stopped
	if r.Search && a.ending == "" && reply.Search != nil && reply.Search.Check(p) == nil {
		a.ply.Search = reply.Search
	}
	return a
}

// late reports whether an answer came too late. excess is the time from the answer's limit to the answer.
func (r Referee) late(excess time.Duration, took clock.Reading) bool {
	if took.Stalled > 0 {
		excess -= clock.Recovery
	}
	return excess > time.Duration(r.Lenience.Margin)
}

// judge returns the consequence of a player's move or error for the game.
func (r Referee) judge(p rules.Position, move rules.Move, err error) answer {
	var notation *rules.NotationError
	switch {
	case errors.As(err, &notation):
		return answer{ending: record.IllegalMove, detail: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return answer{ending: record.Time}
	case errors.Is(err, players.ErrResigned) && r.Adjudication.Resign:
		return answer{ending: record.Resigned, detail: err.Error()}
	case errors.Is(err, players.ErrResigned):
		return answer{ending: record.Disconnect, detail: err.Error() + ", which this event does not allow"}
	case errors.Is(err, players.ErrGone):
		return answer{ending: record.Disconnect, detail: err.Error()}
	case err != nil:
		return answer{ending: record.Disconnect, detail: "the player broke down: " + err.Error()}
	}
	next, err := p.Play(move)
	if err != nil {
		return answer{ending: record.IllegalMove, detail: err.Error()}
	}
	return answer{ply: Ply{Move: move}, next: next}
}
