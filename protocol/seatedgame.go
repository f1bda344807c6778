package protocol

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// seatedGame is one game at a client.
type seatedGame struct {
	start Start

	turn   sync.Mutex // held by the goroutine that thinks
	player players.Searcher

	// Guarded by the table's lock:
	asked  *Request           // the last one
	answer Message            // to asked; nil while the player thinks
	stop   context.CancelFunc // ends the thinking
}

// is tells whether s is about this game, and not one of the same number in
// another arena.
func (g *seatedGame) is(s Start) bool {
	known := g.start
	return known.Event == s.Event && known.Match == s.Match && known.Leg == s.Leg && known.Opponent == s.Opponent &&
		known.Rules == s.Rules && known.Size == s.Size && known.Role == s.Role && known.Seed == s.Seed
}

// knows tells whether r repeats the last request, as after a reconnect.
func (g *seatedGame) knows(r Request) bool {
	return g.asked != nil && g.asked.Ply == r.Ply && reflect.DeepEqual(g.asked.Board, r.Board)
}

// ask lets the game's player think about a request.
func (t *table) ask(g *seatedGame, r Request) {
	g.stop()
	ctx, stop := r.context()
	g.asked, g.answer, g.stop = &r, nil, stop
	t.thinking.Go(func() {
		defer stop()
		g.turn.Lock() // whoever thought before was told to stop
		defer g.turn.Unlock()
		t.say(g, &r, t.think(ctx, g, &r))
	})
}

// context is the clock of a request.
func (r *Request) context() (context.Context, context.CancelFunc) {
	if r.LeftMS == nil {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), time.Duration(*r.LeftMS)*time.Millisecond)
}

// think lets the player choose and makes a message of what it chose.
func (t *table) think(ctx context.Context, g *seatedGame, r *Request) Message {
	began := time.Now()
	p, err := rules.PositionFrom(g.start.Rules, r.Board, g.start.Role, r.Score, r.Ply)
	var move rules.Move
	if err == nil {
		move, err = g.player.Choose(ctx, p)
	}
	if errors.Is(err, players.ErrResigned) && g.start.Resign {
		return Resign{Game: r.Game, Ply: r.Ply}
	}
	if err != nil {
		return Error{Code: CannotMove, Message: err.Error(), Game: r.Game, Ply: &r.Ply}
	}
	answer := Move{Game: r.Game, Ply: r.Ply, Move: move.String(), SpentUS: max(1, time.Since(began).Microseconds())}
	if g.start.Search {
		if answer.Search, err = formatSearch(g.player.LastSearch(), p); err != nil {
			t.log.Warn("the player's report is left out", "game", r.Game, "ply", r.Ply, "error", err)
		}
	}
	return answer
}

// say sends an answer, unless the game has gone on without it.
func (t *table) say(g *seatedGame, r *Request, answer Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.games[r.Game] != g || g.asked != r {
		return
	}
	if e, ok := answer.(Error); ok {
		t.log.Error("no move", "game", r.Game, "ply", r.Ply, "error", e.Message)
	}
	g.answer = answer
	t.send(answer)
}

// broken is a player that could not be made.
type broken struct{ err error }

func (b broken) Choose(context.Context, rules.Position) (rules.Move, error) { return 0, b.err }
