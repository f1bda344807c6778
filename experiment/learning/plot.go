package learning

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/experiment"
	"versus2048/picture"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// WritePlot draws each game: the bots in rows, by role. Below are the curves of each game and role:
// what a move loses, or the mean score where no exact values are known, against the seconds of
// training. The format is one such as picture.SVG. It returns w's error, or one for an unknown format.
func (r Report) WritePlot(w io.Writer, format string) error {
	var rows [][]*plot.Plot
	var key []picture.Entry
	height := vg.Length(0)
	for _, b := range r.Boards {
		row, err := b.drawRows(r.Level)
		if err != nil {
			return err
		}
		rows, height = append(rows, row), height+experiment.RowsHeight(len(b.Bots))
		curves, entries, err := r.drawCurves(b)
		if err != nil {
			return err
		}
		if len(curves) > 0 {
			rows, height = append(rows, curves), height+10*vg.Centimeter
			key = appendNew(key, entries)
		}
	}
	return picture.WriteKeyed(w, format, 32*vg.Centimeter, height, rows, key)
}

// appendNew appends the entries whose names the key does not have.
func appendNew(key, entries []picture.Entry) []picture.Entry {
	for _, e := range entries {
		if !slices.ContainsFunc(key, func(k picture.Entry) bool { return k.Name == e.Name }) {
			key = append(key, e)
		}
	}
	return key
}

// drawRows draws the bots that are no snapshots in two plots.
func (b Board) drawRows(level float64) (plots []*plot.Plot, err error) {
	figures := []struct {
		label string
		of    func(i int, role rules.Side) report.Interval
	}{
		{"points, as a share of the optimum", func(i int, role rules.Side) report.Interval { return b.Bots[i].in(role).Share }},
		{"mean loss, points a move", func(i int, role rules.Side) report.Interval { return b.figures(i, role, 0).Loss }},
	}
	if b.Moves == nil {
		figures = figures[:1]
		figures[0].label = "mean score"
		figures[0].of = func(i int, role rules.Side) report.Interval { return b.Bots[i].in(role).Mean }
	}
	for _, f := range figures {
		p := picture.New(b.game().String(), fmt.Sprintf("%s (%.0f%% intervals)", f.label, 100*level), "")
		var names []string
		var series []report.Interval
		for _, role := range b.game().Roles() {
			for i, bot := range b.Bots {
				if bot.Learned == nil {
					names, series = append(names, fmt.Sprintf("%s, %v", bot.Name, role)), append(series, f.of(i, role))
				}
			}
		}
		if len(names) == 0 {
			names, series = []string{""}, []report.Interval{experiment.NoInterval("no bots")}
		}
		if err := experiment.AddRows(p, names, series); err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	return plots, nil
}

// colours distinguish curves.
var colours = []color.Color{picture.Blue, picture.Orange, picture.Green, picture.Purple, picture.Sky}

// drawCurves draws the curves of a game, a plot for each role.
func (r Report) drawCurves(b Board) (plots []*plot.Plot, key []picture.Entry, err error) {
	for _, role := range b.game().Roles() {
		p := picture.New(fmt.Sprintf("%v as %v", b.game(), role), "seconds of training", "mean loss, points a move")
		if b.Moves == nil {
			p.Y.Label.Text = "mean score"
		}
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		drawn := 0
		for _, c := range r.Curves {
			if c.Rules != b.Rules || c.Size != b.Size || c.Role != role {
				continue
			}
			entry, err := c.draw(p, b.Moves == nil, colours[drawn%len(colours)])
			if err != nil {
				return nil, nil, fmt.Errorf("plotting %s: %w", c.Run, err)
			}
			drawn, key = drawn+1, append(key, entry)
		}
		if p.X.Min == p.X.Max { // a single time, which gonum would widen to 0
			p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2
		}
		if drawn > 0 {
			plots = append(plots, p)
		}
	}
	return plots, key, nil
}

// draw draws a curve against the seconds. A scale that is logarithmic has no 0.
func (c Curve) draw(p *plot.Plot, scores bool, colour color.Color) (picture.Entry, error) {
	var points picture.Intervals
	for _, at := range c.Points {
		y := at.Loss
		if scores {
			y = at.Mean
		}
		experiment.AddInterval(&points, math.Max(at.Seconds, 1), y)
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return picture.Entry{}, err
	}
	line.LineStyle = draw.LineStyle{Color: colour, Width: vg.Points(1.5)}
	p.Add(line)
	dots, err := points.Draw(p, colour, draw.CircleGlyph{})
	if err != nil {
		return picture.Entry{}, err
	}
	return picture.Entry{Name: c.Run, Thumbs: []plot.Thumbnailer{line, dots}}, nil
}
