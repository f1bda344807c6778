package experiment

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/lab/picture"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Tuned is the report on a [Tuning].
type Tuned struct {
	Name       string       `json:"name"` // the common part of the events' names
	Start      string       `json:"start"`
	Spec       string       `json:"spec"`       // Start with the values after the last iteration that was played
	Matches    int          `json:"matches"`    // of an iteration
	Seed       uint64       `json:"seed"`       // of the first iteration; each later one has the next
	Gain       float64      `json:"gain"`       // see TuningConfig
	Iterations int          `json:"iterations"` // that were asked for
	Options    []TunedValue `json:"options"`
	Steps      []TuningStep `json:"steps"` // the iterations that were played
	// Check is the result of the tuned bot against the one that the tuning began with, nil before it is played.
	Check *TuningCheck `json:"check,omitempty"`
}

// TunedValue is an option with its values before and after a tuning.
type TunedValue struct {
	TunedOption
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// TuningCheck is the result of the tuned bot against the one that the tuning began with.
type TuningCheck struct {
	Event      int64            `json:"event"`
	Conditions string           `json:"conditions"` // see Conditions
	Result     tournament.Tally `json:"result"`     // of the tuned bot
	Share      report.Interval  `json:"share"`      // of matches that it won, 0 to 1; a draw is half a match
}

// Report returns the report on the iterations so far. check is the played event of [Tuning.Last], nil if there is none.
func (t *Tuning) Report(check *Played) Tuned {
	s := t.settings
	r := Tuned{
		Name: t.Name(), Start: s.Spec, Spec: t.spec(t.now), Matches: s.Matches, Seed: s.Seed, Gain: s.Gain,
		Iterations: s.Iterations, Steps: append([]TuningStep{}, t.steps...), // [] in JSON, not null
	}
	for i, o := range s.Options {
		r.Options = append(r.Options, TunedValue{o, t.start[i], t.now[i]})
	}
	if check != nil {
		matches := tournament.Matches(check.Games)
		r.Check = &TuningCheck{Event: check.Event.ID, Conditions: Conditions(check.Event), Share: matchShare(nameTuned, matches)}
		for _, m := range matches {
			r.Check.Result.Add(m, nameTuned)
		}
	}
	return r
}

// WriteMarkdown writes the options before and after, and the result of the tuned bot. It returns w's error.
func (r Tuned) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	table := NewTable([]string{"option"}, "least", "most", "step", "before", "after")
	for _, o := range r.Options {
		table.Add(o.Name, o.Low, o.High, fmt.Sprintf("%.1f", o.Step), o.Before, fmt.Sprintf("%.2f", o.After))
	}
	fmt.Fprintf(&text, "%s\nTuned: `%s`\n\n", table.Markdown(), r.Spec)
	if c := r.Check; c != nil {
		fmt.Fprintf(&text, "Against `%s` it won %s of the matches (%s, won-drawn-lost).\n\n", r.Start, c.Share.Percent(), wonDrawnLost(c.Result))
	}
	fmt.Fprintf(&text, "SPSA, %d of %d iterations of %d matches, gain %v, seed %d (%s)", len(r.Steps), r.Iterations, r.Matches, r.Gain, r.Seed, r.Name)
	if c := r.Check; c != nil {
		fmt.Fprintf(&text, "; event %d: %s. Interval: %.0f%%, Wilson's", c.Event, c.Conditions, 100*Level)
	}
	text.WriteString(".\n")
	_, err := io.WriteString(w, text.String())
	return err
}

// WriteCSV writes a line for each iteration: its event, its result, and each option's value after it. It returns w's
// error.
func (r Tuned) WriteCSV(w io.Writer) error {
	columns := []string{"iteration", "event", "won", "drawn", "lost"}
	for _, o := range r.Options {
		columns = append(columns, o.Name)
	}
	table := NewTable(nil, columns...)
	for i, s := range r.Steps {
		line := []any{i + 1, s.Event, s.Result.Won, s.Result.Drawn, s.Result.Lost}
		for _, v := range s.Values {
			line = append(line, v)
		}
		table.Add(line...)
	}
	return table.WriteCSV(w)
}

// WritePlot draws the values of each option over the iterations, one plot below the other, in a format such as
// picture.SVG. It returns w's error, or one for an unknown format.
func (r Tuned) WritePlot(w io.Writer, format string) error {
	var rows [][]*plot.Plot
	for i, o := range r.Options {
		p := picture.New(o.Name, "iteration", "value")
		points := plotter.XYs{{X: 0, Y: o.Before}}
		for n, s := range r.Steps {
			points = append(points, plotter.XY{X: float64(n + 1), Y: s.Values[i]})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return fmt.Errorf("plotting %s: %w", o.Name, err)
		}
		line.Color = picture.Blue
		p.Add(line)
		p.Y.Min, p.Y.Max = o.Low, o.High
		p.X.Min, p.X.Max = 0, float64(r.Iterations)
		rows = append(rows, []*plot.Plot{p})
	}
	return picture.Write(w, format, 20*vg.Centimeter, vg.Length(len(rows))*8*vg.Centimeter, rows)
}
