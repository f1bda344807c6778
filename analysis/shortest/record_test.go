package shortest_test

import (
	"strings"
	"testing"

	"versus2048/analysis/shortest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// checkRecord wants a game that ends in m after the turn's plies, and that reads
// back as it is written.
func checkRecord(t *testing.T, s *shortest.Search, turn shortest.Turn, m shortest.Mated) {
	t.Helper()
	r, err := s.Record(m)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	back, err := record.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	last, err := back.Replay()
	if err != nil || back.Ending != record.Mate || len(back.Moves) != turn.Plies || last.Board().Canonical(last.Size()) != m.Board {
		t.Errorf("a line to %#x after %d plies: %v, %v\n%s", m.Board, turn.Plies, last, err, text.String())
	}
}

func TestRecords(t *testing.T) {
	for text, r := range map[string]rules.Ruleset{
		"0,0/0,0 A":            rules.GPCC2015,
		"0,2,0/0,4,0 A":        rules.GPCC2015,
		"0,4/2,0/0,0/4,8 D":    rules.GPCC2015,
		"2,8,2/4,16,2/0,0,4 A": rules.GPCC2016,
		"2,4,2/4,0,4 D":        rules.GPCC2016,
	} {
		search := newSearch(t, parse(t, r, text))
		records := 0
		for range 8 {
			turn, err := search.Turn(t.Context())
			if err != nil {
				break // over
			}
			for _, m := range turn.Mated[:min(len(turn.Mated), 20)] {
				checkRecord(t, search, turn, m)
				records++
			}
		}
		if records == 0 {
			t.Errorf("%s: no game ends", text)
		}
	}
}

func TestRecordOfAnotherSearch(t *testing.T) {
	search := newSearch(t, parse(t, rules.GPCC2015, "0,0/0,0 A"))
	turn := playTurn(t, search)
	for len(turn.Mated) == 0 {
		turn = playTurn(t, search)
	}
	other := newSearch(t, parse(t, rules.GPCC2015, "0,2/0,0 A"))
	for range 6 {
		playTurn(t, other)
	}
	if r, err := other.Record(turn.Mated[0]); err == nil {
		t.Errorf("a game to a position of another search: %v", r.Moves)
	}
}
