package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/live"
	"versus2048/internal/web/words"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func (s *Site) gameRoutes() []server.Route {
	return []server.Route{
		s.page("/games/{game}", s.showGame),
		s.look("/api/games/{game}", s.sendGame),
		s.look("/api/games/{game}/live", s.sendLive),
		s.look("/api/games/{game}/logs", s.sendLogs),
	}
}

// snapshot returns the present state of a game, in progress or on record, without its search reports. last is an
// earlier snapshot of it, or nil; snapshot copies the facts from it that cannot have changed.
func (s *Site) snapshot(ctx context.Context, id int64, last *live.Snapshot) (*live.Snapshot, error) {
	if g, ok := s.arena.Game(id); ok {
		return s.inProgress(ctx, g, last)
	}
	now, err := s.onRecord(ctx, id)
	if err != nil || now.Over() {
		return now, err
	}
	now.Changed = s.arena.Changed(now.Event.ID)
	if g, ok := s.arena.Game(id); ok { // it has gone on before the call of Changed
		return s.inProgress(ctx, g, last)
	}
	return now, nil
}

// onRecord returns the state of a game on record, without its search reports.
func (s *Site) onRecord(ctx context.Context, id int64) (now *live.Snapshot, err error) {
	err = s.store.Games(ctx, results.Filter{Game: id}, func(g results.Stored) error {
		p, err := g.Record.Replay()
		now = &live.Snapshot{Event: &tournament.Event{ID: g.Event}, Game: g.Game, Position: p, Voided: g.Voided}
		now.Result = words.Result(now)
		return err
	})
	if err != nil {
		return nil, err
	}
	if now == nil {
		return nil, &results.NotFoundError{What: "game", ID: id}
	}
	// Not while the game is being read: a request that waits for a second connection to the database must not hold a
	// first one.
	e, err := s.store.Event(ctx, now.Event.ID)
	now.Event = &e
	return now, err
}

// inProgress returns the snapshot of a game in progress.
func (s *Site) inProgress(ctx context.Context, g server.LiveGame, last *live.Snapshot) (*live.Snapshot, error) {
	now := &live.Snapshot{Game: g.Game, Position: g.Record.Start, Since: g.Since, At: time.Now(), Away: s.awayFrom(g), Changed: g.Changed}
	now.Result = words.Result(now)
	played := 0
	if last != nil && last.Plies() <= now.Plies() {
		now.Event, now.Position, played = last.Event, last.Position, last.Plies()
	} else {
		var err error
		if now.Event, err = s.played.event(ctx, s.store, g.Event); err != nil {
			return nil, err
		}
	}
	for _, m := range g.Record.Moves[played:] {
		now.Position = now.Position.Next(m) // the referee has checked the move
	}
	if last != nil {
		now.Continues(last)
	}
	return now, nil
}

// playedEvents are events with games in progress. The facts in their snapshots do not change while they are played.
type playedEvents struct {
	mu    sync.Mutex
	known map[int64]*tournament.Event
}

// mostPlayed is how many events are remembered; then all are forgotten.
const mostPlayed = 64

func (p *playedEvents) event(ctx context.Context, store *results.Store, id int64) (*tournament.Event, error) {
	p.mu.Lock()
	defer p.mu.Unlock() // also while the event is read: other watchers of the game need it, too
	if e := p.known[id]; e != nil {
		return e, nil
	}
	e, err := store.Event(ctx, id)
	if err != nil {
		return nil, err
	}
	if p.known == nil || len(p.known) >= mostPlayed {
		p.known = map[int64]*tournament.Event{}
	}
	p.known[id] = &e
	return &e, nil
}

// awayFrom returns the sides of a game with disconnected bots.
func (s *Site) awayFrom(g server.LiveGame) (sides []rules.Side) {
	for side, bot := range map[rules.Side]string{rules.Attacker: g.Record.Attacker, rules.Defender: g.Record.Defender} {
		if s.arena.Away(bot) {
			sides = append(sides, side)
		}
	}
	slices.Sort(sides)
	return sides
}

// gamePage is the page of a game: without JavaScript it shows one position.
type gamePage struct {
	ID           int64
	Event        *tournament.Event
	Game         *tournament.Game
	Record       *record.Record
	Live         bool
	Searches     bool // whether this visitor may see search reports, if there are any
	Ply, Plies   int
	Position     rules.Position
	Board        boardView
	Move         string // the last move before the position, "" at the start
	Score        int
	Result       string
	Won          string // the winner of the match, in words, "" before both games are over
	Before, Next int
	Pause        string // how long the clock stood still during the move, "" if it did not
	Away         []rules.Side
	Places       map[string]string // of both bots in the event, such as "2nd, 14.5 points"
	OtherLeg     *otherLeg         // nil if there is none
	FirstTurn    int
	Turns        []turn
	Panels       panels // about the ply
	Known        bool   // whether the panels may have facts about some ply of the game
	Origin       string // the scheme and host of this arena's addresses
	Logs         []gameLog
}

