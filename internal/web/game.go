package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/study"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// games are the pages of games.
type games struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	watched *live.Games
	film    handler // for addresses that end in .gif
}

// gamePage is the page of a game: without JavaScript it shows one position.
type gamePage struct {
	*live.Snapshot
	*analysis.Replay
	Position  rules.Position    // at the ply
	Advantage *study.Advantage  // at the ply, nil if the final score is not known
	Won       string            // the winner of the match, in words, "" before both games are over
	Places    map[string]string // of the event's bots, by name, such as "2nd, 14.5 points"
	OtherLeg  *otherLeg         // nil if there is none
	Panels    analysis.Panels   // about the ply
	Known     bool              // whether the panels may have facts about some ply of the game
	Origin    string            // the scheme and host of this arena's addresses
	Logs      []gameLog
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
	Score  *int // nil if the game is not over, or if its attacker failed or resigned
}

// score returns the score, nil if it is not known.
func (o *otherLeg) score() *int {
	if o == nil {
		return nil
	}
	return o.Score
}

// show shows a game at the ply in the address; without one, at the last ply.
func (g *games) show(w http.ResponseWriter, r *http.Request) error {
	if number, ok := strings.CutSuffix(r.PathValue("game"), ".gif"); ok {
		r.SetPathValue("game", number)
		return g.film(w, r)
	}
	page, err := g.find.gamePage(r)
	if err != nil {
		return err
	}
	page.Origin = origin(r)
	if err = g.find.addPanels(r, page); err != nil {
		return err
	}
	if page.Logs, err = g.logs(r, page.Snapshot); err != nil {
		return err
	}
	if page.Places, err = g.standing(r.Context(), page.Event); err != nil {
		return err
	}
	title := fmt.Sprintf("%s – %s, game %d", page.Game.Record.Attacker, page.Game.Record.Defender, page.Game.ID)
	return g.pages.show(w, r, "game", view{
		Title: title, About: page.about(), Picture: page.picture(), Section: "events", Modules: []string{"game.js"}, Body: page,
	})
}

// about describes the game in a sentence.
func (p *gamePage) about() string {
	r := &p.Game.Record
	return fmt.Sprintf("%s attacks, %s defends, under %v on %v: %s", plain.Line(r.Attacker), plain.Line(r.Defender), r.Start.Rules(), r.Start.Size(), p.Result)
}

// picture returns the address of the game's picture.
func (p *gamePage) picture() string { return fmt.Sprintf("/games/%d/preview.png", p.Game.ID) }

// gamePage returns the page of the game and the ply that a request asks for.
func (f *finder) gamePage(r *http.Request) (*gamePage, error) {
	now, ply, err := f.gameAndPly(r)
	if err != nil {
		return nil, err
	}
	page, err := newGamePage(now, ply)
	if err != nil {
		return nil, err
	}
	if page.OtherLeg, page.Won, err = f.otherLeg(r.Context(), now); err != nil {
		return nil, err
	}
	page.Advantage = f.values.In(&now.Game.Record, page.Position, page.OtherLeg.score())
	return page, nil
}

func newGamePage(now *live.Snapshot, ply int) (*gamePage, error) {
	replay, err := analysis.NewReplay(&now.Game.Record, ply)
	if err != nil {
		return nil, err
	}
	return &gamePage{Snapshot: now, Replay: replay, Position: replay.Position}, nil
}

// addPanels adds the facts about the ply that the visitor may know, and marks the best move on the board. It reads
// search reports only if the event records them.
func (f *finder) addPanels(r *http.Request, page *gamePage) (err error) {
	game, tables := &page.Game.Record, analysis.Tables(f.values)
	if page.Event.Search {
		if game, err = f.searched(r); err != nil {
			return err
		}
	}
	page.Panels, err = tables.Panels(game, min(page.Ply, len(game.Moves)))
	page.Known = page.Event.Search || tables.Of(page.Position) != nil
	page.Board.Point(page.Panels.Best)
	return err
}

// seesLogs reports whether a visitor may see the logs of programs. Operators may, and visitors on the arena's own
// machine: an author may not want the log of a bot to be public.
func seesLogs(r *http.Request) bool {
	return server.IsOperator(r.Context()) || gate.FromLoopback(r)
}

// onlyLogs returns the logs of a game's programs, or an error if the visitor may not see them.
func (g *games) onlyLogs(r *http.Request) ([]gameLog, error) {
	if !seesLogs(r) {
		return nil, &problem{status: http.StatusForbidden, title: "Logs are for operators only", advice: "Send an operator's token."}
	}
	now, _, err := g.find.gameAndPly(r)
	if err != nil {
		return nil, err
	}
	logs, err := g.logs(r, now)
	return append([]gameLog{}, logs...), err
}

// logs returns the logs of a game's programs that the visitor may see. It returns none while the game is in progress.
func (g *games) logs(r *http.Request, now *live.Snapshot) (logs []gameLog, err error) {
	if now.Live() || !seesLogs(r) {
		return nil, nil
	}
	texts, err := g.store.Logs(r.Context(), now.Game.ID)
	for side, text := range texts {
		if text != nil {
			logs = append(logs, gameLog{templates.BotOf(&now.Game.Record, rules.Side(side)), rules.Side(side), strings.ToValidUTF8(string(text), "\uFFFD")})
		}
	}
	return logs, err
}

