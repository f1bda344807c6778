package live

import (
	"encoding/json"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Before the first move the lists of a frame are empty, not null: pages read their lengths.
func TestFrameOfANewGame(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	s := Snapshot{Position: p, Game: tournament.Game{Record: record.Record{Start: p, Attacker: "ann", Defender: "bob"}}}
	text, err := json.Marshal(s.frame(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"moves":[]`, `"times_us":[]`, `"lags_us":[]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing: %s", want, text)
		}
	}
}
