package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"versus2048/internal/server"
	"versus2048/internal/server/budget"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Limits of the explorer. A count is expensive: it reads all games, with two readers at once.
const (
	longestCount = time.Minute
	mostKept     = 256 // answers
)

// explorer counts the moves that were played in a position. It keeps its last answers, which are right until another
// game is finished or games are taken back.
type explorer struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	find    *finder
	kept    *lru.Cache[countKey, *results.Explored]
}

type countKey struct {
	results.Question
	finished results.Finished // the finished games at the time of the count
}

func newExplorer(pages *pages, arena *server.Server, store *results.Store, archive *archive.Archive, find *finder) *explorer {
	kept, _ := lru.New[countKey, *results.Explored](mostKept) // fails only for a size of 0
	return &explorer{pages, arena, store, archive, find, kept}
}

// known returns the answer to a question if it is kept, or else nil. It also returns the key of the answer.
func (e *explorer) known(ctx context.Context, q results.Question) (x *results.Explored, key countKey, err error) {
	finished, err := e.store.Finished(ctx)
	key = countKey{q, finished}
	x, _ = e.kept.Get(key)
	return x, key, err
}

// count answers a question.
func (e *explorer) count(ctx context.Context, q results.Question, progress func(done, total int)) (*results.Explored, error) {
	ctx, end := context.WithTimeout(ctx, longestCount)
	defer end()
	x, key, err := e.known(ctx, q) // another visitor may have asked the same meanwhile
	if x != nil || err != nil {
		return x, err
	}
	var pause sync.Mutex // protects progress: two readers count
	x, err = e.store.Explore(ctx, q, func(done, total int) {
		pause.Lock()
		defer pause.Unlock()
		progress(done, total)
		_ = budget.Of(ctx).Yield(ctx) // when ctx ends, the count ends, too
	})
	if err == nil {
		e.kept.Add(key, x)
	}
	return x, err
}

// explore answers a visitor's question. Several questions of one visitor are answered one after the other. Other
// visitors do not wait for them. A count that takes longer than longestCount ends with server.ErrTooMany.
func (e *explorer) explore(r *http.Request, q results.Question, progress func(done, total int)) (*results.Explored, error) {
	if x, _, err := e.known(r.Context(), q); x != nil || err != nil {
		return x, err
	}
	turn, err := e.arena.Read(r)
	if err != nil {
		return nil, err
	}
	defer turn.End()
	x, err := e.count(budget.With(r.Context(), turn), q, progress)
	if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
		return nil, server.ErrTooMany
	}
	return x, err
}

// questionOf returns the question in a request: a position, and filters.
func (e *explorer) questionOf(r *http.Request) (q results.Question, err error) {
	if q.Position, err = e.find.position(r); err != nil {
		return q, err
	}
	q.Bot = r.FormValue("bot")
	if r.FormValue("event") != "" {
		q.Event, err = numberIn(r, "event", "event")
	}
	return q, err
}

// exploredJSON is a question and its answer.
type exploredJSON struct {
	Position string        `json:"position"`
	Rules    rules.Ruleset `json:"rules"`
	Bot      string        `json:"bot,omitempty"`
	Event    int64         `json:"event,omitempty"`
	*results.Explored
}

func newExploredJSON(q results.Question, x *results.Explored) exploredJSON {
	return exploredJSON{q.Position.String(), q.Position.Rules(), q.Bot, q.Event, x}
}

// answer returns the moves that were played in a position.
func (e *explorer) answer(r *http.Request) (answer exploredJSON, err error) {
	q, err := e.questionOf(r)
	if err != nil {
		return answer, err
	}
	x, err := e.explore(r, q, func(int, int) {})
	return newExploredJSON(q, x), err
}

// The times of reports about the progress of a count: from its start to the first report, and between two reports.
const (
	firstProgress = time.Second
	nextProgress  = 250 * time.Millisecond
)

// counting is the progress of a count.
type counting struct {
	Done  int `json:"done"`
	Total int `json:"total"` // games; 0 while the count waits for its turn or has read few games
}

