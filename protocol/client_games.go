package protocol

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// clientGames holds the games that a client plays. They outlive its connections.
type clientGames struct {
	newPlayer func(Start) (players.Player, error)
	margin    time.Duration
	log       *slog.Logger

	thinking sync.WaitGroup
	mu       sync.Mutex
	conn     *Conn // nil while disconnected
	games    map[string]*clientGame
}

type clientGame struct {
	start Start

	turn   sync.Mutex // held by the goroutine that uses the player
	player players.Searcher
	ender  Ender // the player if it is an Ender, else nil
	ended  bool  // guarded by turn: the ender knows that the game is over

	// Guarded by the lock of clientGames:
	request *Request           // the last one
	answer  Message            // to request; nil while the player thinks
	stop    context.CancelFunc // stops the player
}

func newClientGames(newPlayer func(Start) (players.Player, error), margin time.Duration, log *slog.Logger) *clientGames {
	return &clientGames{newPlayer: newPlayer, margin: margin, log: log, games: map[string]*clientGame{}}
}

// attach makes conn the connection, and drops games that are no longer in progress.
func (g *clientGames) attach(conn *Conn, inProgress []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conn = conn
	for name := range g.games {
		if !slices.Contains(inProgress, name) {
			g.drop(name)
		}
	}
}

// detach keeps all games and lets their players continue to think.
func (g *clientGames) detach() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conn = nil
}

// close drops all games and waits until no player thinks any more.
func (g *clientGames) close() {
	g.mu.Lock()
	for name := range g.games {
		g.drop(name)
	}
	g.mu.Unlock()
	g.thinking.Wait()
}

// handle handles a message about a game.
func (g *clientGames) handle(m Message) error {
	if s, ok := m.(Start); ok {
		g.startGame(s)
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch m := m.(type) {
	case Request:
		g.handleRequest(m)
	case Over:
		g.log.Info("game over", "game", m.Game, "ending", m.Ending, "score", m.Score, "detail", m.Detail)
		g.end(m.Game, &m)
	default:
		return unknownTypef("an arena must not send a %s", m.kind())
	}
	return nil
}

// startGame starts a game, unless it is known from before a reconnect. A player may take long to make, so startGame
// makes it without the lock: the players of other games send their moves meanwhile.
func (g *clientGames) startGame(s Start) {
	if !g.makeWay(s) {
		return
	}
	g.log.Info("game started", "game", s.Game, "role", s.Role, "opponent", s.Opponent, "resumed", s.Resumed)
	player, err := g.newPlayer(s)
	if err != nil {
		player = failedPlayer{err}
	}
	game := &clientGame{start: s, player: players.WithMargin(player, g.margin), stop: func() {}}
	game.ender, _ = player.(Ender)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.games[s.Game] = game
}

// makeWay drops an earlier game of the same name, and returns true. If that is the same game, makeWay keeps it and
// returns false.
func (g *clientGames) makeWay(s Start) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.games[s.Game]; known != nil && s.Resumed && known.isSame(s) {
		return false
	}
	g.drop(s.Game)
	return true
}

// drop removes a game and stops its player. The caller holds the lock, as for end, handleRequest, think and send.
func (g *clientGames) drop(name string) { g.end(name, nil) }

// end removes a game that has ended, and stops its player. over is nil for a game that is given up.
func (g *clientGames) end(name string, over *Over) {
	game := g.games[name]
	if game == nil {
		return
	}
	game.stop()
	delete(g.games, name)
	if game.ender == nil {
		return
	}
	g.thinking.Go(func() {
		game.turn.Lock() // waits until the player has stopped
		defer game.turn.Unlock()
		game.ended = true
		game.ender.Ended(over)
	})
}

// handleRequest lets the player think, or sends its answer again if the request was answered before a reconnect.
func (g *clientGames) handleRequest(r Request) {
	game := g.games[r.Game]
	switch {
	case game == nil:
		g.send(Error{Code: UnknownGame, Message: "this game was not started here", Game: r.Game, Ply: &r.Ply})
	case !game.isRepeat(r):
		g.think(game, r)
	case game.answer != nil:
		g.send(game.answer)
	}
}

