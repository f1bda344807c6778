// Package chart draws the statistics of an event: the ratings with their
// intervals, the scores of each bot, and how often each tile was made.
//
//	times := report.NewTimesheet(matches)
//	statistics, err := report.NewStatistics(event, matches, times, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	if err := chart.Write(os.Stdout, picture.SVG, event, statistics, matches); err != nil {
//		log.Fatal(err)
//	}
package chart
