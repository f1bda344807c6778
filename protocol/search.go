package protocol

import (
	"encoding/json"
	"fmt"

	"versus2048/rules"
	"versus2048/rules/record"
)

// LastSearch is the bot's report on the search behind the last Choose: nil if
// it sent none, or a bad one, or if the start message asks for none.
func (t *Seat) LastSearch() *record.SearchReport { return t.search }

// readSearch takes the report that came with a move. Of a bad one the bot is
// told, and nothing else comes of it.
func (t *Seat) readSearch(m Move) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	report, err := parseSearch(m.Search, t.position)
	if err != nil {
		t.session.object(Error{Code: BadSearch, Message: fmt.Sprintf("%.300s", err), Game: m.Game, Ply: &m.Ply})
		return
	}
	t.search = report
}

// formatSearch writes a report on p as a Move carries it, nil without one.
func formatSearch(s *record.SearchReport, p rules.Position) (json.RawMessage, error) {
	if s == nil {
		return nil, nil
	}
	if err := s.Check(p); err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

// parseSearch reads what formatSearch writes.
func parseSearch(text json.RawMessage, p rules.Position) (*record.SearchReport, error) {
	if text == nil {
		return nil, nil
	}
	var s *record.SearchReport
	if err := json.Unmarshal(text, &s); err != nil || s == nil {
		return nil, err
	}
	return s, s.Check(p)
}
