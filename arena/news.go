package arena

import (
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// NewsVersion is that of News in JSON. It changes when a field changes its
// meaning or goes away; new types and fields may come without that.
const NewsVersion = 1

// News is something that happened in an event. See docs/EVENTS.md.
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
	Lost      int                   `json:"lost,omitempty"` // news that the reader was too slow for
}

// NewsType says what happened.
type NewsType string

// The types of news.
const (
	EventStarted  NewsType = "event_started" // or resumed after an interruption
	EventPaused   NewsType = "event_paused"
	EventResumed  NewsType = "event_resumed"  // after a pause
	EventFinished NewsType = "event_finished" // or interrupted, or failed: its state says it
	GameStarted   NewsType = "game_started"   // or resumed, after some plies
	GameFinished  NewsType = "game_finished"
	MatchFinished NewsType = "match_finished"
	FaultMade     NewsType = "fault"
	StandingsMade NewsType = "standings" // at most once a second, and at the end
	LLRMade       NewsType = "llr"       // likewise, of an sprt
	NewsLost      NewsType = "lost"
)

// GameNews is a game that begins or ends. What follows Plies is that of its end.
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

// FaultNews is a bot's fault, which has ended its game.
type FaultNews struct {
	Bot    string        `json:"bot"`
	Game   int64         `json:"game"`
	Match  int           `json:"match"`
	Fault  record.Ending `json:"fault"`
	Detail string        `json:"detail,omitempty"`
}

func newNews(event int64, kind NewsType) News {
	return News{Version: NewsVersion, Type: kind, Time: time.Now().UTC(), Event: event}
}

// gameNews are what a finished game is worth: its end, and a fault.
func gameNews(event int64, g *tournament.Game) []News {
	s := tournament.Summarize(g)
	end := newNews(event, GameFinished)
	end.Game = &GameNews{NewGameProgress(g), s.Ending, g.Record.Detail, s.Score, s.LargestTile, s.Turns}
	if !s.Ending.Fault() {
		return []News{end}
	}
	fault := newNews(event, FaultMade)
	fault.Fault = &FaultNews{Bot: g.Record.Defender, Game: g.ID, Match: g.Match, Fault: s.Ending, Detail: g.Record.Detail}
	if s.Forfeited {
		fault.Fault.Bot = g.Record.Attacker
	}
	return []News{end, fault}
}

func matchNews(event int64, m *tournament.MatchResult) News {
	n := newNews(event, MatchFinished)
	n.Match = &MatchNews{
		Match: m.Match, Round: m.Round, First: m.First, Second: m.Second,
		Scores: [2]int{m.Legs[0].Score, m.Legs[1].Score}, Outcome: m.Outcome, By: m.By,
	}
	return n
}

// standingsNews are the standings, and for an sprt its test.
func standingsNews(event int64, s *tournament.Standings) []News {
	n := newNews(event, StandingsMade)
	n.Standings = s
	if s.Test == nil {
		return []News{n}
	}
	llr := newNews(event, LLRMade)
	llr.Test = s.Test
	return []News{n, llr}
}
