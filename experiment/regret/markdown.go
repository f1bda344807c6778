package regret

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"versus2048/tournament/report"
)

// WriteMarkdown writes the figures of each bot by role, by role and stage, what
// more playouts bring, and what the sample is. It returns w's error.
func (r Report) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%v on %v: moves in positions where the choice matters, against perfect play.\n\n", r.Rules, r.Size)
	r.writeBots(&text)
	r.writeStages(&text, "Optimal moves", optimalText)
	r.writeStages(&text, "Mean loss, in points a move", lossText)
	r.writeSteps(&text)
	r.writeSample(&text)
	_, err := io.WriteString(w, text.String())
	return err
}

func points(f report.Figure) string  { return f.Text(2) }
func percent(f report.Figure) string { return f.Percent() }

func (r Report) writeBots(text *strings.Builder) {
	writeCells(text, "bot", "role", "positions", "optimal moves", "mean loss, points a move", "worst loss")
	text.WriteString("|---|---|---:|---:|---:|---:|\n")
	for _, role := range r.roles() {
		for _, b := range r.Bots {
			f := b.part(role, 0).Figures
			writeCells(text, b.Name, role.String(), strconv.Itoa(f.Positions), f.text(optimalText), f.text(lossText), f.text(Figures.worst))
		}
	}
}

func optimalText(f Figures) string { return f.Optimal.Text(percent) }
func lossText(f Figures) string    { return f.Loss.Text(points) }

// text is what figure makes of f, if there are any positions.
func (f Figures) text(figure func(Figures) string) string {
	if f.Positions == 0 {
		return "-"
	}
	return figure(f)
}

func (f Figures) worst() string {
	if f.Worst == nil {
		return "0"
	}
	return strconv.FormatFloat(f.Worst.Loss, 'f', -1, 64)
}

// writeStages writes one figure by stage.
func (r Report) writeStages(text *strings.Builder, title string, figure func(Figures) string) {
	fmt.Fprintf(text, "\n%s, by the quarter of the game:\n\n", title)
	writeCells(text, "bot", "role", "first", "second", "third", "last")
	text.WriteString("|---|---|---:|---:|---:|---:|\n")
	for _, role := range r.roles() {
		for _, b := range r.Bots {
			cells := []string{b.Name, role.String()}
			for stage := 1; stage <= Stages; stage++ {
				cells = append(cells, b.part(role, stage).text(figure))
			}
			writeCells(text, cells...)
		}
	}
}

func (r Report) writeSteps(text *strings.Builder) {
	if len(r.Steps) == 0 {
		return
	}
	text.WriteString("\nWhat more playouts bring, in the same positions:\n\n")
	writeCells(text, "family", "role", "playouts a move", "change of the mean loss", "change of the optimal moves", "factor of the loss for each doubling")
	text.WriteString("|---|---|---|---:|---:|---:|\n")
	for _, s := range r.Steps {
		writeCells(text, s.Family, s.Role.String(), fmt.Sprintf("%d to %d", s.From, s.To),
			s.Loss.Text(points), s.Optimal.Text(percent), s.Doubling.Text(points))
	}
}

func (r Report) writeSample(text *strings.Builder) {
	n := 0
	for _, d := range r.Strata {
		n += d.Positions
	}
	fmt.Fprintf(text, "\nThe sample, seed %d: %d positions, %d of them distinct up to symmetry, each from a game of its own, in which\n"+
		"either side plays random moves with a probability drawn anew for each game, and else perfect ones. Intervals: %.0f%%.\n"+
		"So often the choice matters, of all positions with that side to move:\n\n", r.Seed, n, r.Distinct, 100*r.Level)
	writeCells(text, "role", "first quarter", "second", "third", "last")
	text.WriteString("|---|---:|---:|---:|---:|\n")
	for _, role := range r.roles() {
		cells := []string{role.String()}
		for _, d := range r.Strata {
			if d.Role == role {
				cells = append(cells, d.text())
			}
		}
		writeCells(text, cells...)
	}
}

func (d Drawn) text() string { return fmt.Sprintf("%s (%d)", d.Matters.Text(rare), d.Positions) }

// rare is a share that may be very small: below 1 percent it has two digits.
func rare(f report.Figure) string {
	if f.Absent() || f.Value >= 0.01 {
		return f.Percent()
	}
	return fmt.Sprintf("%.2g%%", 100*f.Value)
}

func writeCells(text *strings.Builder, cells ...string) {
	fmt.Fprintf(text, "| %s |\n", strings.Join(cells, " | "))
}
