package web_test

import (
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// waiting is a connected bot that plays only as many moves or games as its test says. Games wait for it, however slow
// the machine is.
type waiting struct {
	ws      *websocket.Conn
	permits chan bool // one for each move that it may play; true is one for a whole game

	mu   sync.Mutex      // held while a request is answered
	free map[string]bool // games that it may play to the end
}

// waiting connects a bot that can play some games at once.
func (h *host) waiting(name string, slots int) *waiting {
	h.t.Helper()
	ws := h.greet(map[string]any{"name": name, "slots": slots})
	w := &waiting{ws: ws, permits: make(chan bool, 1000), free: map[string]bool{}}
	go w.listen()
	return w
}

// step lets the bot play some more moves.
func (w *waiting) step(moves int) { w.permit(moves, false) }

// play lets the bot play some more games to the end.
func (w *waiting) play(games int) { w.permit(games, true) }

func (w *waiting) permit(n int, game bool) {
	for range n {
		w.permits <- game
	}
}

// request is the question of the arena for a move.
type request struct {
	Type, Game string
	Ply, Score int
	Board      [][]int
}

// listen answers requests until the connection is closed.
func (w *waiting) listen() {
	for {
		var m request
		if err := w.ws.ReadJSON(&m); err != nil {
			return
		}
		if m.Type == "request" {
			go w.answer(m) // the connection is read meanwhile, which keeps it alive
		}
	}
}

// answer plays a move once it is permitted.
func (w *waiting) answer(m request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.free[m.Game] {
		w.free[m.Game] = <-w.permits
	}
	move, err := firstMove(m.Board, m.Score, m.Ply)
	if err != nil {
		return // the game then never ends, and its test reports the wait
	}
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

// slow is a game in progress that goes on as its test says: two plies with each step of ann.
type slow struct {
	*waiting
	h           *host
	event, game int64
	plies       int // when ann is to move
}

// slow starts an event with a first game that waits for ann's second move.
func (h *host) slow(change func(*tournament.Event)) *slow {
	h.t.Helper()
	s := &slow{waiting: h.waiting("ann", 1), h: h}
	s.event = h.start(func(e *tournament.Event) {
		if e.Bots, e.Size, e.Concurrency = []string{"ann", "bob=random"}, rules.Full, 1; change != nil {
			change(e)
		}
	})
	s.step(1)
	s.settle()
	return s
}

// settle waits until a game of the event waits for ann's move, after she has moved in it.
func (s *slow) settle() {
	s.h.t.Helper()
	until(s.h.t, "ann to be at move", func() bool {
		for _, g := range s.h.server.Playing() {
			s.game, s.plies = g.ID, len(g.Record.Moves)
			odd := s.plies%2 == 1
			if g.Event == s.event && s.plies > 1 && odd == (g.Record.Defender == "ann") {
				return g.Record.Ending == record.Unfinished
			}
		}
		return false
	})
}

// step lets ann play some more moves, which bob answers.
func (s *slow) step(moves int) {
	s.waiting.step(moves)
	s.plies += 2 * moves
}

// until waits until something has happened that no page tells.
func until(t testing.TB, what string, happened func() bool) {
	t.Helper()
	look, late := time.NewTicker(5*time.Millisecond), time.After(patience)
	defer look.Stop()
	for !happened() {
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("waited for %s in vain", what)
		}
	}
}
