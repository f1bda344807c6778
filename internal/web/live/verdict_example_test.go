package live_test

import (
	"fmt"

	"versus2048/internal/web/live"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func ExampleMatchResult() {
	var games []tournament.Game
	for leg, defender := range []string{"ann", "bob"} {
		attacker := []string{"bob", "ann"}[leg]
		games = append(games, tournament.Game{
			Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "ann", Second: "bob"}, Leg: leg + 1,
			Record: record.Record{Attacker: attacker, Defender: defender, Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Resigned},
		})
	}
	fmt.Println(live.MatchResult(games...))
	// Output: The match is drawn.
}
