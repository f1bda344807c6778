package server

import (
	"context"
	"slices"
	"sync"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// NewsVersion is the version of News in JSON. It changes when a field is removed or changes its meaning, but not when
// types or fields are added.
const NewsVersion = 1

// News is one thing that happened in an event. See docs/EVENTS.md.
type News struct {
	Version   int                   `json:"version"`
	Type      NewsType              `json:"type"`
	Time      time.Time             `json:"time"`
	Event     int64                 `json:"event"`
	Progress  *Progress             `json:"progress,omitempty"`
	Game      *GameNews             `json:"game,omitempty"`
	Match     *MatchNews            `json:"match,omitempty"`
	Fault     *FaultNews            `json:"fault,omitempty"`
	Standings *tournament.Standings `json:"standings,omitempty"`
	Test      *tournament.TestState `json:"llr,omitempty"`
	// Lost is the number of items that the reader missed because it was too slow.
	Lost int `json:"lost,omitempty"`
}

// NewsType is the type of a News.
type NewsType string

// The types of news.
const (
	EventStarted     NewsType = "event_started" // or resumed after an interruption
	EventPaused      NewsType = "event_paused"
	EventResumed     NewsType = "event_resumed"  // after a pause
	EventFinished    NewsType = "event_finished" // or interrupted, or failed: see the state in Progress
	GameStarted      NewsType = "game_started"   // or resumed, if it already has plies
	GameFinished     NewsType = "game_finished"
	MatchFinished    NewsType = "match_finished"
	FaultCommitted   NewsType = "fault"
	StandingsChanged NewsType = "standings" // at most once a second, and at the end
	LLRChanged       NewsType = "llr"       // of an SPRT: after each StandingsChanged
	NewsLost         NewsType = "lost"
)

// GameNews is a game that starts or ends. The fields after Plies are set when it ends.
type GameNews struct {
	GameProgress
	Ending      record.Ending `json:"ending,omitempty"`
	Detail      string        `json:"detail,omitempty"`
	Score       int           `json:"score,omitempty"` // the defender's
	LargestTile int           `json:"largest_tile,omitempty"`
	Turns       int           `json:"turns,omitempty"`
}

// MatchNews is a match that is decided.
type MatchNews struct {
	Match   int                 `json:"match"`
	Round   int                 `json:"round"`
	First   string              `json:"first"`
	Second  string              `json:"second"`
	Scores  [2]int              `json:"scores"` // of First and Second as defenders
	Outcome tournament.Outcome  `json:"outcome"`
	By      tournament.Decision `json:"by"`
}

// The faults of an event.
type (
	FaultNews = tournament.Fault
	Faults    = tournament.Faults
)

// newNews returns news of the present time.
func newNews(event int64, kind NewsType) News {
	return News{Version: NewsVersion, Type: kind, Time: time.Now().UTC(), Event: event}
}

// gameNews returns the news of a finished game: its end and, if a fault has ended the game, the fault.
func gameNews(event int64, g *tournament.Game, s *tournament.Result) []News {
	end := newNews(event, GameFinished)
	end.Game = &GameNews{NewGameProgress(g), s.Ending, s.Detail, s.Score, s.LargestTile, s.Turns}
	committed := tournament.FaultOf(s)
	if committed == nil {
		return []News{end}
	}
	fault := newNews(event, FaultCommitted)
	fault.Fault = committed
	return []News{end, fault}
}

// matchNews returns the news of a decided match.
func matchNews(event int64, m *tournament.MatchResult) News {
	n := newNews(event, MatchFinished)
	n.Match = &MatchNews{
		Match: m.Match, Round: m.Round, First: m.First, Second: m.Second,
		Scores: [2]int{m.Legs[0].Score, m.Legs[1].Score}, Outcome: m.Outcome, By: m.By,
	}
	return n
}

// standingsNews returns the news of changed standings, and of the test of an SPRT.
func standingsNews(event int64, s *tournament.Standings) []News {
	n := newNews(event, StandingsChanged)
	n.Standings = s
	if s.Test == nil {
		return []News{n}
	}
	llr := newNews(event, LLRChanged)
	llr.Test = s.Test
	return []News{n, llr}
}

// newsLog keeps the latest news of an event.
type newsLog struct {
	mu      sync.Mutex
	dropped int // the number of old items that are no longer kept
	kept    []News
	added   signal // of news
}

// keptNews is the number of latest items that a newsLog keeps at least. A reader that falls behind further misses some.
const keptNews = 20_000

// add adds news. After the end of the event it does nothing.
func (l *newsLog) add(news ...News) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.kept); n > 0 && l.kept[n-1].Type == EventFinished {
		return
	}
	l.kept = append(l.kept, news...)
	if extra := len(l.kept) - keptNews; extra > keptNews {
		l.dropped += extra
		l.kept = slices.Clone(l.kept[extra:])
	}
	l.added.give()
}

// newsAtOnce is the largest number of items that a reader gets at once. It bounds the memory that a slow reader holds.
const newsAtOnce = 500

// since returns at most newsAtOnce news in their order. The first of them has the number from, counted from 0, or is
// the oldest one that is kept: lost is the number of news in between. changed is closed when more news are added; it is
// nil if since has left out later news.
func (l *newsLog) since(from int) (news []News, lost int, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lost = max(0, l.dropped-from)
	rest := l.kept[max(0, from-l.dropped):]
	if len(rest) > newsAtOnce {
		return slices.Clone(rest[:newsAtOnce]), lost, nil
	}
	return slices.Clone(rest), lost, l.added.changed()
}

// newsReader sends the news of a run to one client, from the first one on. It adds the standings: after the matches
// that change them, and before the end.
type newsReader struct {
	feed    *feed
	send    func(News) error
	next    int // the number of the next news to send
	counted int // the number of matches in the standings that were sent last
}

// follow sends all news until the event has ended. It returns the error of send or ctx.
func (r *newsReader) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		news, lost, changed := r.feed.news.since(r.next)
		r.next += lost + len(news)
		ended, err := r.sendAll(news, lost, changed != nil)
		if err != nil || ended {
			return err
		}
		if changed == nil {
			continue
		}
		if err := waitForChange(ctx, changed, streamInterval); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// sendAll sends news, after an item with the number of lost news if lost is not 0. If latest is set, it adds the
// standings, as withStandings does. It reports whether the event's end was among the news.
func (r *newsReader) sendAll(news []News, lost int, latest bool) (ended bool, err error) {
	ended = len(news) > 0 && news[len(news)-1].Type == EventFinished
	if lost > 0 {
		n := newNews(r.feed.now.Event, NewsLost)
		n.Lost = lost
		news = slices.Insert(news, 0, n)
	}
	if latest {
		news = r.withStandings(news, ended)
	}
	for _, n := range news {
		if err := r.send(n); err != nil {
			return ended, err
		}
	}
	return ended, nil
}

// withStandings returns news with the standings, if they have changed or the event has ended. The end of the event
// stays the last item.
func (r *newsReader) withStandings(news []News, ended bool) []News {
	at, age := len(news), standingsAge
	if ended {
		at, age = at-1, 0
	}
	s, counted := r.feed.board.Standings(age)
	if !ended && counted <= r.counted {
		return news
	}
	r.counted = counted
	return slices.Insert(news, at, standingsNews(r.feed.now.Event, s)...)
}
