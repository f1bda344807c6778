package standing_test

import (
	"fmt"
	"log"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/standing"
)

func Example() {
	matches := []tournament.MatchResult{
		{Pairing: tournament.Pairing{Match: 1, First: "ann", Second: "bob"}, Outcome: tournament.FirstWins},
		{Pairing: tournament.Pairing{Match: 2, First: "bob", Second: "ann"}, Outcome: tournament.FirstWins},
	}
	identities := []tournament.Identity{{Name: "ann", Version: "1.0"}, {Name: "bob"}}
	events := []tournament.Event{{Size: rules.Full, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}}

	collector := standing.NewCollector()
	for _, e := range events {
		event := collector.Event(e, identities, e.SetAside(matches))
		for _, m := range matches {
			event.Add(m, standing.Cast{Date: "2026-11-22"})
		}
		event.Close()
	}
	for _, s := range collector.Summaries() {
		list, err := collector.List(s.Conditions, standing.Options{Anchor: "ann", Elo: 1500})
		if err != nil {
			log.Fatal(err)
		}
		for _, row := range list.Groups[0].Rows {
			fmt.Println(row.Rank, row, row.Elo.Value.Text(0), row.Total.Played())
		}
	}
	// Output:
	// 1 ann 1.0 1500 2
	// 2 bob 1500 2
}
