package report_test

import (
	"fmt"
	"log"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func Example() {
	event := tournament.Event{
		Size: rules.Full, Matches: 1, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}},
	}
	matches := []tournament.MatchResult{{
		Pairing: tournament.Pairing{Match: 1, First: "ann", Second: "bob"},
		Legs:    [2]tournament.Summary{{Score: 20}, {Score: 32}},
		Outcome: tournament.SecondWins, By: tournament.ByScore,
	}}
	collector := report.NewCollector(event, nil)
	for _, m := range matches {
		collector.Add(m)
	}
	statistics, err := collector.Statistics(nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range statistics.Crosstable.Standings {
		fmt.Println(s.Rank, s.Name, s.Points)
	}
	// Output:
	// 1 bob 1
	// 2 ann 0
}
