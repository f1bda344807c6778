package web

import (
	"context"
	"net/http"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/results"
)

// boards are the pages with all games in progress of an event.
type boards struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	watched *live.States[*boardsState]
}

// boardsInterval is the shortest time between two states of all boards.
const boardsInterval = 250 * time.Millisecond

// boardState is a game in progress, in as few bytes as possible.
type boardState struct {
	Game     int64        `json:"game"`
	Attacker string       `json:"attacker"`
	Defender string       `json:"defender"`
	Ply      int          `json:"ply"`
	Position string       `json:"position"`
	Move     string       `json:"move,omitempty"` // the last move before the position
	Clocks   *live.Clocks `json:"clocks"`

	Advantage *study.Advantage `json:"advantage,omitempty"` // nil if the final score is not known

	now *live.Snapshot
}

// boardsState is a message of the stream of all boards.
type boardsState struct {
	Event  int64        `json:"event"`
	State  server.State `json:"state"`
	Boards []boardState `json:"boards"`
}

// boardsOf returns the games in progress of an event. next waits for the next plies; it is nil if the event is
// finished. last is an earlier state, or nil.
func (b *boards) boardsOf(ctx context.Context, id int64, last *boardsState) (now *boardsState, next live.Wait, err error) {
	moved := b.arena.Moved(id)
	line, err := b.archive.Line(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	e, err := b.find.playedEvent(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	known := map[int64]*live.Snapshot{}
	if last != nil {
		for _, before := range last.Boards {
			known[before.Game] = before.now
		}
	}
	now = &boardsState{Event: id, State: line.State, Boards: []boardState{}}
	for _, g := range b.arena.Playing() {
		if g.Event != id {
			continue
		}
		before := known[g.ID]
		if before == nil {
			before = &live.Snapshot{Event: e, Position: g.Record.Start}
		}
		board, err := b.find.inProgress(ctx, g, before)
		if err != nil {
			return nil, nil, err
		}
		now.Boards = append(now.Boards, boardOf(board))
	}
	if now.State == server.Finished {
		return now, nil, nil
	}
	return now, live.Until(moved), nil
}

func boardOf(now *live.Snapshot) boardState {
	r := &now.Game.Record
	b := boardState{
		Game: now.Game.ID, Attacker: r.Attacker, Defender: r.Defender, Ply: len(r.Moves),
		Position: now.Position.String(), Clocks: now.Clocks(), Advantage: now.Advantage, now: now,
	}
	if n := len(r.Moves); n > 0 {
		b.Move = r.Moves[n-1].String()
	}
	return b
}

// boardsPage is the page of an event's games in progress.
type boardsPage struct {
	ID     int64 // of the event
	Name   string
	State  server.State
	Boards []boardTile
}

type boardTile struct {
	boardState
	View  analysis.Board
	Score int
}

// tilesOf returns the boards for a page.
func tilesOf(now *boardsState) (all []boardTile) {
	for _, one := range now.Boards {
		all = append(all, boardTile{one, analysis.NewBoard(one.now.Position, one.now.Game.Record.Moves), one.now.Position.Score()})
	}
	return all
}

func (b *boards) show(w http.ResponseWriter, r *http.Request) error {
	line, err := lineIn(r, b.archive)
	if err != nil {
		return err
	}
	now, _, err := b.boardsOf(r.Context(), line.Event, nil)
	if err != nil {
		return err
	}
	page := boardsPage{ID: line.Event, Name: line.Name, State: line.State, Boards: tilesOf(now)}
	return b.pages.show(w, r, "boards", view{Title: "Boards of " + line.Name, Section: "events", Modules: []string{"boards.js"}, Body: page})
}

func (b *boards) send(w http.ResponseWriter, r *http.Request) error {
	return stream(w, r, b.archive, b.watched.Follow)
}
