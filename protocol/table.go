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

// table is the games that a client plays. They outlive its connections.
type table struct {
	client   *Client
	thinking sync.WaitGroup
	mu       sync.Mutex
	conn     *Conn // nil while disconnected
	games    map[string]*clientGame
}

// clientGame is one game at the client.
type clientGame struct {
	start  Start
	player players.Player
	asked  *Request           // the last one
	answer *Move              // to asked; nil while the player thinks
	stop   context.CancelFunc // ends the thinking
	turn   sync.Mutex         // held by the one who thinks
}

func newTable(c *Client) *table { return &table{client: c, games: map[string]*clientGame{}} }

func (t *table) attach(conn *Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conn = conn
}

func (t *table) detach() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conn = nil
}

// close ends all thinking.
func (t *table) close() {
	t.mu.Lock()
	for game := range t.games {
		t.drop(game)
	}
	t.mu.Unlock()
	t.thinking.Wait()
}

// drop forgets a game.
func (t *table) drop(game string) {
	if g := t.games[game]; g != nil {
		g.stop()
		delete(t.games, game)
	}
}

func (t *table) send(m Message) {
	if t.conn != nil {
		_ = t.conn.send(m) // the arena asks again after a reconnect
	}
}

// handle takes a message of the arena. An error ends the connection.
func (t *table) handle(m Message) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch m := m.(type) {
	case Start:
		t.begin(m)
	case Request:
		t.ask(m)
	case Over:
		t.client.Log.Info("game over", "game", m.Game, "ending", m.Ending, "score", m.Score)
		t.drop(m.Game)
	case Refusal:
		return &RefusedError{m.Code, m.Message}
	case Error:
		t.client.Log.Warn("the arena objects", "code", m.Code, "message", m.Message)
	case Goodbye:
		if !m.Reconnect {
			return errGoodbye
		}
		return errors.New("the arena closes: " + m.Reason)
	}
	return nil
}

// begin sits down to a game, unless it is known from before a reconnect.
func (t *table) begin(s Start) {
	if g := t.games[s.Game]; g != nil && s.Resumed {
		g.start = s
		return
	}
	t.drop(s.Game)
	player, err := t.client.New(s)
	if err != nil {
		t.client.Log.Error("no player for the game", "game", s.Game, "error", err)
		t.send(Error{Code: InternalError, Message: err.Error(), Game: s.Game})
		return
	}
	t.client.Log.Info("game begins", "game", s.Game, "role", s.Role, "opponent", s.Opponent, "resumed", s.Resumed)
	t.games[s.Game] = &clientGame{start: s, player: players.WithMargin(player, t.client.Margin), stop: func() {}}
}

// ask answers a request. One that is repeated, after a reconnect, gets the
// answer that is there or is being thought of.
func (t *table) ask(r Request) {
	g := t.games[r.Game]
	if g == nil {
		t.send(Error{Code: UnknownGame, Message: "this game was not started here", Game: r.Game, Ply: &r.Ply})
		return
	}
	if g.asked != nil && g.asked.Ply == r.Ply && reflect.DeepEqual(g.asked.Board, r.Board) {
		if g.answer != nil {
			t.send(*g.answer)
		}
		return
	}
	g.stop()
	p, err := rules.PositionFrom(g.start.Rules, r.Board, g.start.Role, r.Score, r.Ply)
	if err != nil {
		t.send(Error{Code: Malformed, Message: err.Error(), Game: r.Game, Ply: &r.Ply})
		return
	}
	ctx := context.Background()
	if r.LeftMS != nil {
		ctx, g.stop = context.WithTimeout(ctx, time.Duration(*r.LeftMS)*time.Millisecond)
	} else {
		ctx, g.stop = context.WithCancel(ctx)
	}
	asked := &r
	g.asked, g.answer = asked, nil
	t.thinking.Go(func() { t.think(ctx, g, asked, p) })
}

// think lets the player choose, and sends its move unless the game has gone on
// without it.
func (t *table) think(ctx context.Context, g *clientGame, r *Request, p rules.Position) {
	g.turn.Lock() // whoever thought before was told to stop
	defer g.turn.Unlock()
	began := time.Now()
	move, err := g.player.Choose(ctx, p)
	spent := time.Since(began)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case g.asked != r || t.games[r.Game] != g:
	case err != nil:
		t.client.Log.Error("the player failed", "game", r.Game, "ply", r.Ply, "error", err)
		t.send(Error{Code: InternalError, Message: err.Error(), Game: r.Game, Ply: &r.Ply})
	default:
		g.stop()
		g.answer = &Move{Game: r.Game, Ply: r.Ply, Move: move.String(), SpentUS: max(1, spent.Microseconds())}
		t.send(*g.answer)
	}
}
