package tournament

import (
	"encoding/json"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Pairing is a match to be played: two games in which First and Second swap roles.
type Pairing struct {
	Match int // its number in the event, from 1; a knockout leaves numbers out
	// Round is the event's round, from 1. Each match of a ladder or an sprt is a round
	// of its own.
	Round int
	// Nth counts the matches of the two bots in the event, from 1. First and Second swap
	// between matches 2k-1 and 2k, so that these two can share an opening.
	Nth           int
	First, Second string
}

// Roles returns the names of the attacker and the defender in a leg of the match.
// Under rules where chance places the tiles the attacker only watches.
func (p Pairing) Roles(leg int) (attacker, defender string) {
	if leg == 1 {
		return p.Second, p.First
	}
	return p.First, p.Second
}

// Game is one game of a match, finished or not.
type Game struct {
	ID       int64 // the journal's number for it, the same after a resume
	Pairing        // the match it belongs to
	Leg      int   // 1: First defends; 2: Second defends
	Record   record.Record
	Started  time.Time
	Finished time.Time // zero while it is in progress
	// Identities are how the attacker and the defender describe themselves. They are known at the game's
	// end, to be recorded, and zero for chance.
	Identities [2]Identity
	// Logs are what the attacker and the defender wrote into their logs, if they are Loggers. They are known
	// at the game's end, to be recorded.
	Logs [2][]byte
	// Origin is who plays the game now, and at its end who has ended it, to be recorded.
	Origin Origin
}

// Origin says which worker of a farm plays or played a game, in which attempt at which task. It is zero for a game
// that is played in the arena's process.
type Origin struct {
	Worker  string
	Task    string
	Attempt uint64
}

// Ply is one played ply with its times.
type Ply struct {
	Move rules.Move
	Time time.Duration // on the referee's clock, without the time that it gives back for the network
	Lag  time.Duration // the part of the wait that the network took, as far as known
	// Stall and Away are for how long the clock stood still: because the arena did, and because the
	// bot was disconnected.
	Stall, Away time.Duration
	// Search is the player's report on its search. It is nil without one, or if the
	// event does not record reports.
	Search *record.SearchReport
}

// Add adds a ply to the game's record. It does not check the move.
func (g *Game) Add(ply Ply) {
	g.Record.AddPause(ply.Stall, ply.Away)
	g.Record.Moves = append(g.Record.Moves, ply.Move)
	g.Record.Times = append(g.Record.Times, ply.Time)
	g.Record.Lags = append(g.Record.Lags, ply.Lag)
	g.Record.AddSearch(ply.Search)
}

// Summary is the result of a finished game.
type Summary struct {
	Score       int // the defender's
	LargestTile int
	Turns       int
	Ending      record.Ending
	Line        Line // its moves, 0 if unknown
	// Forfeited reports that the attacker failed or resigned, so that the score means
	// nothing.
	Forfeited bool
	// Selected reports that games with a higher score would have been cut short, so that this one stands for no others:
	// see [Adjudication.Judge].
	Selected bool
}

// Summarize returns the summary of a finished game, which it replays.
func Summarize(g *Game) Summary {
	r := &g.Record
	last, _ := r.Replay() // up to a wrong move, which verification reports
	return Facts{r.Start, r.Ending, len(r.Moves), last.Score(), last.LargestTile(), LineOf(record.PackTurns(r.Moves))}.Summary()
}

// Scored reports whether the score is all that the defender could make, whatever that is. It is not if
// the attacker failed, nor if the match was decided before the game's end, which
// leaves a lower bound, or might have been. Such scores are left out of all statistics of scores.
func (s Summary) Scored() bool { return !s.Forfeited && !s.Selected && s.Ending != record.Decided }

// Facts are what the referee announced about a finished game.
type Facts struct {
	Start       rules.Position
	Ending      record.Ending
	Plies       int
	Score       int // the defender's
	LargestTile int
	Line        Line // the game's moves, 0 if unknown
}

// Summary returns the summary of a game with these facts.
func (f Facts) Summary() Summary {
	winner, decided := record.Winner(f.Start, f.Plies, f.Ending)
	return Summary{
		Score:       f.Score,
		LargestTile: f.LargestTile,
		Turns:       record.Turns(f.Start, f.Plies),
		Ending:      f.Ending,
		Line:        f.Line,
		Forfeited:   decided && winner == rules.Defender,
	}
}

// mostReports bounds the search reports of a game together, in bytes of JSON. One has less than 6 KiB, but a game that
// two bots draw out has a hundred thousand. Then they would be longer than what is read again of a stored game, and its
// line longer than what is imported: 64 MiB, of which the moves, times and pauses take a part.
const mostReports = 32 << 20

// ReportRoom is how many bytes of JSON the search reports of a game may still take. Reports for which there is no room
// are left out; the moves are kept all the same.
type ReportRoom int

// NewReportRoom returns the room that a game with these reports has left: 32 MiB without any.
func NewReportRoom(before []*record.SearchReport) ReportRoom {
	room := ReportRoom(mostReports)
	for _, s := range before {
		room.Take(s)
	}
	return room
}

// Take returns the report if there is room for it, else nil. It returns nil for nil.
func (r *ReportRoom) Take(s *record.SearchReport) *record.SearchReport {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil || len(text) > int(*r) {
		return nil
	}
	*r -= ReportRoom(len(text))
	return s
}
