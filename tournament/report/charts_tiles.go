package report

import (
	"image/color"
	"math/bits"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
	"versus2048/rules"
)

// Bots are told apart by colour, and by their lines' dashes where colours repeat.
var (
	colours = []color.Color{picture.Blue, picture.Orange, picture.Green, picture.Purple, picture.Sky}
	dashes  = [][]vg.Length{nil, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}}
)

// curvesWidth is the part of a plot's width that curves may take: beside them
// stands the legend.
const curvesWidth = 0.65

// tilesPlot draws for each bot in a role the share of games that reached at least
// each tile.
func (f field) tilesPlot(title string, side rules.Side) (*plot.Plot, error) {
	p := picture.New(title, "tile", "share of games")
	p.Add(plotter.NewGrid())
	largest := 3
	for i, name := range f.names {
		shares := f.survival(name, side)
		if shares == nil {
			continue
		}
		line, dots, err := plotter.NewLinePoints(shares)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: colours[i%len(colours)], Width: vg.Points(1.5), Dashes: dashes[i/len(colours)%len(dashes)]}
		dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add(Label(name), line, dots)
		largest = max(largest, int(shares[len(shares)-1].X))
	}
	var ticks plot.ConstantTicks
	for e := 1; e <= largest; e++ {
		tick := plot.Tick{Value: float64(e)}
		if e%2 == 1 || largest < 10 { // else they touch
			tick.Label = strconv.Itoa(1 << e)
		}
		ticks = append(ticks, tick)
	}
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = 1, 1+float64(largest-1)/curvesWidth
	p.Y.Min, p.Y.Max = 0, 1.02
	return p, nil
}

// survival are the shares of a bot's games that reached at least each tile, by
// its exponent, up to the first that none did; nil without a game.
func (f field) survival(name string, side rules.Side) plotter.XYs {
	var ended [18]int // games by the exponent of their largest tile
	games := 0
	for game := range Games(name, side, f.games) {
		ended[bits.Len(uint(game.LargestTile))-1]++
		games++
	}
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
