package tournament

import (
	"encoding/json"

	"versus2048/rules/record"
)

// mostReports bounds the search reports of a game that is played, in bytes of JSON: an arena records no more of one
// (arena/store.go), and a game that two bots draw out has a hundred thousand of them.
const mostReports = 32 << 20

// reportRoom is how many bytes of JSON the search reports of a game may still take.
type reportRoom int

// newReportRoom returns the room that a game with these reports has left.
func newReportRoom(before []*record.SearchReport) reportRoom {
	room := reportRoom(mostReports)
	for _, s := range before {
		room.take(s)
	}
	return room
}

// take returns the report if there is room for it, else nil.
func (r *reportRoom) take(s *record.SearchReport) *record.SearchReport {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil || len(text) > int(*r) {
		return nil
	}
	*r -= reportRoom(len(text))
	return s
}
