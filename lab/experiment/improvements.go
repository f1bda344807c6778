package experiment

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"versus2048/lab/picture"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Improvements are variants measured against MCTS2.
type Improvements struct {
	Level float64       `json:"level"` // of all intervals
	Rows  []Improvement `json:"rows"`
}

// Improvement is the result of a variant's matches against MCTS2.
type Improvement struct {
	Event      int64             `json:"event"`      // its number, 0 if it is not on record
	Name       string            `json:"name"`       // the variant's name
	Change     string            `json:"change"`     // see Variant
	Spec       string            `json:"spec"`       // of the variant's bot, with all options
	Conditions string            `json:"conditions"` // see Conditions
	Games      report.HeadToHead `json:"head_to_head"`
	Share      report.Interval   `json:"share"` // of matches that the variant won, 0 to 1; a draw is half a match
	Finding    Finding           `json:"finding"`
}

// ImprovementEvents returns the events of the variants against MCTS2 at equal time per move, named such as
// "improvement edges". The error says which setting is out of range.
func ImprovementEvents(variants []Variant, s Config) ([]tournament.Event, error) {
	if s.Time < 1 {
		return nil, fmt.Errorf("%d milliseconds a move: want at least 1", s.Time)
	}
	var events []tournament.Event
	for _, v := range variants {
		e, err := s.event("improvement "+v.Name,
			tournament.Entry{Name: v.Name, Spec: v.spec(s.Time)},
			tournament.Entry{Name: nameMCTS2, Spec: fmt.Sprintf("dag:time=%d", s.Time)})
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// NewImprovements returns the table of the finished games of the variants' events. played is in the order
// of the variants.
func NewImprovements(variants []Variant, played []Played) Improvements {
	t := Improvements{Level: Level}
	for i, v := range variants {
		t.Rows = append(t.Rows, newImprovement(v, played[i]))
	}
	return t
}

func newImprovement(v Variant, played Played) Improvement {
	e := played.Event
	h := report.NewHeadToHead(v.Name, nameMCTS2, played.Games, e.Seed)
	return Improvement{
		Event:      e.ID,
		Name:       v.Name,
		Change:     v.Change,
		Spec:       e.Entries[0].Spec,
		Conditions: Conditions(e),
		Games:      h,
		Share:      matchShare(v.Name, tournament.Matches(played.Games)),
		Finding:    played.Finding(),
	}
}

// WriteMarkdown writes a row for each variant, an explanation of the columns, and the number and the conditions of each
// event. It returns w's error.
func (t Improvements) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	table := NewTable([]string{"variant", "change"}, "matches", "won-drawn-lost", "share of matches won", "mean score: variant, "+nameMCTS2, "difference", "ms a move", "")
	table.Columns[8].Right = false
	for _, r := range t.Rows {
		h := r.Games
		table.Add(r.Name, r.Change, h.Matches.Played(), wonDrawnLost(h.Matches), r.Share.Percent(),
			h.First.MeanScore.Text(1)+", "+h.Second.MeanScore.Text(1),
			report.Interval{Value: h.Difference.Value, Low: h.Difference.Low, High: h.Difference.High}.Rounded(1),
			msPerMove(h.First).Text(2)+", "+msPerMove(h.Second).Text(2), r.Finding)
	}
	fmt.Fprintf(&text, "%s\nMatches against %s; a share counts a draw as half a match. Scores: as defender.\n", table.Markdown(), nameMCTS2)
	fmt.Fprintf(&text, "Intervals: %.0f%%, Wilson's and by bootstrap; they take no notice of when the matches were stopped.\n\n", 100*t.Level)
	for _, r := range t.Rows {
		fmt.Fprintf(&text, "- %s: event %d; %s\n", r.Name, r.Event, r.Conditions)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// msPerMove returns the mean time per move of a bot over both roles.
func msPerMove(p report.BotStats) report.Figure {
	d, a := p.Defending, p.Attacking
	moves := d.Moves + a.Moves
	if moves == 0 {
		return d.MeanMS
	}
	// The mean over no moves is an absent figure with the value 0.
	total := float64(d.Moves)*d.MeanMS.Value + float64(a.Moves)*a.MeanMS.Value
	return report.Figure{Value: total / float64(moves)}
}

// WritePlot draws the share of matches that each variant won with its interval, one row per
// variant, in a format such as picture.SVG. It returns w's error, or one for an unknown format.
func (t Improvements) WritePlot(w io.Writer, format string) error {
	p := picture.New("Variants against "+nameMCTS2+" at equal time per move", "share of matches won, with its 95% interval", "")
	p.Add(&divider{0.5})
	var labels []string
	var shares []report.Interval
	for _, r := range t.Rows {
		labels = append(labels, fmt.Sprintf("%s  %s", r.Name, wonDrawnLost(r.Games.Matches)))
		shares = append(shares, r.Share)
	}
	if err := AddRows(p, labels, shares); err != nil {
		return err
	}
	p.X.Min, p.X.Max = 0, 1
	return picture.Write(w, format, 20*vg.Centimeter, RowsHeight(len(labels)), [][]*plot.Plot{{p}})
}
