package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/templates"
	"versus2048/rules/record"
)

// replay is the page of the game that the visitor has opened. Without a game, the page asks for a record.
type replay struct {
	*analysis.Replay
	Record    *record.Record   // nil before one is opened
	Advantage *study.Advantage // at the ply, nil if no table has the final score
	Plies     int
	Result    string
	Won       string // always "": the winner of the match is not known
	Panels    analysis.Panels
	Known     bool // whether the panels may have facts about some ply of the game
}

// showReplay returns the page of the game in the visitor's file.
func (s *Site) showReplay(text string, asked url.Values) ([]byte, error) {
	page := &replay{}
	if text == "" {
		return s.Page("replay", replayView(page), 0)
	}
	r, err := parse(text)
	if err != nil {
		return nil, &analysis.Problem{Title: "This is no record of a game", Advice: err.Error()}
	}
	if page, err = s.newReplay(r, asked); err != nil {
		return nil, err
	}
	s.game = r
	v := replayView(page)
	v.Modules = []string{"game.js"}
	return s.Page("replay", v, 0)
}

func replayView(page *replay) analysis.View {
	return analysis.View{Title: "Replay", Section: "replay", Body: page}
}

// parse reads the record of one game, as text or as JSON.
func parse(text string) (*record.Record, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		var r record.Record
		return &r, json.Unmarshal([]byte(text), &r)
	}
	r, err := record.Parse(text)
	return &r, err
}

// newReplay returns the page of a game at the ply that is asked for.
func (s *Site) newReplay(r *record.Record, asked url.Values) (*replay, error) {
	last, err := r.Replay()
	if err != nil {
		return nil, err
	}
	ply, err := analysis.PlyOf(asked, "ply", len(r.Moves), 0)
	if err != nil {
		return nil, err
	}
	at, err := analysis.NewReplay(r, ply)
	if err != nil {
		return nil, err
	}
	panels, err := s.tables.Panels(r, ply)
	return &replay{
		Replay: at, Record: r, Plies: len(r.Moves), Result: templates.Ended(r, last.Score()), Panels: panels,
		Advantage: study.Values(s.tables).In(r, at.Position, nil),
		Known:     len(r.Searches) > 0 || s.tables.Of(r.Start) != nil,
	}, err
}

// gameJSON is the opened game for the page's modules, as an arena sends it.
type gameJSON struct {
	Result    string          `json:"result"`
	Pauses    map[int]string  `json:"pauses,omitempty"`
	Record    json.RawMessage `json:"record"`
	Every     int             `json:"every,omitempty"`
	Positions []string        `json:"positions,omitempty"`
}

// ofGame answers the requests of the modules of the opened game's page.
func (s *Site) ofGame(r Request) ([]byte, error) {
	if s.game == nil {
		return nil, &analysis.Problem{Missing: true, Title: "There is no game", Advice: "Open its record first."}
	}
	switch what := r.Path[strings.LastIndex(r.Path, "/")+1:]; what {
	case "plies":
		return s.plies(r.values())
	case "panels":
		return s.panels(r.values())
	case "marks":
		return s.pages.Make("replay", "marks", analysis.NewMarks(study.Of(s.game, judging(), s.tables...), len(s.game.Moves), true))
	case "curves":
		return s.pages.Make("replay", "curves", analysis.NewCurves(s.game))
	case "0":
		return s.gameJSON()
	default:
		return nil, &analysis.Problem{Missing: true, Title: fmt.Sprintf("There is no %.20s of this game", what), Advice: "Look at its moves."}
	}
}

func (s *Site) gameJSON() ([]byte, error) {
	short := *s.game
	short.Times, short.Lags, short.Searches = nil, nil, nil
	text, err := json.Marshal(short)
	if err != nil {
		return nil, err
	}
	last, err := short.Replay()
	every, positions := analysis.Milestones(s.game)
	body, _ := json.Marshal(gameJSON{templates.Ended(s.game, last.Score()), templates.Pauses(s.game), text, every, positions})
	return body, err
}

// plies returns the times of the moves after a ply, and the expected final scores from that ply on. The request's key
// "from" has the ply.
func (s *Site) plies(asked url.Values) ([]byte, error) {
	from, err := analysis.PlyOf(asked, "from", len(s.game.Moves), 0)
	if err != nil {
		return nil, err
	}
	return json.Marshal(s.tables.Plies(s.game, from, nil))
}

// panels returns the facts about a ply.
func (s *Site) panels(asked url.Values) ([]byte, error) {
	last := len(s.game.Moves)
	ply, err := analysis.PlyOf(asked, "ply", last, last)
	if err != nil {
		return nil, err
	}
	known, err := s.tables.Panels(s.game, ply)
	if err != nil {
		return nil, err
	}
	return s.pages.Make("replay", "panels", known)
}

// judgeTime is the longest time for judging the moves of a game.
const judgeTime = 5 * time.Second

// judging returns a pause for [study.Of]: other requests are answered during it. It ends the work after judgeTime.
func judging() func() error {
	began := time.Now()
	return func() error {
		time.Sleep(time.Millisecond) // in a browser this is a timer: other events are handled first
		if time.Since(began) > judgeTime {
			return context.DeadlineExceeded
		}
		return nil
	}
}
