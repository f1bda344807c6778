package welcome_test

import (
	"net/url"
	"strings"
	"testing"

	"versus2048/internal/web/welcome"
)

// A link to a game is right, or its first wrong part is named.
func TestCheckLink(t *testing.T) {
	for query, want := range map[string]string{
		"":               "",
		"level=club":     "",
		"utm=17&beat=20": "",
		"level=beginner&role=attacker&rules=gpcc2015&size=2x2&beat=200": "",
		"opponent=mcts:playouts=20&position=2,0/0,2+D&beat=0":           "",
		"level=nix":                           `level "nix": want beginner, club or champion`,
		"level=club&role=boss":                `role "boss": want attacker or defender`,
		"level=club&role=attacker&rules=solo": "role: under solo chance attacks, and you defend",
		"level=club&rules=foo":                `rules "foo": want gpcc2015, gpcc2016 or solo`,
		"level=club&size=9x9":                 `board size "9x9": want WIDTHxHEIGHT`,
		"level=club&beat=abc":                 `score to beat "abc": want a whole number from 0 to 15728640`,
		"level=club&beat=-5":                  `score to beat "-5"`,
		"level=club&beat=15728641":            `score to beat "15728641"`,
		"level=club&role=attacker&beat=0":     `score to beat "0": want a whole number from 1`,
		"level=club&position=abc":             `position "abc": want the tiles by rows and A or D, such as 2,0/2,0 D`,
		"level=club&position=2,2/2,2+D+4+0":   `position "2,2/2,2 D 4 0": score 4: want 0`,
	} {
		asked, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		switch err := welcome.CheckLink(asked); {
		case want == "" && err != nil:
			t.Errorf("%q: %v", query, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %v, want %s", query, err, want)
		}
	}
}
