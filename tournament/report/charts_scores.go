package report

import (
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/picture"
	"versus2048/rules"
)

// scoresPlot draws the distribution of each bot's scores as defender: the box
// from quartile to quartile with the median, whiskers to 5 and 95 %.
func (f field) scoresPlot() (*plot.Plot, error) {
	p := picture.New("Scores as defender: median, quartiles, 5 and 95 %", "score", "")
	p.Add(plotter.NewGrid())
	highest := 1.0
	for i, name := range f.names {
		var scores plotter.Values
		for game := range Games(name, rules.Defender, f.games) {
			scores = append(scores, float64(game.Score))
		}
		if len(scores) == 0 {
			continue
		}
		box, err := plotter.NewBoxPlot(vg.Points(14), row(f.names, i), scores)
		if err != nil {
			return nil, err
		}
		box.Horizontal, box.FillColor = true, picture.Sky
		slices.Sort(scores)
		box.AdjLow, box.AdjHigh = stat.Quantile(0.05, stat.Empirical, scores, nil), stat.Quantile(0.95, stat.Empirical, scores, nil)
		box.Outside = nil // thousands of points
		highest = max(highest, box.AdjHigh)
		p.Add(box)
	}
	nameRows(p, f.names)
	p.X.Min, p.X.Max = 0, 1.05*highest
	return p, nil
}
