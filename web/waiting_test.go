package web_test

import (
	"sync"

	"github.com/gorilla/websocket"

	"versus2048/rules"
)

// waiting is a connected bot that moves only when its test says so: games wait for it, however slow
// the machine is.
type waiting struct {
	h  *house
	ws *websocket.Conn

	mu      sync.Mutex
	changed *sync.Cond
	plies   int // that it may still play
	games   int // that it may still finish
}

// waiting connects a bot.
func (h *house) waiting(name string) *waiting {
	h.t.Helper()
	w := &waiting{h: h, ws: h.greet(map[string]any{"name": name, "slots": 1})}
	w.changed = sync.NewCond(&w.mu)
	go w.listen()
	return w
}

// play lets the bot play some more plies.
func (w *waiting) play(plies int) { w.allow(plies, 0) }

// finish lets the bot play until some more games are over.
func (w *waiting) finish(games int) { w.allow(0, games) }

func (w *waiting) allow(plies, games int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plies += plies
	w.games += games
	w.changed.Broadcast()
}

// listen answers requests, once it is allowed to, until the connection is closed.
func (w *waiting) listen() {
	for {
		var m struct {
			Type, Game string
			Ply, Score int
			Board      [][]int
		}
		if err := w.ws.ReadJSON(&m); err != nil {
			return
		}
		switch m.Type {
		case "over":
			w.mu.Lock()
			w.games--
			w.mu.Unlock()
		case "request":
			w.await()
			move, err := firstMove(m.Board, m.Score, m.Ply)
			if err != nil || w.ws.WriteJSON(map[string]any{"type": "move", "game": m.Game, "ply": m.Ply, "move": move}) != nil {
				return
			}
		}
	}
}

func (w *waiting) await() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.plies <= 0 && w.games <= 0 {
		w.changed.Wait()
	}
	w.plies = max(0, w.plies-1)
}

// firstMove returns a legal move; the attacker plays the even plies.
func firstMove(board [][]int, score, ply int) (rules.Move, error) {
	side := rules.Attacker
	if ply%2 == 1 {
		side = rules.Defender
	}
	p, err := rules.PositionFrom(rules.GPCC2015, board, side, score, ply)
	if err != nil {
		return 0, err
	}
	return p.AppendMoves(nil)[0], nil
}
