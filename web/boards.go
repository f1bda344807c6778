package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/tournament"
)

func (s *Site) boardsRoutes() []arena.Route {
	return []arena.Route{
		s.look("/events/{id}/boards", s.showBoards),
		s.look("/api/events/{id}/boards", s.sendBoards),
	}
}

// boardsInterval is the shortest time between two states of all boards.
const boardsInterval = 250 * time.Millisecond

// boardState is a game in progress, as small as it can be sent.
type boardState struct {
	Game     int64   `json:"game"`
	Attacker string  `json:"attacker"`
	Defender string  `json:"defender"`
	Ply      int     `json:"ply"`
	Position string  `json:"position"`
	Move     string  `json:"move,omitempty"` // that led to it
	Clocks   *clocks `json:"clocks"`

	position rules.Position
	moved    bool
	last     rules.Move
}

// boardsState is what a message of the stream of all boards has.
type boardsState struct {
	Event  int64        `json:"event"`
	State  arena.State  `json:"state"`
	Boards []boardState `json:"boards"`
}

// positions remembers the positions of games in progress, so that only new moves are played.
type positions struct {
	mu    sync.Mutex
	known map[int64]rules.Position
	plies map[int64]int
}

// at returns the position of a game after all its moves.
func (p *positions) at(g *arena.LiveGame) rules.Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	position, known := p.known[g.ID]
	if !known || p.plies[g.ID] > len(g.Record.Moves) {
		position, p.plies[g.ID] = g.Record.Start, 0
	}
	for _, m := range g.Record.Moves[p.plies[g.ID]:] {
		position = position.Next(m) // the referee has checked it
	}
	p.known[g.ID], p.plies[g.ID] = position, len(g.Record.Moves)
	return position
}

// keep forgets all games but these.
func (p *positions) keep(games map[int64]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.known {
		if !games[id] {
			delete(p.known, id)
			delete(p.plies, id)
		}
	}
}

// lookAtBoards is for the hub of boards.
func (s *Site) lookAtBoards(ctx context.Context, id int64) (any, bool, error) {
	now, err := s.boardsOf(ctx, id)
	if err != nil {
		return nil, false, err
	}
	return now, !now.State.Final(), nil
}

func (s *Site) boardsOf(ctx context.Context, id int64) (*boardsState, error) {
	line, err := s.archive.one(ctx, id)
	if err != nil {
		return nil, err
	}
	now := &boardsState{Event: id, State: line.State, Boards: []boardState{}}
	var e *tournament.Event
	all := map[int64]bool{}
	for _, g := range s.arena.Playing() {
		all[g.ID] = true
		if g.Event != id {
			continue
		}
		if e == nil {
			read, err := s.store.Event(ctx, id)
			if err != nil {
				return nil, err
			}
			e = &read
		}
		now.Boards = append(now.Boards, s.boardOf(e, &g))
	}
	s.positions.keep(all)
	return now, nil
}

func (s *Site) boardOf(e *tournament.Event, g *arena.LiveGame) boardState {
	r := &g.Record
	b := boardState{Game: g.ID, Attacker: r.Attacker, Defender: r.Defender, Ply: len(r.Moves), position: s.positions.at(g)}
	b.Position = b.position.String()
	if n := len(r.Moves); n > 0 {
		b.moved, b.last, b.Move = true, r.Moves[n-1], r.Moves[n-1].String()
	}
	b.Clocks = clocksOf(&snapshot{event: e, game: g.Game, position: b.position, since: g.Since})
	return b
}

// boardsPage is the page of an event's games in progress.
type boardsPage struct {
	Event  int64
	Name   string
	State  arena.State
	Boards []boardTile
}

type boardTile struct {
	boardState
	View  boardView
	Score int
}

func (s *Site) showBoards(w http.ResponseWriter, r *http.Request) error {
	id, err := numberIn(r, "id", "event")
	if err != nil {
		return err
	}
	line, err := s.archive.one(r.Context(), id)
	if err != nil {
		return err
	}
	now, err := s.boardsOf(r.Context(), id)
	if err != nil {
		return err
	}
	page := boardsPage{Event: id, Name: line.Name, State: line.State}
	for _, b := range now.Boards {
		page.Boards = append(page.Boards, boardTile{b, newBoardView(b.position, b.moved, b.last), b.position.Score()})
	}
	return s.show(w, r, "boards", view{Title: "Boards of " + line.Name, Section: "events", Modules: []string{"boards.js"}, Body: page})
}

func (s *Site) sendBoards(w http.ResponseWriter, r *http.Request) error {
	return s.sendHub(w, r, s.boards)
}
