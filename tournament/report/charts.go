package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/internal/picture"
	"versus2048/rules"
)

// WriteChart draws an event's statistics, computed from the matches that were collected, in a
// format such as "svg" or "png": the ratings, the scores as defender, the tiles made as
// defender and, unless chance attacks, the tiles allowed as attacker. It returns w's
// error, or an error for an unknown format.
func WriteChart(w io.Writer, format string, s Statistics, from *Collector) error {
	names := byRating(s.Ratings)
	c := chart{names, from}
	ratings, err := ratingsPlot(s.Ratings, names)
	if err != nil {
		return fmt.Errorf("plotting ratings: %w", err)
	}
	scores, err := c.scoresPlot()
	if err != nil {
		return fmt.Errorf("plotting scores: %w", err)
	}
	made, key, err := c.tilesPlot("Games in which the bot made at least a tile", rules.Defender)
	if err != nil {
		return fmt.Errorf("plotting tiles: %w", err)
	}
	rows := [][]*plot.Plot{{ratings}, {scores}, {made}}
	if !from.event.Rules.Chance() {
		allowed, _, err := c.tilesPlot("Games in which it allowed at least a tile, as attacker", rules.Attacker)
		if err != nil {
			return fmt.Errorf("plotting tiles: %w", err)
		}
		rows = [][]*plot.Plot{{ratings, scores}, {made, allowed}}
	}
	height := vg.Length(len(rows)) * max(9, 3+0.7*vg.Length(len(names))) * vg.Centimeter
	return picture.WriteKeyed(w, format, vg.Length(len(rows[0]))*16*vg.Centimeter, height, rows, key)
}

// chart holds the data that plots are drawn from.
type chart struct {
	names []string // of all bots, best first by rating
	from  *Collector
}

// byRating returns the names of all bots, best first, group by group, then those
// without a rating.
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
		labels = append(labels, shortened(name))
	}
	p.NominalY(labels...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
}

// row returns the height of the i-th bot's row.
func row(names []string, i int) float64 { return float64(len(names) - 1 - i) }

// ratingsPlot draws the ratings with their intervals. An end without a limit is an
// arrow at the edge.
func ratingsPlot(r Ratings, names []string) (*plot.Plot, error) {
	title := "Ratings with 95% intervals"
	if len(r.Groups) > 1 {
		title += "; no match connects some, whose ratings can't be compared"
	}
	p := picture.New(title, "Elo", "")
	low, high := ratingSpan(r)
	bars := picture.Intervals{Horizontal: true}
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			from, to := b.Elo.Ends()
			x := b.Elo.Value.Value
			if b.Elo.Value.Absent() {
				x = (max(from, low) + min(to, high)) / 2
			}
			bars.Add(x, row(names, len(bars.XYs)), from, to)
		}
	}
	p.Add(plotter.NewGrid())
	if len(bars.XYs) > 0 {
		if _, err := bars.Draw(p, picture.Blue, draw.CircleGlyph{}); err != nil {
			return nil, err
		}
	}
	nameRows(p, names)
	p.X.Min, p.X.Max = low, high
	return p, nil
}

// ratingSpan returns the ends of a scale with room for all the ratings' numbers.
func ratingSpan(r Ratings) (low, high float64) {
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			for _, f := range []Figure{b.Elo.Low, b.Elo.Value, b.Elo.High} {
				if !f.Absent() {
					low, high = min(low, f.Value), max(high, f.Value)
				}
			}
		}
	}
	room := max(1, 0.05*(high-low))
	return low - room, high + room
}

// scoresPlot draws the distribution of each bot's scores as defender: the box
// from quartile to quartile with the median, whiskers to 5 and 95 %.
func (c chart) scoresPlot() (*plot.Plot, error) {
	p := picture.New("Scores as defender: median, quartiles, 5 and 95 %", "score", "")
	p.Add(plotter.NewGrid())
	highest := 1.0
	for i, name := range c.names {
		games := c.from.defended(name, rules.Defender).games
		if games.n == 0 {
			continue
		}
		box, err := newBox(row(c.names, i), &games)
		if err != nil {
			return nil, err
		}
		highest = max(highest, box.AdjHigh)
		p.Add(box)
	}
	nameRows(p, c.names)
	p.X.Min, p.X.Max = 0, 1.05*highest
	return p, nil
}

// newBox returns the box of a distribution, which is not empty.
func newBox(at float64, d *distribution) (*plotter.BoxPlot, error) {
	x, _ := d.values()
	box, err := plotter.NewBoxPlot(vg.Points(14), at, plotter.Values{x[0], x[len(x)-1]})
	if err != nil {
		return nil, err
	}
	box.Horizontal, box.FillColor = true, picture.Sky
	box.Median, box.Quartile1, box.Quartile3 = d.quantile(0.5), d.quantile(0.25), d.quantile(0.75)
	box.AdjLow, box.AdjHigh = d.quantile(0.05), d.quantile(0.95)
	box.Outside = nil // thousands of points
	return box, nil
}

// dashes distinguish the lines of bots whose colours are the same.
var dashes = [][]vg.Length{nil, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}}

// lineOf returns the style of the i-th bot's line.
func lineOf(i int) draw.LineStyle {
	colours := len(picture.Palette)
	return draw.LineStyle{Color: picture.Palette[i%colours], Width: vg.Points(1.5), Dashes: dashes[i/colours%len(dashes)]}
}

// tilesPlot draws for each bot in a role the share of its games that reached at
// least each tile. It also returns the key to the bots' lines.
func (c chart) tilesPlot(title string, side rules.Side) (*plot.Plot, []picture.Entry, error) {
	var key []picture.Entry
	p := picture.New(title, "tile", "share of games")
	p.Add(plotter.NewGrid())
	largest := 3
	for i, name := range c.names {
		shares := c.survival(name, side)
		if shares == nil {
			continue
		}
		line, dots, err := plotter.NewLinePoints(shares)
		if err != nil {
			return nil, nil, err
		}
		line.LineStyle = lineOf(i)
		dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		key = append(key, picture.Entry{Name: shortened(name), Thumbs: []plot.Thumbnailer{line, dots}})
		largest = max(largest, int(shares[len(shares)-1].X))
	}
	var ticks plot.ConstantTicks
	for e := 1; e <= largest; e++ {
		tick := plot.Tick{Value: float64(e)}
		if e%2 == 1 || largest < 10 { // otherwise they touch
			tick.Label = strconv.Itoa(1 << e)
		}
		ticks = append(ticks, tick)
	}
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = 1, float64(largest)+0.2
	p.Y.Min, p.Y.Max = 0, 1.02
	return p, key, nil
}

// survival returns the shares of a bot's games that reached at least each tile, by
// the tile's exponent, up to the first tile that none reached. It returns nil without
// a game.
func (c chart) survival(name string, side rules.Side) plotter.XYs {
	defended := c.from.defended(name, side)
	ended, games := defended.tiles, defended.games.n
	if games == 0 {
		return nil
	}
	var shares plotter.XYs
	left := games
	for e := 1; e < len(ended); e++ {
		shares = append(shares, plotter.XY{X: float64(e), Y: float64(left) / float64(games)})
		if left == 0 {
			break
		}
		left -= ended[e]
	}
	return shares
}
