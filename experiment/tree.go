package experiment

import (
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// TreeSource is where the paper shows how its search trees grow.
const TreeSource = "Oka, Matsuzaki, Haraguchi: Exhaustive Analysis and Monte-Carlo Tree Search Player for Two-Player 2048 (2015), Figures 6-9"

// TreeMatches is how many matches make smooth figures.
const TreeMatches = 10

// TreeEvent is the event of Figures 6 to 9: MCTS2 against MCTS, with reports on
// all searches. The error says which setting is out of range.
func TreeEvent(s Settings) (tournament.Event, error) {
	return s.treeEvent(nameMCTS2, nameMCTS)
}

// CanonicalTreeEvent is the same of MCTS2 on canonical positions against MCTS2.
func CanonicalTreeEvent(s Settings) (tournament.Event, error) {
	return s.treeEvent(nameCanonical, nameMCTS2)
}

func (s Settings) treeEvent(first, second string) (tournament.Event, error) {
	e, err := s.event("tree", first, second)
	e.Search = true
	return e, err
}

// Tree tells how many nodes searches expand, as Figures 6 to 9 do.
type Tree struct {
	Source     string       `json:"source"`
	Event      int64        `json:"event"` // its number, 0 if it is not on record
	Name       string       `json:"name"`  // the event's
	Conditions string       `json:"conditions"`
	Games      int          `json:"games"`  // finished
	Of         int          `json:"of"`     // games in all
	Layers     []string     `json:"layers"` // what an Expanded counts
	Figures    []TreeFigure `json:"figures"`
	Gaps       []TreeGap    `json:"gaps"`
}

// TreeFigure is one bot in one role. Forced moves take no search and do not
// count.
type TreeFigure struct {
	Bot      string                  `json:"bot"`
	Role     rules.Side              `json:"role"`
	Games    int                     `json:"games"`    // with a search
	Searches int                     `json:"searches"` // in all of them
	Means    [layers]report.Interval `json:"means"`    // of the games' means a search
	Bins     []TreeBin               `json:"bins"`     // as far as enough games went: see LeastGames

	samples [layers]Sample
}

// LeastGames is how many games the figure needs at a ply to show it: a quarter
// of them. The few that last longest are no average of all.
func (f TreeFigure) LeastGames() int { return (f.Games + 3) / 4 }

// TreeBin is some consecutive plies of the game.
type TreeBin struct {
	From     int      `json:"from"` // the first ply, from 1
	To       int      `json:"to"`   // the last one
	Games    int      `json:"games"`
	Searches int      `json:"searches"`
	Expanded Expanded `json:"expanded"` // a search, on average
}

// TreeGap is the event's first bot's mean less the second's in one role and layer.
type TreeGap struct {
	Role  rules.Side      `json:"role"`
	Layer string          `json:"layer"`
	Gap   report.Interval `json:"gap"`
}

// layers is how many layers of a tree the figures tell apart.
const layers = 3

// layerNames are their names in tables.
func layerNames() []string { return []string{"to 6", "7", "from 8"} }

// Expanded counts the nodes that were given children, at depths to 6, at 7 and
// from 8 on, in plies below the root.
type Expanded [layers]float64

func newExpanded(s *record.SearchReport) (e Expanded) {
	for depth, n := range s.Expanded {
		e[max(0, min(depth-6, layers-1))] += float64(n)
	}
	return e
}

func (e Expanded) plus(f Expanded) Expanded {
	for i := range e {
		e[i] += f[i]
	}
	return e
}

// over is e divided by a count that is not 0.
func (e Expanded) over(count int) Expanded {
	for i := range e {
		e[i] /= float64(count)
	}
	return e
}

// total is the nodes of all layers.
func (e Expanded) total() (n float64) {
	for _, layer := range e {
		n += layer
	}
	return n
}
