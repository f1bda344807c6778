package players

import (
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// searched is what a report needs to know of a search besides its graph.
type searched struct {
	root     rules.Position // as it was asked about, not canonical
	began    time.Time
	took     time.Duration
	playouts int
}

func beginSearch(root rules.Position) searched { return searched{root: root, began: time.Now()} }

func (s *searched) finish(playouts int) {
	s.playouts, s.took = playouts, time.Since(s.began)
}

// report is what a graph says of a search from s.root.
func (s *searched) report(g *graph) *record.SearchReport {
	return &record.SearchReport{
		Playouts:  int64(s.playouts),
		Nodes:     int64(len(g.nodes)),
		Expanded:  g.expandedByDepth(),
		Time:      s.took,
		Variation: g.variation(s.root),
		Moves:     g.rootMoves(s.root),
	}
}