// sendCounting streams the progress of a count, and then its answer.
func (e *explorer) sendCounting(w http.ResponseWriter, r *http.Request) error {
	q, err := e.questionOf(r)
	if err != nil {
		return err
	}
	to, err := live.NewStream(w, r)
	if err != nil {
		return nil // the visitor is gone, or wants no body
	}
	var latest atomic.Pointer[counting]
	latest.Store(&counting{})
	var x *results.Explored
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		x, err = e.explore(r, q, func(done, total int) { latest.Store(&counting{done, total}) })
	}()
	tick := time.NewTicker(firstProgress)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			tick.Reset(nextProgress)
			_ = to.Send(live.Event("progress", "", latest.Load())) // if the visitor is gone, the count ends soon
		case <-counted:
			if err != nil {
				_ = to.Send(live.Event("problem", "", e.pages.problemOf(r, err).Error()))
				return nil
			}
			_ = to.Send(live.Event("explored", "", newExploredJSON(q, x)))
			return nil
		}
	}
}

// explorerView is the explorer on the page.
type explorerView struct {
	Bot   string
	Event int64
	*results.Explored
	Rows    []explorerRow
	Problem string
	Bots    []string       // to choose from, by name
	Events  []archive.Line // to choose from, the latest first
}

// The largest numbers of events and of bots that the filters offer; others can be typed.
const (
	offeredEvents = 50
	offeredBots   = 200
)

// offer sets the events and bots that the filters offer: the last events with p's rules and size, and their bots.
func (v *explorerView) offer(lines []archive.Line, p rules.Position) {
	for _, l := range slices.Backward(lines) {
		if l.Rules != p.Rules().String() || l.Size != p.Size().String() {
			continue
		}
		v.Events = append(v.Events, l)
		for _, bot := range l.Bots {
			if i, known := slices.BinarySearch(v.Bots, bot); !known && len(v.Bots) < offeredBots {
				v.Bots = slices.Insert(v.Bots, i, bot)
			}
		}
		if len(v.Events) == offeredEvents {
			return
		}
	}
}

type explorerRow struct {
	results.ExploredMove
	Address template.URL // of the position after the move
	Share   int          // of the games, in percent
	Mean    string
	Few     string // a warning that the games are few, "" if they are not
}

// fewGames is the number of different games below which a mean has little meaning.
const fewGames = 10

// view returns the explorer for a position, with the request's filters and the events and bots to choose from. For a
// request with the key explorer it also counts the moves that were played.
func (e *explorer) view(r *http.Request, p rules.Position) *explorerView {
	view := &explorerView{Bot: r.FormValue("bot")}
	if lines, _, err := e.archive.All(r.Context()); err == nil { // without a list, visitors can still type names
		view.offer(lines, p)
	}
	q, err := e.questionOf(r)
	q.Position, view.Event = p, q.Event
	if err == nil && r.FormValue("explorer") != "" {
		view.Explored, err = e.explore(r, q, func(int, int) {})
	}
	if err != nil {
		view.Problem = e.pages.problemOf(r, err).Error()
		return view
	}
	if view.Explored == nil {
		return view
	}
	for _, m := range view.Moves {
		row := explorerRow{ExploredMove: m, Address: analysis.AddressOf(p.Next(m.Move)), Share: percent(m.Games, view.Explored.Games), Mean: meanText(m.Score)}
		if m.Different < fewGames {
			kind := "game"
			if m.Different < m.Games {
				kind = "different game"
			}
			row.Few = "only " + templates.Count(m.Different, kind)
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}

// percent returns a part of a whole in percent, to the nearest whole number.
func percent(part, whole int) int { return int(math.Round(100 * float64(part) / float64(whole))) }

// meanText writes a mean with its interval, as 812 [790, 834].
func meanText(i report.Interval) string {
	if i.Value.Absent() {
		return "–"
	}
	if i.Low.Absent() {
		return i.Value.Text(0)
	}
	return fmt.Sprintf("%s [%s, %s]", i.Value.Text(0), i.Low.Text(0), i.High.Text(0))
}
