package chart_test

import (
	"log"
	"os"

	"versus2048/picture"
	"versus2048/tournament/chart"
	"versus2048/tournament/report"
)

func Example() {
	event, matches := twoBots()
	times := report.NewTimesheet(matches)
	statistics, err := report.NewStatistics(event, matches, times, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := chart.Write(os.Stdout, picture.SVG, event, statistics, matches); err != nil {
		log.Fatal(err)
	}
}
