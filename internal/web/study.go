package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/budget"
	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/live"
	"versus2048/rules"
	"versus2048/rules/record"

	lru "github.com/hashicorp/golang-lru/v2"
)

// studies are the parts of a page for studying a game.
type studies struct {
	pages  *pages
	arena  *server.Server
	find   *finder
	tables analysis.Tables
	marks  *lru.Cache[markedGame, marksJSON]
	judged sync.Map // by markedGame: a channel that is closed when the game is judged
	drawn  *lru.Cache[drawnGame, *analysis.Curves]
}

func newStudies(pages *pages, arena *server.Server, find *finder, tables analysis.Tables) *studies {
	marks, _ := lru.New[markedGame, marksJSON](keptMarks) // fails only for a size of 0
	drawn, _ := lru.New[drawnGame, *analysis.Curves](keptCurves)
	return &studies{pages: pages, arena: arena, find: find, tables: tables, marks: marks, drawn: drawn}
}

// marksJSON is the answer with the marks of a game.
type marksJSON struct {
	Game   int64        `json:"game"`
	Judged int          `json:"judged"` // number of plies that were judged within judgeTime
	Marks  []study.Mark `json:"marks"`
}

// judgeTime is the longest time for judging the moves of one game, without the turns of others meanwhile.
const judgeTime = 5 * time.Second

// onlyMarks returns the plies of a game that are worth looking at.
func (s *studies) onlyMarks(r *http.Request) (marksJSON, error) {
	_, marks, err := s.marked(r)
	return marks, err
}

// marked returns a game and its marks.
func (s *studies) marked(r *http.Request) (now *live.Snapshot, marks marksJSON, err error) {
	if now, _, err = s.find.gameAndPly(r); err == nil {
		marks, err = s.marksOf(r, now)
	}
	return now, marks, err
}

// markedGame is a game in the cache of marks. A game that was taken back and played again ends at another time.
type markedGame struct{ id, finished int64 }

// marksOf returns the marks of a game. It does not judge the moves of an unfinished game. The first request after the
// game's end judges the moves. Other requests wait for the same marks, and judge the moves themselves if the first
// client has left.
func (s *studies) marksOf(r *http.Request, now *live.Snapshot) (marks marksJSON, err error) {
	if !now.Over() {
		return newMarksJSON(now.Game.ID, study.Of(&now.Game.Record, nil)), nil
	}
	key := markedGame{now.Game.ID, now.Game.Finished.UnixNano()}
	for {
		if known, ok := s.marks.Get(key); ok {
			return known, nil
		}
		judged := make(chan struct{})
		others, running := s.judged.LoadOrStore(key, judged)
		if !running {
			defer close(judged)
			defer s.judged.Delete(key)
			return s.judge(r, key, &now.Game.Record)
		}
		budget.Of(r.Context()).End()
		select {
		case <-others.(chan struct{}):
		case <-r.Context().Done():
			return marks, r.Context().Err()
		}
	}
}

// judge judges the moves of a game, and keeps its marks.
func (s *studies) judge(r *http.Request, key markedGame, game *record.Record) (marks marksJSON, err error) {
	turn, err := s.arena.Think(r)
	if err != nil {
		return marks, err
	}
	defer turn.End()
	marks = newMarksJSON(key.id, study.Of(game, judging(r.Context(), turn), s.tables...))
	if r.Context().Err() == nil {
		s.marks.Add(key, marks)
	}
	return marks, nil
}

// judging returns a pause for [study.Of]: others have their turns during it. The pause ends the work after judgeTime.
func judging(ctx context.Context, turn *budget.Turn) func() error {
	left, began := judgeTime, time.Now()
	return func() error {
		if left -= time.Since(began); left <= 0 {
			return context.DeadlineExceeded
		}
		err := turn.Yield(ctx)
		began = time.Now()
		return err
	}
}

// marksView returns the marks of a game for its page.
func (s *studies) marksView(r *http.Request) (*analysis.Marks, error) {
	now, marks, err := s.marked(r)
	if err != nil {
		return nil, err
	}
	return analysis.NewMarks(study.Marks{List: marks.Marks, Judged: marks.Judged}, now.Plies(), now.Over()), nil
}

