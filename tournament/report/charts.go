package report

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"versus2048/picture"
	"versus2048/rules"
	"versus2048/tournament"
)

// Write draws the statistics of an event, which are those of its decided matches,
// in a format such as picture.SVG: ratings, scores, and the tiles made as
// defender and, unless chance attacks, allowed as attacker. It returns w's error,
// or one for an unknown format.
func WriteChart(w io.Writer, format string, e tournament.Event, s Statistics, matches []tournament.MatchResult) error {
	names := byRating(s.Ratings)
	f := field{names: names, games: e.Counting(matches)}
	ratings, err := ratingsPlot(s.Ratings, names)
	if err != nil {
		return fmt.Errorf("plotting ratings: %w", err)
	}
	scores, err := f.scoresPlot()
	if err != nil {
		return fmt.Errorf("plotting scores: %w", err)
	}
	made, err := f.tilesPlot("Games in which the bot made at least a tile", rules.Defender)
	if err != nil {
		return fmt.Errorf("plotting tiles: %w", err)
	}
	rows := [][]*plot.Plot{{ratings}, {scores}, {made}}
	if !e.Rules.Chance() {
		allowed, err := f.tilesPlot("Games in which it allowed at least a tile, as attacker", rules.Attacker)
		if err != nil {
			return fmt.Errorf("plotting tiles: %w", err)
		}
		allowed.Legend = plot.NewLegend() // the one beside it is the same
		allowed.X.Max = 1 + curvesWidth*(allowed.X.Max-1)
		rows = [][]*plot.Plot{{ratings, scores}, {made, allowed}}
	}
	height := vg.Length(len(rows)) * max(9, 3+0.7*vg.Length(len(names))) * vg.Centimeter
	return picture.Write(w, format, vg.Length(len(rows[0]))*16*vg.Centimeter, height, rows)
}

// field is what the bots of an event, by their ratings, have played.
type field struct {
	names []string
	games []tournament.MatchResult // that count
}

// byRating are the names of all bots, best first, group by group, and those that
// have no rating.
func byRating(r Ratings) []string {
	var names []string
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			names = append(names, b.Name)
		}
	}
	return append(names, r.Unrated...)
}

// nameRows gives each bot a row of the plot, the first one at the top.
func nameRows(p *plot.Plot, names []string) {
	var labels []string
	for _, name := range slices.Backward(names) {
		labels = append(labels, Label(name))
	}
	p.NominalY(labels...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
}

// row is the height of the i-th bot's row.
func row(names []string, i int) float64 { return float64(len(names) - 1 - i) }
