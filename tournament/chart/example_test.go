package chart_test

import (
	"log"
	"os"

	"versus2048/picture"
	"versus2048/tournament"
	"versus2048/tournament/chart"
)

func Example() {
	event, matches := twoBots()
	times := tournament.NewTimesheet(matches)
	statistics, err := tournament.NewStatistics(event, matches, times, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := chart.Write(os.Stdout, picture.SVG, event, statistics, matches); err != nil {
		log.Fatal(err)
	}
}