func newMarksJSON(game int64, marks study.Marks) marksJSON {
	return marksJSON{game, marks.Judged, append([]study.Mark{}, marks.List...)}
}

// keptMarks is the number of finished games with kept marks, some kilobytes each: the games that were looked at last.
const keptMarks = 500

// playedJSON is a game that a visitor has played and the arena has not recorded.
type playedJSON struct {
	Record string `json:"record"` // in the text form of docs/RECORDS.md
}

// mistakes returns the costliest moves of the game in a request.
func (s *studies) mistakes(r *http.Request) ([]study.Mark, error) {
	var sent playedJSON
	if err := readJSON(r, &sent); err != nil {
		return nil, err
	}
	game, err := record.Parse(sent.Record)
	if err != nil {
		return nil, wrong("This is no game", err.Error())
	}
	turn, err := s.arena.Think(r)
	if err != nil {
		return nil, err
	}
	defer turn.End()
	return append([]study.Mark{}, study.Costliest(&game, judging(r.Context(), turn), s.tables...)...), nil
}

// panels returns the facts about the ply in a request.
func (s *studies) panels(r *http.Request) (known analysis.Panels, err error) {
	game, err := s.find.searched(r)
	if err != nil {
		return known, err
	}
	ply, err := analysis.PlyOf(r.Form, "ply", len(game.Moves), len(game.Moves))
	if err != nil {
		return known, err
	}
	return s.tables.Panels(game, ply)
}

// keptCurves is the number of games with kept curves, up to 100 kilobytes each. All watchers of a game ask for the same
// curves.
const keptCurves = 100

// drawnGame is a state of a game in the cache of curves. Its position tells states apart also if an interruption has
// taken plies back.
type drawnGame struct {
	id, finished int64
	at           rules.Position
	searches     bool // whether the curves have the values of searches
}

// curves returns the curves of a game.
func (s *studies) curves(r *http.Request) (*analysis.Curves, error) {
	now, _, err := s.find.gameAndPly(r)
	if err != nil {
		return nil, err
	}
	key := drawnGame{now.Game.ID, now.Game.Finished.UnixNano(), now.Position, now.Over() || showsLive(r, now.Event)}
	if known, ok := s.drawn.Get(key); ok {
		return known, nil
	}
	game, err := s.find.searched(r)
	if err != nil {
		return nil, err
	}
	curves := analysis.NewCurves(game)
	s.drawn.Add(key, curves)
	return curves, nil
}

// valuesJSON has the scores that the bots expected during a game, from their reports.
type valuesJSON struct {
	Values []*float64 `json:"values"` // of each ply's move by its own bot, null without a report
}

// values returns the value of each move by the search that chose it; none if there are no reports.
func (s *studies) values(r *http.Request) (valuesJSON, error) {
	game, err := s.find.searched(r)
	if err != nil {
		return valuesJSON{}, err
	}
	return valuesJSON{analysis.Values(game)}, nil
}

// searchesJSON is the search reports of some plies.
type searchesJSON struct {
	From     int                    `json:"from"`
	Searches []*record.SearchReport `json:"searches"` // of the plies from From on, null without a report
}

// mostSearches is the largest number of reports in one answer.
const mostSearches = 64

// searches returns the search reports for the moves that led to a ply and to the plies after it. The key "from" names
// the ply; without the key it is 1.
func (s *studies) searches(r *http.Request) (answer searchesJSON, err error) {
	game, err := s.find.searched(r)
	if err != nil {
		return answer, err
	}
	from, err := analysis.PlyOf(r.Form, "from", max(1, len(game.Moves)), 1)
	if err != nil {
		return answer, err
	}
	first := min(max(from, 1)-1, len(game.Searches))
	list := game.Searches[first:min(first+mostSearches, len(game.Searches))]
	return searchesJSON{first + 1, append([]*record.SearchReport{}, list...)}, nil
}
