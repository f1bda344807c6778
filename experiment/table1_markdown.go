package experiment

import (
	"fmt"
	"io"
	"strings"

	"versus2048/tournament/report"
)

// WriteMarkdown writes the table in the paper's columns, ours above the paper's,
// and then each figure with its intervals and whether the two agree. It returns
// w's error.
func (t Table1) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Paper: %s.\n\n", t.Source)
	t.writeColumns(&text)
	text.WriteByte('\n')
	t.writeIntervals(&text)
	fmt.Fprintf(&text, "\nIntervals: %.0f%%. ", 100*t.Level)
	text.WriteString("Two figures agree if the interval of ours less the paper's holds 0.\n\n")
	for _, r := range t.Rows {
		fmt.Fprintf(&text, "- %s: %d of %d matches; %s\n", r.Name, r.Matches, r.Of, r.Conditions)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (t Table1) writeColumns(text *strings.Builder) {
	text.WriteString("| first / second | | matches | mean first (SD) | mean second (SD) | difference | 2048 first / second |\n")
	text.WriteString("|---|---|---:|---:|---:|---:|---:|\n")
	for _, r := range t.Rows {
		matches := fmt.Sprintf("%d of %d", r.Matches, r.Of)
		d := r.Difference
		writeCells(text, r.pair(), "ours", matches, r.First.Ours.text(), r.Second.Ours.text(), points(d.Ours.Value),
			percent(r.First.Share.Ours.Value)+" / "+percent(r.Second.Share.Ours.Value))
		writeCells(text, "", "paper", fmt.Sprint(PaperMatches), r.First.Paper.text(), r.Second.Paper.text(), points(d.Paper.Value),
			percent(r.First.Share.Paper.Value)+" / "+percent(r.Second.Share.Paper.Value))
	}
}

func (t Table1) writeIntervals(text *strings.Builder) {
	text.WriteString("| first / second | figure | ours | paper | ours less the paper's | |\n")
	text.WriteString("|---|---|---:|---:|---:|---|\n")
	for _, r := range t.Rows {
		pair := r.pair()
		for _, f := range r.figures() {
			writeCells(text, pair, f.label, f.unit.interval(f.Ours), f.unit.interval(f.Paper), f.unit.interval(f.Gap), string(f.Verdict))
			pair = ""
		}
	}
}

func writeCells(text *strings.Builder, cells ...string) {
	fmt.Fprintf(text, "| %s |\n", strings.Join(cells, " | "))
}

func (r Row) pair() string { return r.First.Name + " / " + r.Second.Name }

// text is such as "27806.1 (10182.2)".
func (s Sample) text() string {
	return fmt.Sprintf("%s (%s)", s.Mean.Text(1), s.SD.Text(1))
}

// unit says how a figure is written.
type unit func(report.Figure) string

func points(f report.Figure) string  { return f.Text(1) }
func percent(f report.Figure) string { return f.Percent() }

// interval is such as "40.0% [29.9%, 51.0%]".
func (u unit) interval(i report.Interval) string { return i.Text(u) }
