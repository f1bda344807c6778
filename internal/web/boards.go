package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/advantage"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/results"
	"versus2048/rules"
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

	Advantage *advantage.Advantage `json:"advantage,omitempty"` // nil if the final score is not known

	now *live.Snapshot
}

// boardsState is a message of the stream of all boards.
type boardsState struct {
	Event  int64        `json:"event"`
	State  server.State `json:"state"`
	Boards []boardState `json:"boards"`
}

// boardsOf returns the games in progress of an event, and how to wait for the next plies. last is an earlier state, or
// nil.
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
	Event  int64
	Name   string
	State  server.State
	Boards []boardTile
}

type boardTile struct {
	boardState
	View  boardView
	Score int
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
	page := boardsPage{Event: line.Event, Name: line.Name, State: line.State}
	for _, one := range now.Boards {
		page.Boards = append(page.Boards, boardTile{one, newBoardView(one.now.Position, one.now.Game.Record.Moves), one.now.Position.Score()})
	}
	return b.pages.show(w, r, "boards", view{Title: "Boards of " + line.Name, Section: "events", Modules: []string{"boards.js"}, Body: page})
}

func (b *boards) send(w http.ResponseWriter, r *http.Request) error {
	return stream(w, r, b.archive, b.watched.Follow)
}

// boardView is the data of the template "board".
type boardView struct {
	Width, Height int
	Label         string
	Rows          [][]cellView
	Best          string // the best slide, drawn as an arrow; "" for none
}

// cellView is one cell, empty if Tile is 0.
type cellView struct {
	X, Y, Tile int
	Label      string
	Placed     bool        // by the last move
	Best       int         // the tile that the best placement puts here, 0 for none
	Place      []legalMove // in this cell, on the page of a position
}

// newBoardView returns the board of a position. It marks the tile that was placed last in moves.
func newBoardView(p rules.Position, moves []rules.Move) boardView {
	size := p.Size()
	b := boardView{Width: int(size.Width), Height: int(size.Height)}
	b.Label = fmt.Sprintf("Board of %v, the %v to move, score %d", size, p.SideToMove(), p.Score())
	for y := 1; y <= b.Height; y++ {
		var row []cellView
		for x := 1; x <= b.Width; x++ {
			c := cellView{X: x, Y: y, Tile: p.Tile(x, y)}
			c.Label = cellLabel(x, y, c.Tile)
			if n := len(moves); n > 0 && !moves[n-1].IsSlide() {
				c.Placed = moves[n-1].Cell() == 4*(y-1)+x-1
			}
			row = append(row, c)
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// point draws the best move on the board: an arrow, or a tile that is not there yet. It draws nothing for nil.
func (b *boardView) point(best *bestMove) {
	switch {
	case best == nil:
	case best.IsSlide():
		b.Best = best.String()
	case best.IsFour():
		b.Rows[best.Cell()/4][best.Cell()%4].Best = 4
	default:
		b.Rows[best.Cell()/4][best.Cell()%4].Best = 2
	}
}

// cellLabel describes a cell and its tile.
func cellLabel(x, y, tile int) string {
	if tile == 0 {
		return fmt.Sprintf("column %d, row %d: empty", x, y)
	}
	return fmt.Sprintf("column %d, row %d: %d", x, y, tile)
}
