package protocol

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"versus2048/players"
)

// table is the games that a client plays. They outlive its connections.
type table struct {
	newPlayer func(Start) (players.Player, error)
	margin    time.Duration
	log       *slog.Logger

	thinking sync.WaitGroup
	mu       sync.Mutex
	conn     *Conn // nil while disconnected
	games    map[string]*seatedGame
}

func newTable(newPlayer func(Start) (players.Player, error), margin time.Duration, log *slog.Logger) *table {
	return &table{newPlayer: newPlayer, margin: margin, log: log, games: map[string]*seatedGame{}}
}

// attach makes conn the connection. Games that are not in progress any more are
// dropped.
func (t *table) attach(conn *Conn, inProgress []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conn = conn
	for game := range t.games {
		if !slices.Contains(inProgress, game) {
			t.drop(game)
		}
	}
}

// detach keeps all games and lets their players think on.
func (t *table) detach() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conn = nil
}

// close ends all games.
func (t *table) close() {
	t.mu.Lock()
	for game := range t.games {
		t.drop(game)
	}
	t.mu.Unlock()
	t.thinking.Wait()
}

// drop forgets a game. The caller holds the lock, here and below.
func (t *table) drop(game string) {
	if g := t.games[game]; g != nil {
		g.stop()
		delete(t.games, game)
	}
}

// send sends to the arena if it is there. If it is not, it asks again later.
func (t *table) send(m Message) {
	if t.conn != nil {
		_ = t.conn.send(m)
	}
}

// handle takes a message on a game.
func (t *table) handle(m Message) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch m := m.(type) {
	case Start:
		t.begin(m)
	case Request:
		t.answer(m)
	case Over:
		t.log.Info("game over", "game", m.Game, "ending", m.Ending, "score", m.Score, "detail", m.Detail)
		t.drop(m.Game)
	default:
		return &FormError{UnknownType, "a " + m.kind() + " is not for an arena to send"}
	}
	return nil
}

// begin sits down to a game, unless it is known from before a reconnect.
func (t *table) begin(s Start) {
	if g := t.games[s.Game]; g != nil && s.Resumed && g.is(s) {
		return
	}
	t.drop(s.Game)
	t.log.Info("game begins", "game", s.Game, "role", s.Role, "opponent", s.Opponent, "resumed", s.Resumed)
	player, err := t.newPlayer(s)
	if err != nil {
		player = broken{err}
	}
	t.games[s.Game] = &seatedGame{start: s, player: players.WithMargin(player, t.margin), stop: func() {}}
}

// answer answers a request, now or when the player has thought.
func (t *table) answer(r Request) {
	g := t.games[r.Game]
	switch {
	case g == nil:
		t.send(Error{Code: UnknownGame, Message: "this game was not started here", Game: r.Game, Ply: &r.Ply})
	case !g.knows(r):
		t.ask(g, r)
	case g.answer != nil:
		t.send(g.answer)
	}
}
