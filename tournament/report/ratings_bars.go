package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// barWidth is how many characters the widest scale of bars has.
const barWidth = 49

// writeBars draws each bot's interval on one scale, such as
//
//	ann        |-----o-----|
//	bob  <--o--|
//
// An end without a limit is an arrow at the edge.
func (g RatedGroup) writeBars(text *strings.Builder) {
	low, high := g.span()
	if low >= high {
		return
	}
	names := make([]string, len(g.Bots))
	for i, b := range g.Bots {
		names[i] = shortened(b.Name)
	}
	text.WriteByte('\n')
	for i, b := range g.Bots {
		fmt.Fprintf(text, "%3d  %s  %s\n", b.Rank, padded(names[i], names), strings.TrimRight(b.Elo.bar(low, high), " "))
	}
	left, right := fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f Elo", high)
	fmt.Fprintf(text, "     %s  %s%*s\n\n", padded("", names), left, barWidth-len(left), right)
}

// span is from the lowest to the highest number of the group's intervals, with
// room for arrows where one has no limit.
func (g RatedGroup) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	var below, above float64 // room, as a part of the span
	for _, b := range g.Bots {
		for _, f := range []Figure{b.Elo.Low, b.Elo.Value, b.Elo.High} {
			if !f.Absent() {
				low, high = min(low, f.Value), max(high, f.Value)
			}
		}
		if b.Elo.Low.Absent() {
			below = 0.1
		}
		if b.Elo.High.Absent() {
			above = 0.1
		}
	}
	width := high - low
	return low - below*width, high + above*width
}

// bar draws the interval on a scale from low to high.
func (i Interval) bar(low, high float64) string {
	bar := []byte(strings.Repeat(" ", barWidth))
	at := func(x float64) int { return int(math.Round((x - low) / (high - low) * (barWidth - 1))) }
	from, to := 0, barWidth-1
	left, right := byte('<'), byte('>')
	if !i.Low.Absent() {
		from, left = at(i.Low.Value), '|'
	}
	if !i.High.Absent() {
		to, right = at(i.High.Value), '|'
	}
	copy(bar[from:to+1], slices.Repeat([]byte{'-'}, to-from+1))
	bar[from], bar[to] = left, right
	if !i.Value.Absent() {
		bar[at(i.Value.Value)] = 'o'
	}
	return string(bar)
}
