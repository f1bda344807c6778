package tournament

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
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
		names[i] = Label(b.Name)
	}
	text.WriteByte('\n')
	table := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, b := range g.Bots {
		fmt.Fprintf(table, "%d\t%s\t%s\t\n", b.Rank, padded(names[i], names), b.Elo.bar(low, high))
	}
	left, right := fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f Elo", high)
	fmt.Fprintf(table, "\t\t%s%*s\t\n", left, barWidth-len(left), right)
	_ = table.Flush() // a strings.Builder takes everything
}

// span is from the lowest to the highest number of the group's intervals.
func (g RatedGroup) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, b := range g.Bots {
		for _, f := range []Figure{b.Elo.Low, b.Elo.Value, b.Elo.High} {
			if !f.Absent() {
				low, high = min(low, f.Value), max(high, f.Value)
			}
		}
	}
	return low, high
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