// think starts a goroutine for the game's player to answer a request.
func (g *clientGames) think(game *clientGame, r Request) {
	game.stop()
	ctx, stop := requestContext(r)
	game.request, game.answer, game.stop = &r, nil, stop
	g.thinking.Go(func() {
		defer stop()
		game.turn.Lock() // waits for the goroutine of the last request; its player has been stopped
		defer game.turn.Unlock()
		if game.ended {
			return // the game was over before this goroutine began
		}
		g.deliver(game, &r, g.choose(ctx, game, &r))
	})
}

// requestContext returns a context that ends when the time for a move is over.
func requestContext(r Request) (context.Context, context.CancelFunc) {
	if r.LeftMS == nil {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), time.Duration(min(*r.LeftMS, maxMillis))*time.Millisecond)
}

// choose lets the player choose a move and returns the answer to the request, nil if the player is too late.
func (g *clientGames) choose(ctx context.Context, game *clientGame, r *Request) Message {
	began := time.Now()
	p, err := rules.PositionFrom(game.start.Rules, r.Board, game.start.Role, r.Score, r.Ply)
	var move rules.Move
	if err == nil {
		move, err = game.player.Choose(ctx, p)
	}
	if err != nil {
		return g.failure(game, r, err)
	}
	answer := Move{Game: r.Game, Ply: r.Ply, Move: move.String(), SpentUS: max(1, time.Since(began).Microseconds())}
	if game.start.Search {
		if answer.Search, err = formatSearch(game.player.LastSearch(), p); err != nil {
			g.log.Warn("the player's search report is invalid and was not sent", "game", r.Game, "ply", r.Ply, "error", err)
		}
	}
	return answer
}

// failure returns the answer to a request for a player that fails. The referee judges a text that is no move.
// There is no answer, nil, if the player is too late.
func (g *clientGames) failure(game *clientGame, r *Request, err error) Message {
	var notation *rules.NotationError
	switch {
	case errors.Is(err, players.ErrResigned) && game.start.Resign:
		return Resign{Game: r.Game, Ply: r.Ply}
	case errors.As(err, &notation):
		return Move{Game: r.Game, Ply: r.Ply, Move: fmt.Sprintf("%.100s", notation.Text)}
	case errors.Is(err, context.DeadlineExceeded) && r.LeftMS != nil:
		g.log.Error("the player has no move in time", "game", r.Game, "ply", r.Ply)
		return nil
	}
	why := strings.TrimPrefix(err.Error(), players.ErrGone.Error()+": ") // the arena says that, too
	return Error{Code: CannotMove, Message: fmt.Sprintf("%.500s", why), Game: r.Game, Ply: &r.Ply}
}

// deliver sends an answer, unless there is none, or the game is over or has another request now.
func (g *clientGames) deliver(game *clientGame, r *Request, answer Message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if answer == nil || g.games[r.Game] != game || game.request != r {
		return
	}
	if e, ok := answer.(Error); ok {
		g.log.Error("the player has no move", "game", r.Game, "ply", r.Ply, "error", e.Message)
	}
	game.answer = answer
	g.send(answer)
}

// send sends a message if the arena is connected. Otherwise the arena repeats its request after the reconnect.
func (g *clientGames) send(m Message) {
	if g.conn != nil {
		_ = g.conn.send(m)
	}
}

// isSame reports whether s is about this game, rather than a game of the same name in another arena.
func (g *clientGame) isSame(s Start) bool {
	known := g.start
	return known.Event == s.Event && known.Match == s.Match && known.Leg == s.Leg && known.Opponent == s.Opponent &&
		known.Rules == s.Rules && known.Size == s.Size && known.Role == s.Role && known.Seed == s.Seed
}

// isRepeat reports whether r repeats the last request, as after a reconnect.
func (g *clientGame) isRepeat(r Request) bool {
	return g.request != nil && g.request.Ply == r.Ply && reflect.DeepEqual(g.request.Board, r.Board)
}

// failedPlayer replaces a player that could not be made.
type failedPlayer struct{ err error }

func (p failedPlayer) Choose(context.Context, rules.Position) (rules.Move, error) { return 0, p.err }