// otherLeg returns the game of the same match with the roles exchanged, nil if there is none. won is the result of the
// match in words, "" while one of its games is not over.
func (f *finder) otherLeg(ctx context.Context, now *live.Snapshot) (other *otherLeg, won string, err error) {
	filter := results.Filter{Event: now.Event.ID, Match: now.Game.Match, Leg: 3 - now.Game.Leg, Voided: true}
	err = f.store.Games(ctx, filter, func(leg results.Stored) error {
		if !leg.Voided.Equal(now.Voided) {
			return nil
		}
		other = &otherLeg{ID: leg.ID}
		if leg.Record.Ending != record.Unfinished {
			other.Result = fmt.Sprintf("%s scored %s", plain.Line(leg.Record.Defender), templates.Number(leg.Announced.Score))
			other.Score = countedScore(leg)
		}
		won = live.MatchResult(now.Game, leg.Game)
		return nil
	})
	if err == nil && other != nil && other.Result == "" {
		other.Result, err = f.unfinishedLeg(ctx, other.ID)
	}
	return other, won, err
}

// unfinishedLeg describes a game that was not over when otherLeg read it. By now the game may be over, too.
func (f *finder) unfinishedLeg(ctx context.Context, id int64) (result string, err error) {
	leg, err := f.snapshot(ctx, id, nil)
	switch {
	case err != nil:
		return "", err
	case leg.Live():
		return "in progress", nil // without the race, which would soon be out of date on a page of another game
	}
	return leg.Result, nil
}

// standing returns the places of the bots of an event, such as "2nd, 14.5 points". It returns none before any result,
// and while the statistics are computed for the first time.
func (g *games) standing(ctx context.Context, e *tournament.Event) (map[string]string, error) {
	standings, err := g.standings(ctx, e.ID)
	places := map[string]string{}
	if err != nil || standings == nil || !standings.Begun() {
		return places, err
	}
	for _, place := range standings.Places {
		text := templates.Ordinal(place.Place)
		if len(place.Values) > 0 && len(standings.Columns) > 0 {
			unit := standings.Columns[0]
			if place.Values[0] == 1 {
				unit = strings.TrimSuffix(unit, "s")
			}
			text += fmt.Sprintf(", %s %s", templates.Number(archive.ValueText(place.Values[0])), unit)
		}
		places[place.Name] = text
	}
	return places, nil
}

// standings returns the standings of an event: from the arena if it has the event's run in memory, otherwise from the
// event's statistics. It returns nil if the statistics are not known yet: a page of a game does not wait for them.
func (g *games) standings(ctx context.Context, event int64) (*tournament.Standings, error) {
	if p, ok := g.arena.Progress(event); ok && p.Standings != nil {
		return p.Standings, nil
	}
	stats, err := g.archive.Statistics(ctx, event)
	if stats == nil {
		return nil, err
	}
	return &stats.Standings, nil
}

// gameJSON is a game for the pages' modules and for other programs.
type gameJSON struct {
	Game   int64           `json:"game"`
	Event  int64           `json:"event"`
	Match  int             `json:"match"`
	Round  int             `json:"round"`
	Leg    int             `json:"leg"`
	Live   bool            `json:"live"`                   // in progress
	Result string          `json:"result"`                 // in words
	Won    string          `json:"won,omitempty"`          // the winner of the match, in words, once both of its games are over
	Pauses map[int]string  `json:"pauses,omitempty"`       // of the clock, in words, by the ply after the pause
	Record json.RawMessage `json:"record" schema:"Record"` // without times and search reports
	// Every is the number of plies between the Positions of a long game. They come after the plies Every, 2 Every and so
	// on. With them a page shows a late ply without playing all moves before it.
	Every     int      `json:"every,omitempty"`
	Positions []string `json:"positions,omitempty"`
}

// game returns a game and its record so far, without times and search reports: they are most of its data.
func (g *games) game(r *http.Request) (answer gameJSON, err error) {
	now, _, err := g.find.gameAndPly(r)
	if err != nil {
		return answer, err
	}
	of := now.Game
	of.Record.Times, of.Record.Lags, of.Record.Searches = nil, nil, nil
	of.Record.Event, of.Record.Game = now.Event.Name, strconv.FormatInt(of.ID, 10)
	text, err := of.Record.MarshalJSON()
	if err != nil {
		return answer, err
	}
	_, won, err := g.find.otherLeg(r.Context(), now)
	every, positions := analysis.Milestones(&of.Record)
	return gameJSON{
		of.ID, now.Event.ID, of.Match, of.Round, of.Leg, now.Live(), now.Result, won, templates.Pauses(&of.Record), text, every, positions,
	}, err
}

// plies returns the times and the expected final scores of the plies after the ply in the request's parameter from.
func (g *games) plies(r *http.Request) (part analysis.Plies, err error) {
	now, _, err := g.find.gameAndPly(r)
	if err != nil {
		return part, err
	}
	from, err := analysis.PlyOf(r.Form, "from", now.Plies(), 0)
	if err != nil {
		return part, err
	}
	other, _, err := g.find.otherLeg(r.Context(), now)
	return analysis.Tables(g.find.values).Plies(&now.Game.Record, from, other.score()), err
}

// sendLive streams the frames of a game until it is over.
func (g *games) sendLive(w http.ResponseWriter, r *http.Request) error {
	now, _, err := g.find.gameAndPly(r)
	if err != nil {
		return err
	}
	game, ply := live.SeenPly(r)
	if game != now.Game.ID {
		ply = 0
	}
	to, err := live.NewStream(w, r)
	if err == nil {
		_ = g.watched.Follow(r.Context(), to, now.Game.ID, ply, (*live.Snapshot).Over)
	}
	return nil // the watcher is gone
}
