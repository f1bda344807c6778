package arena

import (
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// State says how an event stands on this arena.
type State string

// The states. The last four are final.
const (
	Waiting     State = "waiting" // for its bots
	Running     State = "running"
	Paused      State = "paused" // no new games begin until it is resumed
	Finished    State = "finished"
	Interrupted State = "interrupted" // stopped; can be resumed
	Failed      State = "failed"      // we could not go on; can be resumed
	// Unfinished is an event that is on record and not being played; it can be
	// resumed.
	Unfinished State = "unfinished"
)

// Final tells whether nothing more happens.
func (s State) Final() bool { return s != Waiting && s != Running && s != Paused }

// Progress is how far an event has come.
type Progress struct {
	Event   int64            `json:"event"`
	Name    string           `json:"name"`
	State   State            `json:"state"`
	Message string           `json:"message,omitempty"` // why it failed
	Done    int              `json:"done"`              // finished games
	Total   int              `json:"total"`             // games in all, 0 where there is no end
	Bound   tournament.Bound `json:"bound,omitempty"`   // what Total is
	Playing int              `json:"playing"`           // games in progress
	Plies   int64            `json:"plies"`             // played since it was started or resumed
	Played  int              `json:"played"`            // games that have ended since then
	Elapsed Millis           `json:"elapsed_ms"`        // likewise
	// Left is an estimate, 0 until a game has ended since the start or resume:
	// the time since then for each game that has ended, times the games left.
	Left Millis `json:"left_ms"`
	// Games are those in progress, and Standings the places a second ago at most;
	// a list of events has neither.
	Games     []GameProgress        `json:"games,omitempty"`
	Standings *tournament.Standings `json:"standings,omitempty"`
}

// GameProgress is a game that is being played.
type GameProgress struct {
	Game     int64  `json:"game"`
	Match    int    `json:"match"`
	Leg      int    `json:"leg"`
	Attacker string `json:"attacker"`
	Defender string `json:"defender"`
	Plies    int    `json:"plies"`
}

// NewGameProgress is how far a game has come.
func NewGameProgress(g *tournament.Game) GameProgress {
	return GameProgress{
		Game: g.ID, Match: g.Match, Leg: g.Leg,
		Attacker: g.Record.Attacker, Defender: g.Record.Defender, Plies: len(g.Record.Moves),
	}
}

// Recorded is the progress of an event that is not being played, by its finished
// games.
func Recorded(e tournament.Event, games []tournament.Game) Progress {
	done := tournament.Matches(games)
	format := format.New(e)
	standings := format.Standings(done)
	p := Progress{Event: e.ID, Name: e.Name, State: Unfinished, Standings: &standings}
	p.count(len(games), format.Total(done))
	if len(format.Next(done)) == 0 && !format.Total(done).Open() {
		p.State = Finished
	}
	return p
}

// count sets how many games are done, and how many there are.
func (p *Progress) count(done int, total tournament.Total) {
	p.Done, p.Total, p.Bound = done, 2*total.Matches, total.Bound
}
