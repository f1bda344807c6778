package server

import (
	"cmp"
	"context"
	"fmt"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// Millis is a duration, a whole number of milliseconds in JSON.
type Millis = tournament.Millis

// Progress is the progress of an event.
type Progress struct {
	Event int64  `json:"event"`
	Name  string `json:"name"`
	// State is "scheduled" (it waits for its time), "queued" (for its bots to be there and free), "waiting" (it has
	// begun, and waits for its bots), "running", "paused", or, finally, "finished", "interrupted", "failed" or
	// "unfinished" (recorded, but not being played).
	State   State               `json:"state"`
	Message string              `json:"message,omitempty"` // why it failed, or was stopped
	Queue   *agenda.Appointment `json:"queue,omitempty"`   // while it is scheduled or queued
	Done    int                 `json:"done"`              // finished games
	Total   int                 `json:"total"`             // games of the whole event; 0 if it has no end
	Bound   tournament.Bound    `json:"bound,omitempty"`   // "about" or "at most" if Total is not exact
	Playing int                 `json:"playing"`           // games in progress
	// Plies, Played and Elapsed count since the event was started or resumed.
	Plies   int64  `json:"plies"`
	Played  int    `json:"played"` // games that have ended
	Elapsed Millis `json:"elapsed_ms"`
	// Left estimates the remaining time: Elapsed / Played, times the number of games that are left. It is 0 while
	// Played is 0, for an event that is not running, and for one without an end.
	Left Millis `json:"left_ms"`
	// Faults are the finished games that were lost by a fault, nil if there are none.
	Faults *Faults `json:"faults,omitempty"`
	// Away are the bots that are disconnected from an event that waits for its bots or is played. Their games that
	// have not begun are put off.
	Away []AwayBot `json:"away,omitempty"`
	// Unchecked are the bots that workers play without a check: no other worker repeats their matches.
	Unchecked []UncheckedBot `json:"unchecked,omitempty"`
	// Games are the games in progress, until they are on record. Standings are at most a second old while games are
	// played. A list of events leaves out Games, Standings and Bots.
	Games     []GameProgress        `json:"games,omitempty"`
	Standings *tournament.Standings `json:"standings,omitempty"`
	Bots      []Participant         `json:"bots,omitempty"`

	visit bool // a visitor plays in it
}

// private reports whether notices and troubles leave out the event, because a visitor plays in it or the database
// does not have it.
func (p *Progress) private() bool { return p.visit || p.Event < 0 }

// Waits describes the appointment of an event in the queue in words. It returns "" if the event is not in the queue.
func (p *Progress) Waits() string {
	if p.Queue == nil || !p.State.InQueue() {
		return ""
	}
	const form = "2006-01-02 15:04:05 -07:00"
	text := cmp.Or(p.Queue.Text(), "it begins now")
	if p.State == Scheduled {
		text = "it begins at " + p.Queue.Begin.Format(form)
	}
	if p.Queue.Nth > 0 {
		text += fmt.Sprintf("; number %d of a series, every %s", p.Queue.Nth, p.Queue.Every)
	}
	if p.State == Queued && !p.Queue.Until.IsZero() {
		text += "; it waits until " + p.Queue.Until.Format(form)
	}
	if p.Queue.Missed != "" {
		text += "; " + p.Queue.Missed
	}
	return text
}

// Participant is a bot of an event.
type Participant struct {
	Name string `json:"name"`
	Spec string `json:"spec,omitempty"` // the spec that the arena starts; "" for a bot of another origin
	// Origin is "connected", "started", or "program" for a command of the arena's host.
	Origin roster.Origin `json:"origin"`
}

// participants returns the bots of an event. programs are the commands of the arena's host.
func participants(e tournament.Event, programs roster.Commands) (all []Participant) {
	for _, entry := range e.Entries {
		origin := roster.Connected
		switch {
		case entry.Spec != "":
			origin = roster.Started
		case programs[entry.Name] != nil || e.Settings.IsProgram(entry.Name):
			origin = roster.Program
		}
		all = append(all, Participant{entry.Name, entry.Spec, origin})
	}
	return all
}

// AwayBot is a bot that is disconnected from its event.
type AwayBot struct {
	Bot  string `json:"bot"`
	Left Millis `json:"left_ms"` // how long it may stay away before it loses a game in progress
}

// UncheckedBot is a bot that workers play without a check, and the reason.
type UncheckedBot struct {
	Bot string `json:"bot"`
	Why string `json:"why"`
}

// Record is an event with its finished games, which are added one by one.
type Record struct {
	board    *tournament.Scoreboard
	programs roster.Commands // of the arena that plays the event, nil outside of an arena
	current  func() bool     // reports whether the event is unchanged since it was read; nil if it cannot change
}

// NewRecord returns the record of an event without games.
func NewRecord(e tournament.Event) *Record {
	return &Record{board: tournament.NewScoreboard(e, format.New(e))}
}

// Add counts a finished game.
func (r *Record) Add(g tournament.Result) { r.board.Add(g) }

// record returns the record of an event without games.
func (h *host) record(e tournament.Event) *Record {
	r := NewRecord(e)
	r.programs = h.programs
	return r
}

// recorded reads the finished games of an event from results, until the arena shuts down.
func (h *host) recorded(ctx context.Context, e tournament.Event, results func(context.Context, tournament.Event, func(tournament.Result) error) error) (*Record, error) {
	r := h.record(e)
	err := results(ctx, e, func(g tournament.Result) error {
		r.Add(g)
		if h.runs.life.Err() != nil {
			return h.runs.life.Err()
		}
		return budget.Of(ctx).Yield(ctx)
	})
	r.board.SetEvent(e) // the format needs the lineup again after the last recorded game
	if h.runs.life.Err() != nil {
		return r, &RequestError{errShutdown}
	}
	return r, err
}

// collect collects the decided matches of an event, until the arena shuts down. If timed is set, it also collects the
// times of the matches.
func (h *host) collect(ctx context.Context, on Records, e tournament.Event, timed bool) (*report.Collector, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(h.runs.life, stop)()
	collected, err := on.Collect(ctx, e, timed)
	if h.runs.life.Err() != nil {
		return nil, &RequestError{errShutdown}
	}
	return collected, err
}

// Progress returns the progress of an event that is not being played: its state is Finished or Unfinished.
func (r *Record) Progress() Progress {
	e := r.board.Event()
	p := Progress{Event: e.ID, Name: e.Name, State: Unfinished, Bots: participants(e, r.programs), Faults: r.board.Faults()}
	p.Standings, _ = r.board.Standings(0)
	p.count(r.board.Counts())
	if r.board.Over() {
		p.State = Finished
	}
	return p
}

// count sets the numbers of finished games, of games in progress and of all games.
func (p *Progress) count(c tournament.Counts) {
	p.Done, p.Playing, p.Total, p.Bound = c.Done, c.Playing, 2*c.Total.Matches, c.Total.Bound
}

// State is the state of an event on this arena.
type State string

// The states. In the last four the event has ended, for ever or until somebody resumes it.
const (
	Scheduled   State = "scheduled" // waits for its time
	Queued      State = "queued"    // waits until its bots are there, and free
	Waiting     State = "waiting"   // has begun, and waits until its bots have connected or started
	Running     State = "running"
	Paused      State = "paused" // no new games start until the event is resumed
	Finished    State = "finished"
	Interrupted State = "interrupted" // stopped; can be resumed
	Failed      State = "failed"      // the arena failed; can be resumed
	Unfinished  State = "unfinished"  // recorded, but not being played; can be resumed
)

// Ended reports whether an event in this state has ended, for ever or until somebody resumes it. A paused event has not
// ended.
func (s State) Ended() bool {
	return !s.InQueue() && s != Waiting && s != Running && s != Paused
}

// InQueue reports whether an event in this state waits until it may begin.
func (s State) InQueue() bool { return s == Scheduled || s == Queued }

// GameProgress is a game in progress.
type GameProgress struct {
	Game     int64  `json:"game"`
	Match    int    `json:"match"`
	Leg      int    `json:"leg"`
	Attacker string `json:"attacker"`
	Defender string `json:"defender"`
	Plies    int    `json:"plies"`
}

// NewGameProgress returns the progress of a game.
func NewGameProgress(g *tournament.Game) GameProgress {
	return GameProgress{
		Game: g.ID, Match: g.Match, Leg: g.Leg,
		Attacker: g.Record.Attacker, Defender: g.Record.Defender, Plies: len(g.Record.Moves),
	}
}

// gone returns the bots that strikes have excluded, and the bots that have left.
func gone(board *tournament.Scoreboard) (all []trouble.Gone) {
	aside, e := board.SetAside(), board.Event()
	withdrawn := e.Withdrawn()
	for _, entry := range e.Entries {
		_, excluded := aside[entry.Name]
		_, left := withdrawn[entry.Name]
		switch {
		case excluded && !left:
			all = append(all, trouble.Gone{Bot: entry.Name, Why: trouble.Excluded})
		case !e.Present(entry.Name):
			all = append(all, trouble.Gone{Bot: entry.Name, Why: trouble.Left})
		}
	}
	return all
}
