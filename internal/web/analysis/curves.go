package analysis

import (
	"math"
	"strconv"
	"time"

	"versus2048/internal/text/axes"
	"versus2048/internal/web/templates"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Curves are the charts of a game by its plies. The number of points of each line is bounded, however long the game is.
type Curves struct {
	Plies  int
	Every  int         // plies from one point to the next
	Ticks  []axes.Tick // of the plies, at percents of the width
	Charts []Chart
}

// Chart has one or two lines. Their points are plies and values, so that a page can read the values from the picture.
type Chart struct {
	Title       string
	Top, Height float64     // in the unit of the values
	Ticks       []axes.Tick // at percents of the height, from above
	Lines       []Line
}

// Line is a line of a chart.
type Line struct {
	Name   string // score, or a side
	Points string // of a polyline

	points    []byte
	low, high float64
}

// NewCurves draws the score of a game, the times and the lags of both sides, and the values by their searches. It
// leaves out a chart whose values are all 0, unless the chart shows the score. A game without moves has no charts.
func NewCurves(r *record.Record) *Curves {
	plies := len(r.Moves)
	c := &Curves{Plies: plies, Every: stride(plies), Ticks: axes.Ticks(0, float64(max(1, plies)), 5)}
	for i := range c.Ticks {
		c.Ticks[i] = axes.Tick{At: 100 * c.Ticks[i].At / float64(max(1, plies)), Label: templates.Number(c.Ticks[i].Label)}
	}
	if plies > 0 {
		c.add("score", c.score(r))
		c.addSides(r, "time, ms", milliseconds(r.Times))
		c.addSides(r, "lag, ms", milliseconds(r.Lags))
		c.addSides(r, "value by the bots' searches", Values(r))
	}
	return c
}

// stride returns the number of plies from one point of a game to the next: the smallest power of 2 that gives at most
// MostPoints points after the first one.
func stride(plies int) int {
	every := 1
	for every*MostPoints < plies {
		every *= 2
	}
	return every
}

func milliseconds(times []time.Duration) (values []*float64) {
	for _, t := range times {
		ms := float64(t) / float64(time.Millisecond)
		values = append(values, &ms)
	}
	return values
}

// score returns the line of the score.
func (c *Curves) score(r *record.Record) Line {
	l := newLine("score")
	p := r.Start
	l.add(0, float64(p.Score()))
	for i, m := range r.Moves {
		if p = p.Next(m); (i+1)%c.Every == 0 || i+1 == c.Plies {
			l.add(i+1, float64(p.Score()))
		}
	}
	return *l
}

// addSides adds a chart with a line for each side. A point of a line is the largest value since the point before.
func (c *Curves) addSides(r *record.Record, title string, values []*float64) {
	var lines []Line
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		l, other := newLine(side.String()), 0
		if side != r.Start.SideToMove() {
			other = 1 // the first ply is of the other side
		}
		for from := 0; from < min(c.Plies, len(values)); from += c.Every {
			end, largest := min(from+c.Every, c.Plies), math.Inf(-1)
			for i := from; i < min(end, len(values)); i++ {
				if i%2 == other && values[i] != nil {
					largest = max(largest, *values[i])
				}
			}
			if !math.IsInf(largest, -1) {
				l.add(end, largest)
			}
		}
		lines = append(lines, *l)
	}
	c.add(title, lines...)
}

func newLine(name string) *Line { return &Line{Name: name, low: math.Inf(1), high: math.Inf(-1)} }

// add adds a point with a value of at most three decimals.
func (l *Line) add(ply int, value float64) {
	value = math.Round(1000*value) / 1000
	l.low, l.high = min(l.low, value), max(l.high, value)
	l.points = append(strconv.AppendInt(l.points, int64(ply), 10), ',')
	l.points = append(strconv.AppendFloat(l.points, value, 'f', -1, 64), ' ')
}

// add adds a chart. It leaves out a chart whose values are all 0, unless the chart shows the score.
func (c *Curves) add(title string, lines ...Line) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range lines {
		lines[i].Points = string(lines[i].points)
		low, high = min(low, lines[i].low), max(high, lines[i].high)
	}
	if title != "score" && (low > high || low == 0 && high == 0) {
		return
	}
	if low > 0 && 2*low < high {
		low = 0
	}
	high = max(high+(high-low)/20, low+.01) // some room above, and no chart without height
	chart := Chart{Title: title, Top: high, Height: high - low, Lines: lines}
	if c.Every > 1 {
		chart.Title += ": the largest of each " + strconv.Itoa(c.Every) + " plies"
	}
	for _, t := range axes.Ticks(low, high, 4) {
		chart.Ticks = append(chart.Ticks, axes.Tick{At: 100 * (high - t.At) / chart.Height, Label: templates.Number(t.Label)})
	}
	c.Charts = append(c.Charts, chart)
}