// gameLog is the text that the program of one side wrote to standard error.
type gameLog struct {
	Bot  string     `json:"bot"`
	Side rules.Side `json:"side"`
	Text string     `json:"text"`
}

// otherLeg is the game of the same match with the roles exchanged.
type otherLeg struct {
	ID     int64
	Result string
}

// turn is a placement and the slide that answers it, in the list of moves.
type turn struct {
	Plies []plyLink
}

type plyLink struct {
	Ply  int
	Move string
}

// showGame shows a game at the ply in the address; without one, at the last ply.
func (s *Site) showGame(w http.ResponseWriter, r *http.Request) error {
	if number, ok := strings.CutSuffix(r.PathValue("game"), ".gif"); ok {
		r.SetPathValue("game", number)
		return s.sendGIF(w, r)
	}
	now, ply, err := s.gameAndPly(r)
	if err != nil {
		return err
	}
	page, err := newGamePage(now, ply)
	if err != nil {
		return err
	}
	page.Searches = !page.Live || showsLive(r, now.Event)
	page.Origin = origin(r)
	if err = s.addPanels(r, page); err != nil {
		return err
	}
	if page.Logs, err = s.logs(r, page); err != nil {
		return err
	}
	if page.Places, err = s.standing(r.Context(), now.Event); err != nil {
		return err
	}
	if page.OtherLeg, page.Won, err = s.otherLeg(r.Context(), now); err != nil {
		return err
	}
	title := fmt.Sprintf("%s – %s, game %d", now.Game.Record.Attacker, now.Game.Record.Defender, page.ID)
	return s.show(w, r, "game", view{Title: title, Section: "events", Modules: []string{"game.js"}, Body: page})
}

func newGamePage(now *live.Snapshot, ply int) (*gamePage, error) {
	r := &now.Game.Record
	p, err := at(r, ply)
	if err != nil {
		return nil, err
	}
	page := &gamePage{
		ID: now.Game.ID, Event: now.Event, Game: &now.Game, Record: r, Live: now.Live(), Away: now.Away,
		Ply: ply, Plies: len(r.Moves), Position: p, Score: p.Score(), Result: now.Result, Pause: words.Pause(r, ply),
		Before: max(0, ply-1), Next: min(len(r.Moves), ply+1),
	}
	if ply > 0 {
		page.Move = r.Moves[ply-1].String()
	}
	page.Board = newBoardView(p, r.Moves[:ply])
	page.FirstTurn, page.Turns = turnsAround(r, ply)
	return page, nil
}

// addPanels adds the facts about the ply that the visitor may know. It reads search reports only if the event records
// them.
func (s *Site) addPanels(r *http.Request, page *gamePage) (err error) {
	game := page.Record
	if page.Event.Search {
		if game, err = s.searched(r); err != nil {
			return err
		}
	}
	page.Panels, err = s.panelsOf(game, min(page.Ply, len(game.Moves)))
	page.Known = page.Event.Search || s.tableOf(page.Position) != nil
	return err
}

// sendLogs answers with the logs of a game's programs, to operators and to requests from the arena's machine.
func (s *Site) sendLogs(w http.ResponseWriter, r *http.Request) error {
	if !server.IsOperator(r.Context()) && !server.FromThisMachine(r) {
		return &problem{status: http.StatusForbidden, title: "Logs are for operators only", advice: "Send an operator's token."}
	}
	now, _, err := s.gameAndPly(r)
	if err != nil {
		return err
	}
	logs, err := s.logs(r, &gamePage{ID: now.Game.ID, Record: &now.Game.Record, Live: now.Live()})
	if err != nil {
		return err
	}
	return sendJSON(w, r, append([]gameLog{}, logs...))
}

// logs returns the logs of a game's programs, for operators and on the arena's own machine: an author may not want the
// log of a bot to be public.
func (s *Site) logs(r *http.Request, page *gamePage) (logs []gameLog, err error) {
	if page.Live || !server.IsOperator(r.Context()) && !server.FromThisMachine(r) {
		return nil, nil
	}
	texts, err := s.store.Logs(r.Context(), page.ID)
	for side, text := range texts {
		if text != nil {
			logs = append(logs, gameLog{words.BotOf(page.Record, rules.Side(side)), rules.Side(side), strings.ToValidUTF8(string(text), "\uFFFD")})
		}
	}
	return logs, err
}

// shownTurns is how many turns of a game its page lists without JavaScript.
const shownTurns = 80

