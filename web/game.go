package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"versus2048/arena"
	"versus2048/plain"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func (s *Site) gameRoutes() []arena.Route {
	return []arena.Route{
		s.look("/games/{game}", s.showGame),
		s.look("/api/games/{game}", s.sendGame),
		s.look("/api/games/{game}/live", s.sendLive),
	}
}

// snapshot returns a game as it stands: in progress, or on record.
func (s *Site) snapshot(ctx context.Context, id int64) (*snapshot, error) {
	if g, ok := s.arena.Game(id); ok {
		e, err := s.store.Event(ctx, g.Event)
		if err != nil {
			return nil, err
		}
		p, err := g.Record.Replay()
		return &snapshot{&e, g.Game, p, g.Since}, err
	}
	g, err := s.store.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	e, err := s.store.Event(ctx, g.Event)
	if err != nil {
		return nil, err
	}
	p, err := g.Record.Replay()
	return &snapshot{&e, g.Game, p, time.Time{}}, err
}

// gamePage is what the page of a game shows without JavaScript: one position.
type gamePage struct {
	ID           int64
	Event        *tournament.Event
	Game         *tournament.Game
	Record       *record.Record
	Live         bool
	Ply, Plies   int
	Position     rules.Position
	Board        boardView
	Move         string // that led to the position, "" before the first
	Score        int
	Result       string
	First, Last  int
	Before, Next int
	Turns        []turn
}

// turn is a placement and the slide that answers it, in the list of moves.
type turn struct {
	Number int
	Plies  []plyLink
}

type plyLink struct {
	Ply  int
	Move string
}

// showGame shows a game at the ply in the address, and the last one by default.
func (s *Site) showGame(w http.ResponseWriter, r *http.Request) error {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return err
	}
	now, err := s.snapshot(r.Context(), id)
	if err != nil {
		return err
	}
	ply, err := plyOf(r, len(now.game.Record.Moves))
	if err != nil {
		return err
	}
	page, err := newGamePage(now, ply)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s – %s, game %d", now.game.Record.Attacker, now.game.Record.Defender, id)
	return s.show(w, r, "game", view{Title: title, Section: "events", Modules: []string{"game.js"}, Body: page})
}

// plyOf returns the ply that a request asks for, the last one if it asks for none.
func plyOf(r *http.Request, last int) (int, error) {
	text := r.FormValue("ply")
	if text == "" {
		return last, nil
	}
	ply, err := strconv.Atoi(text)
	if err != nil || ply < 0 || ply > last {
		return 0, wrong(fmt.Sprintf("There is no ply %.20q", text), fmt.Sprintf("This game has the plies 0 to %d.", last))
	}
	return ply, nil
}

// mostTurns is how many turns of a game its page lists without JavaScript.
const mostTurns = 400

func newGamePage(now *snapshot, ply int) (*gamePage, error) {
	r := &now.game.Record
	p, err := at(r, ply)
	if err != nil {
		return nil, err
	}
	page := &gamePage{
		ID: now.game.ID, Event: now.event, Game: &now.game, Record: r, Live: now.live(),
		Ply: ply, Plies: len(r.Moves), Position: p, Score: p.Score(), Result: resultText(now),
		Last: len(r.Moves), Before: max(0, ply-1), Next: min(len(r.Moves), ply+1),
	}
	var last rules.Move
	if ply > 0 {
		last = r.Moves[ply-1]
		page.Move = last.String()
	}
	page.Board = newBoardView(p, ply > 0, last)
	side := r.Start.SideToMove()
	for i, m := range r.Moves {
		if side == rules.Attacker || i == 0 {
			if len(page.Turns) == mostTurns {
				break
			}
			page.Turns = append(page.Turns, turn{Number: len(page.Turns) + 1})
		}
		t := &page.Turns[len(page.Turns)-1]
		t.Plies = append(t.Plies, plyLink{i + 1, m.String()})
		side = side.Other()
	}
	return page, nil
}

// at returns the position after a ply of a record.
func at(r *record.Record, ply int) (rules.Position, error) {
	p := r.Start
	for _, m := range r.Moves[:ply] {
		next, err := p.Play(m)
		if err != nil {
			return p, fmt.Errorf("game %s does not replay: %w", r.Game, err)
		}
		p = next
	}
	return p, nil
}

// resultText says how a game ended, or that it is in progress.
func resultText(s *snapshot) string {
	r := &s.game.Record
	switch {
	case s.live():
		return "in progress"
	case r.Ending == record.Unfinished:
		return "interrupted: it goes on when its event is resumed"
	}
	text := fmt.Sprintf("%s, %s points", endingText(r.Ending), number(s.position.Score()))
	if r.Detail != "" {
		text += ": " + plain.Line(r.Detail)
	}
	return text
}

// endingText says in words how a game ended.
func endingText(e record.Ending) string {
	text, ok := map[record.Ending]string{
		record.Mate: "mate", record.IllegalMove: "illegal move", record.Time: "out of time", record.Disconnect: "connection lost",
		record.Resigned: "resigned", record.MaxTurns: "turn limit reached", record.MaxTile: "tile limit reached",
		record.Decided: "stopped, the match was decided", record.Unfinished: "not finished",
	}[e]
	if !ok {
		return string(e)
	}
	return text
}

// gameJSON is a game as the pages' modules and other programs get it.
type gameJSON struct {
	Game   int64           `json:"game"`
	Event  int64           `json:"event"`
	Match  int             `json:"match"`
	Round  int             `json:"round"`
	Leg    int             `json:"leg"`
	Live   bool            `json:"live"`
	Record json.RawMessage `json:"record"`
}

// sendGame answers with a game and its record so far. The search reports of a game in progress are for
// operators: they would tell its bots what the other one thinks.
func (s *Site) sendGame(w http.ResponseWriter, r *http.Request) error {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return err
	}
	now, err := s.snapshot(r.Context(), id)
	if err != nil {
		return err
	}
	rec := now.game.Record
	if now.live() && !arena.IsOperator(r.Context()) {
		rec.Searches = nil
	}
	rec.Event, rec.Game = now.event.Name, strconv.FormatInt(id, 10)
	text, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	g := &now.game
	return sendJSON(w, r, gameJSON{id, now.event.ID, g.Match, g.Round, g.Leg, now.live(), text})
}

// sendLive streams the frames of a game until it is over.
func (s *Site) sendLive(w http.ResponseWriter, r *http.Request) error {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return err
	}
	if _, err := s.snapshot(r.Context(), id); err != nil {
		return err
	}
	game, ply := lastSeen(r)
	if game != id {
		ply = 0
	}
	to, err := newStream(w)
	if err == nil {
		err = s.follow(r.Context(), to, id, ply)
	}
	var missing *results.NotFoundError
	if errors.As(err, &missing) {
		return err
	}
	return nil // the watcher is gone
}
