// Package report computes statistics from the results of an event: standings, crosstables,
// head-to-head comparisons, ratings and times, with tables and charts of them. It also forecasts the
// duration of an event.
//
//	collector := report.NewCollector(event, nil)
//	for _, m := range matches {
//		collector.Add(m)
//	}
//	statistics, err := collector.Statistics(nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, s := range statistics.Crosstable.Standings {
//		fmt.Println(s.Rank, s.Name, s.Points)
//	}
package report
