package regret

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/lab/experiment"
	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// WritePlot draws the share of optimal moves and the mean loss against the number of playouts, defenders on the left
// and attackers on the right. A family of bots appears as a line through points with their intervals, a bot without
// playouts as a horizontal line. The format is picture.SVG or picture.PNG. WritePlot returns w's error, or an error for
// an unknown format.
func (r Report) WritePlot(w io.Writer, format string) error {
	rows := make([][]*plot.Plot, 2)
	roles := r.roles()
	var k key
	for _, role := range roles {
		for i, figure := range []figure{optimal, meanLoss} {
			p := picture.New(role.String(), "playouts a move", figure.label)
			if err := r.draw(p, role, figure, &k); err != nil {
				return fmt.Errorf("plotting the %v: %w", role, err)
			}
			rows[i] = append(rows[i], p)
		}
	}
	rows[0][0].Title.Text = fmt.Sprintf("%v on %v: %v", r.Rules, r.Size, roles[0])
	return picture.WriteKeyed(w, format, vg.Length(len(rows[0]))*16*vg.Centimeter, 24*vg.Centimeter, rows, k)
}

// key explains the lines of all plots.
type key []picture.Entry

// add adds a line to the key, unless the key has it from another plot.
func (k *key) add(name string, thumbs ...plot.Thumbnailer) {
	if !slices.ContainsFunc(*k, func(e picture.Entry) bool { return e.Name == name }) {
		*k = append(*k, picture.Entry{Name: name, Thumbs: thumbs})
	}
}

// figure is one of a bot's figures that a plot shows.
type figure struct {
	label    string
	interval func(Figures) report.Interval
	log      bool // whether its scale is logarithmic, and so has no 0
}

var (
	optimal  = figure{"share of optimal moves", func(f Figures) report.Interval { return f.Optimal }, false}
	meanLoss = figure{"mean loss, points a move", func(f Figures) report.Interval { return f.Loss }, true}
)

// draw draws each family in a colour of its own, and each other bot as a line with dashes of its own.
func (r Report) draw(p *plot.Plot, role rules.Side, f figure, k *key) error {
	r.scale(p, role, f)
	families, lines := map[string]int{}, 0
	for _, b := range r.Bots {
		e := b.Effort
		if _, drawn := families[e.Family]; drawn {
			continue
		}
		if e.Playouts == 0 {
			if err := r.drawLine(p, b, role, f, lines, k); err != nil {
				return err
			}
			lines++
			continue
		}
		families[e.Family] = len(families)
		if err := r.drawFamily(p, role, f, e.Family, families[e.Family], k); err != nil {
			return err
		}
	}
	return nil
}

// drawFamily draws the n-th family, the bots that differ only in their playouts. It shifts each family
// slightly so that the points do not overlap.
func (r Report) drawFamily(p *plot.Plot, role rules.Side, f figure, family string, n int, k *key) error {
	var points picture.Intervals
	for _, b := range r.Bots {
		i := f.interval(b.part(role, 0).Figures)
		if b.Effort.Family != family || b.Effort.Playouts == 0 || f.log && i.Value.Value == 0 {
			continue
		}
		experiment.AddInterval(&points, float64(b.Effort.Playouts)*math.Pow(1.05, float64(n)), i)
	}
	if len(points.XYs) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	c := picture.Palette[n%len(picture.Palette)]
	line.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.5)}
	p.Add(line)
	dots, err := points.Draw(p, c, draw.CircleGlyph{})
	if err != nil {
		return err
	}
	k.add(family, line, dots)
	return nil
}

// drawLine draws a bot without a number of playouts, the n-th of these.
func (r Report) drawLine(p *plot.Plot, b Row, role rules.Side, f figure, n int, k *key) error {
	y := f.interval(b.part(role, 0).Figures).Value
	if y.Absent() || f.log && y.Value == 0 {
		return nil
	}
	line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: y.Value}, {X: p.X.Max, Y: y.Value}})
	if err != nil {
		return err
	}
	dash := vg.Length(2 + 3*n)
	line.LineStyle = draw.LineStyle{Color: color.Gray{Y: 90}, Width: vg.Points(1.2), Dashes: []vg.Length{dash, 3}}
	p.Add(line)
	k.add(b.Name, line)
	return nil
}

// scale sets the axes. It must be called before anything is drawn.
func (r Report) scale(p *plot.Plot, role rules.Side, f figure) {
	least, most := math.Inf(1), 1.0
	lowest, highest := math.Inf(1), 0.0
	for _, b := range r.Bots {
		if n := float64(b.Effort.Playouts); n > 0 {
			least, most = min(least, n/1.5), max(most, n*1.5)
		}
		if i := f.interval(b.part(role, 0).Figures); i.Value.Value > 0 {
			lowest, highest = min(lowest, i.Value.Value), max(highest, i.Value.Value, i.High.Value)
		}
	}
	if least > most {
		least, most = 1, 10 // no bot has a number of playouts
	}
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.X.Min, p.X.Max = least, most
	p.Y.Min, p.Y.Max = 0, 1
	if f.log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, ticks{}
		p.Y.Min, p.Y.Max = 1, 10
		if highest > 0 {
			p.Y.Min, p.Y.Max = lowest/3, 2*highest
		}
	}
}

// ticks makes the ticks of a logarithmic axis that may be shorter than a decade. Those at 1, 2 and 5
// have labels.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) (all []plot.Tick) {
	for decade := math.Floor(math.Log10(low)); decade <= math.Log10(high); decade++ {
		for digit := 1.0; digit < 10; digit++ {
			tick := plot.Tick{Value: math.Pow(10, decade) * digit}
			if digit == 1 || digit == 2 || digit == 5 {
				tick.Label = strconv.FormatFloat(tick.Value, 'g', -1, 64)
			}
			if low <= tick.Value && tick.Value <= high {
				all = append(all, tick)
			}
		}
	}
	return all
}
