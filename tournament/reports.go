package tournament

import (
	"encoding/json"

	"versus2048/rules/record"
)

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
