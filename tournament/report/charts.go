package report

import (
	"fmt"
	"image/color"
	"io"
	"strconv"

	"versus2048/internal/text/axes"
	"versus2048/rules"
)

// WriteChart draws an event's statistics as SVG or PNG. s must have been computed from the same collector. The charts
// are the ratings, the scores as defender, the tiles made as defender and, unless chance attacks, the tiles allowed as
// attacker. WriteChart returns w's error, or an error for an unknown format.
func WriteChart(w io.Writer, format string, s Statistics, collector *Collector) error {
	c := chart{byRating(s.Ratings), collector}
	made, key := c.tilesPlot("As defender: share of games with this tile or a larger one", rules.Defender)
	plots := [][]plot{{c.ratingsPlot(s.Ratings)}, {c.scoresPlot()}, {made}}
	if !collector.event.Rules.Chance() {
		allowed, _ := c.tilesPlot("As attacker: share of games with this tile or a larger one", rules.Attacker)
		plots = [][]plot{{plots[0][0], plots[1][0]}, {made, allowed}}
	}
	height := max(9, 3+0.7*float64(len(c.names))) * centimetre
	page, err := newPage(plots, key, 16*centimetre, height)
	if err != nil {
		return err
	}
	return page.write(w, format)
}

// chart holds the data that plots are drawn from.
type chart struct {
	names     []string // of all bots, in the order of byRating
	collector *Collector
}

// byRating returns the names of all bots, best first, group by group, then the bots without a rating.
func byRating(r Ratings) []string {
	var names []string
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			names = append(names, b.Name)
		}
	}
	return append(names, r.Unrated...)
}

// rows returns an axis with a row for each bot, the first one at the top.
func (c chart) rows() axis {
	a := axis{low: -0.6, high: float64(len(c.names)) - 0.4}
	for i, name := range c.names {
		a.ticks = append(a.ticks, axes.Tick{At: c.row(i), Label: shortened(name)})
	}
	return a
}

func (c chart) row(i int) float64 { return float64(len(c.names) - 1 - i) }

func (c chart) ratingsPlot(r Ratings) plot {
	low, high := ratingSpan(r)
	x := axis{label: "Elo", low: low, high: high, ticks: axes.Ticks(low, high, 8)}
	if len(r.Groups) > 1 {
		x.label = "Elo; some bots are not connected by matches: their ratings can't be compared"
	}
	return plot{title: "Ratings with 95% intervals", x: x, y: c.rows(), data: func(on canvas, at scale) {
		i := 0
		for _, g := range r.Groups {
			for _, b := range g.Bots {
				drawInterval(on, at, b.Elo, c.row(i), x)
				i++
			}
		}
	}}
}

// drawInterval draws a rating in its row: a dot, and a line from end to end of its interval. A stroke marks each end,
// or an arrow if the interval goes on beyond the axis. A rating without a value has its dot in the middle of the line.
func drawInterval(on canvas, at scale, i Interval, row float64, x axis) {
	const size = 4 // of the ends
	from, to := i.Ends()
	left, right := at(max(from, x.low), row), at(min(to, x.high), row)
	look := stroke{colour: blue, width: 1.5}
	on.line(look, left, right)
	end := func(tip point, back float64) {
		on.line(look, point{tip.x + back, tip.y - size}, tip, point{tip.x + back, tip.y + size})
	}
	var back float64
	if from < x.low {
		back = 1.5 * size
	}
	end(left, back)
	back = 0
	if to > x.high {
		back = -1.5 * size
	}
	end(right, back)
	dot := at(i.Value.Value, row)
	if i.Value.Absent() {
		dot.x = (left.x + right.x) / 2
	}
	on.dot(blue, 4, dot)
}

// ratingSpan returns the ends of an axis that covers 0 and all ratings with their intervals.
func ratingSpan(r Ratings) (low, high float64) {
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			low, high = b.Elo.widen(low, high)
		}
	}
	room := max(1, 0.05*(high-low))
	return low - room, high + room
}

