package report

import (
	"fmt"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Statistics are all that an event's decided matches say of its bots.
type Statistics struct {
	Event       int64                `json:"event"`
	Name        string               `json:"name"`
	Matches     int                  `json:"matches"` // that are decided
	Standings   tournament.Standings `json:"standings"`
	Crosstable  Crosstable           `json:"crosstable"`
	Ratings     Ratings              `json:"ratings"`
	Roles       []Role               `json:"roles"`
	HeadToHeads []HeadToHead         `json:"head_to_heads"`
}

// NewStatistics computes an event's statistics of its decided matches, in the
// order of their numbers, and of the times of those that count: see
// [Event.Counting]. The anchor may be nil; it returns an error if it is not
// among the entries.
func NewStatistics(e tournament.Event, done []tournament.MatchResult, times *Timesheet, anchor *Anchor) (Statistics, error) {
	ratings, err := NewRatings(e.Entries, e.Counting(done), anchor)
	if err != nil {
		return Statistics{}, fmt.Errorf("event %q: %w", e.Name, err)
	}
	standings := format.New(e).Standings(done)
	return Statistics{
		Event:       e.ID,
		Name:        e.Name,
		Matches:     len(done),
		Standings:   standings,
		Crosstable:  NewCrosstable(e, standings, done),
		Ratings:     ratings,
		Roles:       NewRoles(e, done, times),
		HeadToHeads: headToHeads(e, done, times),
	}, nil
}
