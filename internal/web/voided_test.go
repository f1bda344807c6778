package web_test

import (
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// lost records both games of a match of ann and bob, which their attackers lose at once.
func (h *host) lost(event int64) {
	h.t.Helper()
	journal := h.store.Journal(event)
	for leg := 1; leg <= 2; leg++ {
		g := tournament.Game{
			Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "ann", Second: "bob"}, Leg: leg, Started: time.Now(), Finished: time.Now(),
			Record: record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3}), Ending: record.Unfinished},
		}
		g.Record.Attacker, g.Record.Defender = g.Roles(leg)
		g, err := journal.Open(h.t.Context(), g)
		if err == nil {
			g.Record.Ending = record.Time
			err = journal.Finish(h.t.Context(), g)
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// The page of the event and the pages of the old games say that a match was voided. The page of a game links to the
// other leg of the same match, voided or not.
func TestVoidedMatch(t *testing.T) {
	h := open(t)
	event, err := h.store.CreateEvent(t.Context(), tournament.Event{
		Name: "test", Size: rules.Size{Width: 3, Height: 3}, Matches: 1, Concurrency: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.lost(event)
	if err := h.store.Void(t.Context(), event, 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	h.lost(event)
	const voided = "The match is voided"
	for path, want := range map[string]struct{ has, not string }{
		"/events/1": {`Voided and played again:</p><ul><li>match 1 of <bdi>ann</bdi> and <bdi>bob</bdi>`, ""},
		"/games/1":  {voided, `<a href="/games/4">`},
		"/games/2":  {`<a href="/games/1">`, `<a href="/games/3">`},
		"/games/3":  {`<a href="/games/4">`, voided},
	} {
		status, text := h.get(path)
		if status != 200 || !strings.Contains(text, want.has) || want.not != "" && strings.Contains(text, want.not) {
			t.Errorf("%s: %d, want %q and not %q: %s", path, status, want.has, want.not, text)
		}
	}
}
