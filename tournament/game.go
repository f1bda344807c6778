package tournament

import (
	"encoding/json"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Pairing is a match to be played: two games. First and Second swap roles between them.
type Pairing struct {
	Match int // its number in the event, from 1; a knockout and a double elimination omit some numbers
	// Round is the round in the event, from 1. In a ladder, an sprt or a placement each match is a round of its own.
	Round int
	// Nth counts the matches of the two bots in the event, from 1. First and Second swap between matches 2k-1 and 2k,
	// so that these two can have the same opening. With [Plan.SeedsAttack] they do not swap.
	Nth           int
	First, Second string
}

// Roles returns the names of the attacker and the defender in a leg of the match. Under rules with
// chance tiles the attacker only watches.
func (p Pairing) Roles(leg int) (attacker, defender string) {
	if leg == 1 {
		return p.Second, p.First
	}
	return p.First, p.Second
}

// Game is one game of a match, finished or not.
type Game struct {
	ID       int64 // the journal's number for the game, unchanged after a resume
	Pairing        // the match of the game
	Leg      int   // 1: First defends; 2: Second defends
	Record   record.Record
	Started  time.Time
	Finished time.Time // zero while it is in progress
	// Identities are the attacker's and the defender's descriptions of themselves. They are set at
	// the game's end, for the record, and zero for chance.
	Identities [2]Identity
	// Logs are the logs of the attacker's and the defender's seats: see [Seat]. They are set at the game's end, for the
	// record.
	Logs [2][]byte
	// Origin is the origin of the latest ply. After the game's end it is recorded with the game.
	Origin Origin
}

// Origin identifies the worker of a farm that plays or played a game, its task and the attempt at
// the task. It is zero for a game in the arena's process.
type Origin struct {
	Worker  string
	Task    string
	Attempt uint64
}

// Ply is one played ply with its times.
type Ply struct {
	Move rules.Move
	Time time.Duration // on the referee's clock, less the time credited for the network
	Lag  time.Duration // the network's part of the wait, as far as known
	// Stall is the time that the clock stood still because the arena stalled, and Away the time that it stood
	// still because the bot was disconnected.
	Stall, Away time.Duration
	// Search is the player's report on its search. It is nil if there is no report, or if the event
	// does not record reports.
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
	Line        Line // of the moves; 0 if unknown
	// Forfeited reports that the attacker failed or resigned, so that the score means nothing.
	Forfeited bool
	// Selected reports that the game would have been cut short at a higher score, so that its score
	// is biased: see [Adjudication.Judge].
	Selected bool
}

// Summarize replays a finished game and returns its summary.
func Summarize(g *Game) Summary {
	r := &g.Record
	last, _ := r.Replay() // up to a wrong move; verification reports wrong moves
	return Facts{r.Start, r.Ending, len(r.Moves), last.Score(), last.LargestTile(), LineOf(record.PackTurns(r.Moves))}.Summary()
}

// Scored reports whether the score counts in statistics of scores. It does not count if the attacker failed or
// resigned, if the match was decided before the game's end, so that the score is only a lower bound, or if Selected
// is set.
func (s Summary) Scored() bool { return !s.Forfeited && !s.Selected && s.Ending != record.Decided }

// Facts are the facts about a finished game from which its [Summary] follows.
type Facts struct {
	Start       rules.Position
	Ending      record.Ending
	Plies       int
	Score       int // the defender's
	LargestTile int
	Line        Line // of the moves; 0 if unknown
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

// mostReports limits the search reports of a game, in bytes of JSON. One report has less than 6 KiB, but a game
// that two bots draw out has a hundred thousand. Without the limit, such a game could not be read again: package
// results reads at most 64 MiB of a game's reports, or of its line in an import, which also holds the moves,
// times and pauses.
const mostReports = 32 << 20

// ReportRoom is the number of bytes of JSON that are left for the search reports of a game. Reports
// that do not fit are left out; their moves are kept.
type ReportRoom int

// NewReportRoom returns the room that is left for a game with these reports: 32 MiB without any.
func NewReportRoom(before []*record.SearchReport) ReportRoom {
	room := ReportRoom(mostReports)
	for _, s := range before {
		room.Take(s)
	}
	return room
}

// Take returns the report if there is room for it, and nil otherwise. It returns nil for nil.
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
