// Package report holds what is computed from the results of an event: standings
// and crosstables as text, head-to-head comparisons, ratings, times, and the
// tables that they are printed in.
//
//	times := report.NewTimesheet()
//	statistics, err := report.NewStatistics(event, matches, times, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, s := range statistics.Crosstable.Standings {
//		fmt.Println(s.Rank, s.Name, s.Points)
//	}
package report
