package regret

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"versus2048/rules"
)

// forLegend is which part of the width the legend has to itself.
const forLegend = 0.4

// legendFrom is the x from which there is only the legend.
func legendFrom(p *plot.Plot) float64 {
	return p.X.Min * math.Pow(p.X.Max/p.X.Min, 1-forLegend)
}

// scale sets the axes, before anything is drawn.
func (r Report) scale(p *plot.Plot, role rules.Side, f figure) {
	least, most := math.Inf(1), 1.0
	lowest, highest := math.Inf(1), 0.0
	for _, b := range r.Bots {
		if n := float64(b.Effort.Playouts); n > 0 {
			least, most = min(least, n/1.5), max(most, n*1.5)
		}
		if i := f.of(b.part(role, 0).Figures); i.Value.Value > 0 {
			lowest, highest = min(lowest, i.Value.Value), max(highest, i.Value.Value, i.High.Value)
		}
	}
	if least > most {
		least, most = 1, 10 // no bot has a number of playouts
	}
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.X.Min, p.X.Max = least, least*math.Pow(most/least, 1/(1-forLegend))
	p.Y.Min, p.Y.Max = 0, 1
	if f.log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, ticks{}
		p.Y.Min, p.Y.Max = 1, 10
		if highest > 0 {
			p.Y.Min, p.Y.Max = lowest/3, 2*highest
		}
	}
}

// ticks are those of a logarithmic axis that may be shorter than a decade: 1, 2 and
// 5 have numbers.
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
