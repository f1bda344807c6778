package regret

import (
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/lab/experiment"
	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// WritePlot draws plots of each game. The first ones have a row for each role of each bot that is no snapshot of a run.
// Below them are the learning curves of each role: the share of the optimum against the seconds of training and
// against its steps, and the mean loss of a move against the seconds. If no exact values are known, all plots show the
// mean score instead. The format is picture.SVG or picture.PNG. WritePlot returns w's error, or an error for an unknown
// format.
func (r LearnedReport) WritePlot(w io.Writer, format string) error {
	var rows [][]*plot.Plot
	var key []picture.Entry
	height := vg.Length(0)
	for _, b := range r.Boards {
		row, err := b.drawRows(r.Level)
		if err != nil {
			return err
		}
		rows, height = append(rows, row), height+experiment.RowsHeight(b.countUnlearned())
		for _, role := range b.game().Roles() {
			curves, entries, err := r.drawCurves(b, role)
			if err != nil {
				return err
			}
			if len(curves) > 0 {
				rows, height = append(rows, curves), height+10*vg.Centimeter
				key = appendNew(key, entries)
			}
		}
	}
	return picture.WriteKeyed(w, format, 32*vg.Centimeter, height, rows, key)
}

// countUnlearned returns the number of bots that are no snapshots of a run.
func (b LearnedBoard) countUnlearned() (n int) {
	for _, bot := range b.Bots {
		if bot.unlearned() {
			n++
		}
	}
	return n
}

// appendNew appends the entries with names that the key does not have.
func appendNew(key, entries []picture.Entry) []picture.Entry {
	for _, e := range entries {
		if !slices.ContainsFunc(key, func(k picture.Entry) bool { return k.Name == e.Name }) {
			key = append(key, e)
		}
	}
	return key
}

// drawRows draws the bots that are no snapshots: two plots, or one if no exact values are known.
func (b LearnedBoard) drawRows(level float64) (plots []*plot.Plot, err error) {
	figures := []struct {
		label    string
		interval func(i int, role rules.Side) report.Interval // of the i-th bot
	}{
		{"points, as a share of the optimum", func(i int, role rules.Side) report.Interval { return b.Bots[i].in(role).Share }},
		{"mean loss, points a move", func(i int, role rules.Side) report.Interval { return b.figures(i, role, 0).Loss }},
	}
	if b.Moves == nil {
		figures = figures[:1]
		figures[0].label = "mean score"
		figures[0].interval = func(i int, role rules.Side) report.Interval { return b.Bots[i].in(role).Mean }
	}
	for _, f := range figures {
		p := picture.New(b.game().String(), fmt.Sprintf("%s (%.0f%% intervals)", f.label, 100*level), "")
		var names []string
		var series []report.Interval
		for _, role := range b.game().Roles() {
			for i, bot := range b.Bots {
				if bot.unlearned() {
					names, series = append(names, fmt.Sprintf("%s, %v", bot.Name, role)), append(series, f.interval(i, role))
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

// axes are the two axes of a plot of curves. Each shows one figure of each snapshot.
type axes struct {
	xLabel, yLabel string
	x              func(p Point) float64
	y              func(p Point) report.Interval
}

// curveAxes returns the axes of the plots of curves, one element for each plot: see WritePlot.
func (b LearnedBoard) curveAxes() []axes {
	seconds := func(p Point) float64 { return p.Seconds }
	steps := func(p Point) float64 { return p.Steps }
	if b.Moves == nil {
		mean := func(p Point) report.Interval { return p.Mean }
		return []axes{{"seconds of training", "mean score", seconds, mean}, {"steps of training", "mean score", steps, mean}}
	}
	share := func(p Point) report.Interval { return p.Share }
	return []axes{
		{"seconds of training", "points, as a share of the optimum", seconds, share},
		{"steps of training", "points, as a share of the optimum", steps, share},
		{"seconds of training", "mean loss, points a move", seconds, func(p Point) report.Interval { return p.Loss }},
	}
}

// drawCurves draws the curves of a game in one role, as a row of plots. It returns nil if there are no curves.
func (r LearnedReport) drawCurves(b LearnedBoard, role rules.Side) (plots []*plot.Plot, key []picture.Entry, err error) {
	curves := slices.DeleteFunc(slices.Clone(r.Curves), func(c Curve) bool {
		return c.Rules != b.Rules || c.Size != b.Size || c.Role != role
	})
	if len(curves) == 0 {
		return nil, nil, nil
	}
	for _, a := range b.curveAxes() {
		p := picture.New(fmt.Sprintf("%v as %v", b.game(), role), a.xLabel, a.yLabel)
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		for i, c := range curves {
			entry, err := c.draw(p, a, picture.Palette[i%len(picture.Palette)])
			if err != nil {
				return nil, nil, fmt.Errorf("plotting %s: %w", c.Run, err)
			}
			key = appendNew(key, []picture.Entry{entry})
		}
		switch {
		case p.X.Min > p.X.Max: // no point, for example because no placement is a mistake; gonum would take -1 to 1
			p.X.Min, p.X.Max = 1, 10
		case p.X.Min == p.X.Max: // a single time, which gonum would widen to 0
			p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2
		}
		plots = append(plots, p)
	}
	return plots, key, nil
}

// draw draws a curve. The scale of x is logarithmic and has no 0, so values below 1 are drawn at 1.
func (c Curve) draw(p *plot.Plot, a axes, colour color.Color) (picture.Entry, error) {
	var points picture.Intervals
	for _, at := range c.Points {
		experiment.AddInterval(&points, max(a.x(at), 1), a.y(at))
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
