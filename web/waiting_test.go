package web_test

import (
	"sync"

	"github.com/gorilla/websocket"

	"versus2048/rules"
)

// waiting is a connected bot that plays only as many games as its test says: they wait for it, however
// slow the machine is.
type waiting struct {
	ws    *websocket.Conn
	games chan struct{} // one for each game that it may play
	write sync.Mutex
}

// waiting connects a bot.
func (h *house) waiting(name string) *waiting {
	h.t.Helper()
	w := &waiting{ws: h.greet(map[string]any{"name": name, "slots": 1}), games: make(chan struct{}, 100)}
	go w.listen()
	return w
}

// play lets the bot play some more games.
func (w *waiting) play(games int) {
	for range games {
		w.games <- struct{}{}
	}
}

// request is the question of the arena for a move.
type request struct {
	Type, Game string
	Ply, Score int
	Board      [][]int
}

// listen answers requests until the connection is closed; those of a game once that may be played.
func (w *waiting) listen() {
	begun := map[string]bool{}
	for {
		var m request
		if err := w.ws.ReadJSON(&m); err != nil {
			return
		}
		if m.Type != "request" {
			continue
		}
		known := begun[m.Game]
		begun[m.Game] = true
		go func() { // the connection is read meanwhile, which keeps it alive
			if !known {
				<-w.games
			}
			w.answer(m)
		}()
	}
}

func (w *waiting) answer(m request) {
	move, err := firstMove(m.Board, m.Score, m.Ply)
	if err != nil {
		return // the game then never ends, and its test says for what it waits
	}
	w.write.Lock()
	defer w.write.Unlock()
	_ = w.ws.WriteJSON(map[string]any{"type": "move", "game": m.Game, "ply": m.Ply, "move": move})
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