func (c chart) scoresPlot() plot {
	scores := make([]*distribution, len(c.names))
	highest := 1.0
	for i, name := range c.names {
		if d := c.collector.gamesOf(name, rules.Defender).games; d.n > 0 {
			scores[i] = &d
			highest = max(highest, d.quantile(0.95))
		}
	}
	x := axis{label: "score", high: 1.05 * highest, ticks: axes.Ticks(0, 1.05*highest, 6)}
	return plot{title: "Scores as defender: median, quartiles, 5 and 95 %", x: x, y: c.rows(), data: func(on canvas, at scale) {
		for i, d := range scores {
			if d != nil {
				drawBox(on, at, d, c.row(i))
			}
		}
	}}
}

// drawBox draws a distribution in a row: a box from quartile to quartile with the median, whiskers to 5 and 95 %.
func drawBox(on canvas, at scale, d *distribution, row float64) {
	const half, capHeight = 7, 4 // half the heights of the box and of the whiskers' ends
	thin := stroke{colour: black, width: 1}
	drawUpright := func(look stroke, share, height float64) point {
		p := at(d.quantile(share), row)
		on.line(look, point{p.x, p.y - height}, point{p.x, p.y + height})
		return p
	}
	left, right := drawUpright(thin, 0.05, capHeight), drawUpright(thin, 0.95, capHeight)
	on.line(thin, left, right)
	low, high := at(d.quantile(0.25), row), at(d.quantile(0.75), row)
	corner, opposite := point{low.x, low.y - half}, point{high.x, high.y + half}
	on.rectangle(sky, corner, opposite)
	on.line(thin, corner, point{opposite.x, corner.y}, opposite, point{corner.x, opposite.y}, corner)
	drawUpright(stroke{colour: black, width: 2}, 0.5, half)
}

// lineOf returns the look of the i-th bot's line. Dashes distinguish lines of the same colour.
func lineOf(i int) stroke {
	colours := []color.RGBA{blue, orange, green, purple, sky}
	dashes := [][]float64{nil, {6, 3}, {2, 2}}
	return stroke{colours[i%len(colours)], 1.5, dashes[i/len(colours)%len(dashes)]}
}

const dotRadius = 2.5 // of the lines' dots

// tilesPlot draws, for each bot on the given side, the share of its games in which the defender made each tile or a
// larger one. It also returns the key to the bots' lines.
func (c chart) tilesPlot(title string, side rules.Side) (plot, []entry) {
	var key []entry
	var lines [][]point
	largest := 3.0 // as an exponent
	for i, name := range c.names {
		if shares := c.survival(name, side); shares != nil {
			lines = append(lines, shares)
			key = append(key, entry{shortened(name), lineOf(i)})
			largest = max(largest, shares[len(shares)-1].x)
		}
	}
	x := axis{label: "tile", low: 1, high: largest, ticks: tileTicks(int(largest))}
	y := axis{high: 1}
	for percent := 0; percent <= 100; percent += 25 {
		y.ticks = append(y.ticks, axes.Tick{At: float64(percent) / 100, Label: fmt.Sprint(percent, "%")})
	}
	return plot{title: title, x: x, y: y, data: func(on canvas, at scale) {
		for i, shares := range lines {
			var line []point
			for _, share := range shares {
				line = append(line, at(share.x, share.y))
				on.dot(key[i].look.colour, dotRadius, line[len(line)-1])
			}
			on.line(key[i].look, line...)
		}
	}}, key
}

// tileTicks returns a tick for each tile, at its exponent. If there are ten or more, only every second one has a label,
// so that labels do not touch.
func tileTicks(largest int) (ticks []axes.Tick) {
	for e := 1; e <= largest; e++ {
		t := axes.Tick{At: float64(e)}
		if e%2 == 1 || largest < 10 {
			t.Label = strconv.Itoa(1 << e)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// survival returns a point for each tile: x is its exponent, y the share of a bot's games that reached it or a larger
// one. The points end with the first tile that no game reached. It returns nil for a bot without games.
func (c chart) survival(name string, side rules.Side) []point {
	played := c.collector.gamesOf(name, side)
	ended, games := played.tiles, played.games.n
	if games == 0 {
		return nil
	}
	var shares []point
	left := games
	for e := 1; e < len(ended); e++ {
		shares = append(shares, point{float64(e), float64(left) / float64(games)})
		if left == 0 {
			break
		}
		left -= ended[e]
	}
	return shares
}
