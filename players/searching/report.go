package searching

import (
	"time"

	"versus2048/rules/record"
)

// Report returns the report of a search with this result that took some time. It clips values to the range of a report,
// since a badly trained model may expect larger ones.
func (found Result) Report(took time.Duration) *record.SearchReport {
	r := record.SearchReport{
		Playouts: found.Playouts, Nodes: found.Nodes, Expanded: found.Expanded, Variation: found.Variation, Time: took,
	}
	for _, m := range found.Moves {
		m.Value = max(-record.MaxValue, min(m.Value, record.MaxValue))
		r.Moves = append(r.Moves, record.RootMove(m))
	}
	CutReport(&r)
	return &r
}

// CutReport cuts lists that are too long for a report.
func CutReport(r *record.SearchReport) {
	r.Expanded = r.Expanded[:min(len(r.Expanded), record.MaxSearchDepth)]
	r.Variation = r.Variation[:min(len(r.Variation), record.MaxSearchDepth)]
}
