// Package reporting makes the report of a search from its result.
//
//	report := reporting.Report(search.Result(), 20*time.Millisecond)
//	fmt.Println(report.Nodes, report.Variation[0])
package reporting

import (
	"time"

	"versus2048/players/searching"
	"versus2048/rules/record"
)

// Report returns the report of a search that took some time. It clips values to the range of a report, since a badly
// trained model may expect larger ones, and cuts lists that are too long.
func Report(found searching.Result, took time.Duration) *record.SearchReport {
	r := record.SearchReport{
		Playouts: found.Playouts, Nodes: found.Nodes, Time: took,
		Expanded:  found.Expanded[:min(len(found.Expanded), record.MaxSearchDepth)],
		Variation: found.Variation[:min(len(found.Variation), record.MaxSearchDepth)],
	}
	for _, m := range found.Moves {
		m.Value = max(-record.MaxValue, min(m.Value, record.MaxValue))
		r.Moves = append(r.Moves, record.RootMove(m))
	}
	return &r
}