// turnsAround returns the turns around a ply, and the number of the first of them, from 1.
func turnsAround(r *record.Record, ply int) (first int, turns []turn) {
	odd := 0 // a game that begins with a slide has half a turn first
	if r.Start.SideToMove() == rules.Defender {
		odd = 1
	}
	from := max(0, (ply+odd)/2-shownTurns/2)
	for t := from; t < from+shownTurns && 2*t-odd < len(r.Moves); t++ {
		var plies []plyLink
		for i := max(0, 2*t-odd); i < min(2*t-odd+2, len(r.Moves)); i++ {
			plies = append(plies, plyLink{i + 1, r.Moves[i].String()})
		}
		turns = append(turns, turn{plies})
	}
	return from + 1, turns
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

// otherLeg returns the game of the same match with the roles exchanged, nil if there is none, and the winner of the
// match in words, "" while one of its games is not over.
func (s *Site) otherLeg(ctx context.Context, now *live.Snapshot) (other *otherLeg, won string, err error) {
	err = s.store.Games(ctx, results.Filter{Event: now.Event.ID, Match: now.Game.Match, Voided: true}, func(g results.Stored) error {
		if g.Leg == now.Game.Leg || !g.Voided.Equal(now.Voided) {
			return nil
		}
		other = &otherLeg{ID: g.ID, Result: "in progress"}
		if g.Record.Ending != record.Unfinished {
			other.Result = fmt.Sprintf("%s scored %s", plain.Line(g.Record.Defender), words.Number(g.Announced.Score))
		}
		won = words.Match(now.Game, g.Game)
		return nil
	})
	return other, won, err
}

// standing returns the places of the bots of an event, such as "2nd, 14.5 points". It returns none before any result,
// and while the statistics are computed for the first time.
func (s *Site) standing(ctx context.Context, e *tournament.Event) (map[string]string, error) {
	standings, err := s.standings(ctx, e.ID)
	places := map[string]string{}
	if err != nil || standings == nil || !standings.Begun() {
		return places, err
	}
	for _, place := range standings.Places {
		text := words.Ordinal(place.Place)
		if len(place.Values) > 0 && len(standings.Columns) > 0 {
			text += fmt.Sprintf(", %s %s", words.Number(place.Values[0]), standings.Columns[0])
		}
		places[place.Name] = text
	}
	return places, nil
}

// standings returns the standings of an event: from the arena if it has played the event, otherwise from its
// statistics. It returns nil if these are not known yet: a page of a game does not wait for them.
func (s *Site) standings(ctx context.Context, event int64) (*tournament.Standings, error) {
	if p, ok := s.arena.Progress(event); ok && p.Standings != nil {
		return p.Standings, nil
	}
	return s.archive.Standings(ctx, event)
}

// gameJSON is a game for the pages' modules and for other programs.
type gameJSON struct {
	Game   int64           `json:"game"`
	Event  int64           `json:"event"`
	Match  int             `json:"match"`
	Round  int             `json:"round"`
	Leg    int             `json:"leg"`
	Live   bool            `json:"live"`
	Result string          `json:"result"`           // in words
	Won    string          `json:"won,omitempty"`    // the winner of the match, in words, once both of its games are over
	Pauses map[int]string  `json:"pauses,omitempty"` // the match's winner, in words, once both games are over
	Record json.RawMessage `json:"record"`
	// Every and Positions are for long games: the positions after the plies Every, 2 Every and so on, so that a page
	// need not play all moves to show one.
	Every     int      `json:"every,omitempty"`
	Positions []string `json:"positions,omitempty"`
}

// mostPoints is the largest number of plies that a page plays by itself, and of points of its curves: see
// static/plots.js.
const mostPoints = 1024

// milestones returns some positions of a long game: after each ply that is a multiple of every. every is the smallest
// power of 2 that gives at most mostPoints positions.
func milestones(r *record.Record) (every int, positions []string) {
	for every = 1; every*mostPoints < len(r.Moves); every *= 2 {
	}
	if every == 1 {
		return 0, nil
	}
	p := r.Start
	for i, m := range r.Moves {
		if p = p.Next(m); (i+1)%every == 0 {
			positions = append(positions, p.String())
		}
	}
	return every, positions
}

// sendGame answers with a game and its record so far, without search reports: they are most of its data.
func (s *Site) sendGame(w http.ResponseWriter, r *http.Request) error {
	now, _, err := s.gameAndPly(r)
	if err != nil {
		return err
	}
	g := now.Game
	g.Record.Searches = nil
	g.Record.Event, g.Record.Game = now.Event.Name, strconv.FormatInt(g.ID, 10)
	text, err := json.Marshal(g.Record)
	if err != nil {
		return err
	}
	_, won, err := s.otherLeg(r.Context(), now)
	if err != nil {
		return err
	}
	every, positions := milestones(&g.Record)
	return sendJSON(w, r, gameJSON{
		g.ID, now.Event.ID, g.Match, g.Round, g.Leg, now.Live(), now.Result, won, words.Pauses(&g.Record), text, every, positions,
	})
}

// sendLive streams the frames of a game until it is over.
func (s *Site) sendLive(w http.ResponseWriter, r *http.Request) error {
	now, _, err := s.gameAndPly(r)
	if err != nil {
		return err
	}
	game, ply := live.SeenPly(r)
	if game != now.Game.ID {
		ply = 0
	}
	to, err := live.NewStream(w, r)
	if err == nil {
		_ = s.games.Follow(r.Context(), to, now.Game.ID, ply, (*live.Snapshot).Over)
	}
	return nil // the watcher is gone
}
