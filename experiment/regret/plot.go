package regret

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/experiment"
	"versus2048/picture"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// WritePlot draws the share of optimal moves and the mean loss against the number
// of playouts, defenders left and attackers right: a family of bots as points
// with their intervals, bots without playouts as lines across. The format is such
// as picture.SVG. It returns w's error, or one for an unknown format.
func (r Report) WritePlot(w io.Writer, format string) error {
	rows := make([][]*plot.Plot, 2)
	roles := r.roles()
	for _, role := range roles {
		for i, figure := range []figure{optimal, meanLoss} {
			p := picture.New(role.String(), "playouts a move", figure.label)
			if err := r.draw(p, role, figure); err != nil {
				return fmt.Errorf("plotting the %v: %w", role, err)
			}
			p.Legend = legendOf(p, role == roles[0])
			rows[i] = append(rows[i], p)
		}
	}
	rows[0][0].Title.Text = fmt.Sprintf("%v on %v: %v", r.Rules, r.Size, roles[0])
	return picture.Write(w, format, vg.Length(len(rows[0]))*16*vg.Centimeter, 24*vg.Centimeter, rows)
}

// legendOf is the plot's legend, or an empty one where another plot has the same.
func legendOf(p *plot.Plot, shown bool) plot.Legend {
	if shown {
		return p.Legend
	}
	return plot.NewLegend()
}

// figure is what a plot shows of a bot.
type figure struct {
	label string
	of    func(Figures) report.Interval
	log   bool // on a logarithmic scale, on which 0 has no place
}

var (
	optimal  = figure{"share of optimal moves", func(f Figures) report.Interval { return f.Optimal }, false}
	meanLoss = figure{"mean loss, points a move", func(f Figures) report.Interval { return f.Loss }, true}
)

// colours tell families apart, and dashed lines the other bots.
var colours = []color.Color{picture.Blue, picture.Orange, picture.Green, picture.Purple, picture.Sky}

func (r Report) draw(p *plot.Plot, role rules.Side, f figure) error {
	r.scale(p, role, f)
	families, lines := map[string]int{}, 0
	for _, b := range r.Bots {
		e := b.Effort
		if _, drawn := families[e.Family]; drawn {
			continue
		}
		if e.Playouts == 0 {
			if err := r.drawLine(p, b, role, f, lines); err != nil {
				return err
			}
			lines++
			continue
		}
		families[e.Family] = len(families)
		if err := r.drawFamily(p, role, f, e.Family, families[e.Family]); err != nil {
			return err
		}
	}
	return nil
}

// drawFamily draws the n-th family: the bots that differ in nothing but their
// playouts, a little beside those of other families.
func (r Report) drawFamily(p *plot.Plot, role rules.Side, f figure, family string, n int) error {
	var points picture.Intervals
	for _, b := range r.Bots {
		i := f.of(b.part(role, 0).Figures)
		if b.Effort.Family != family || b.Effort.Playouts == 0 || f.log && i.Value.Value == 0 {
			continue
		}
		i.Low.Value = max(i.Low.Value, p.Y.Min)
		experiment.AddInterval(&points, float64(b.Effort.Playouts)*math.Pow(1.05, float64(n)), i)
	}
	if len(points.XYs) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	c := colours[n%len(colours)]
	line.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.5)}
	p.Add(line)
	dots, err := points.Draw(p, c, draw.CircleGlyph{})
	p.Legend.Add(family, line, dots)
	return err
}

// drawLine draws the n-th bot that has no number of playouts.
func (r Report) drawLine(p *plot.Plot, b Row, role rules.Side, f figure, n int) error {
	y := f.of(b.part(role, 0).Figures).Value
	if y.Absent() || f.log && y.Value == 0 {
		return nil
	}
	line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: y.Value}, {X: legendFrom(p), Y: y.Value}})
	if err != nil {
		return err
	}
	dash := vg.Length(2 + 3*n)
	line.LineStyle = draw.LineStyle{Color: color.Gray{Y: 90}, Width: vg.Points(1.2), Dashes: []vg.Length{dash, 3}}
	p.Add(line)
	p.Legend.Add(b.Name, line)
	return nil
}
