package regret

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/lab/experiment"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Bot is a bot with its answers.
type Bot struct {
	Name    string
	Spec    players.Spec
	Answers []Answer // in the order of the sample's positions
}

// Report compares the answers of bots that were asked the same sample.
type Report struct {
	Rules    rules.Ruleset `json:"rules"`
	Size     rules.Size    `json:"size"`
	Seed     uint64        `json:"seed"`
	Level    float64       `json:"level"`    // of all intervals
	Distinct int           `json:"distinct"` // see Sample.Distinct
	Strata   []StratumRow  `json:"strata"`
	Bots     []Row         `json:"bots"`
	Steps    []Step        `json:"steps"` // the effect of more playouts
}

// StratumRow describes the positions of a stratum.
type StratumRow struct {
	Stratum
	Positions int `json:"positions"`
	// Matters is the share of the positions with a choice that matters, among all positions of the stratum in the
	// games that were played: see Sample.Matters.
	Matters report.Interval `json:"matters"`
}

// Row has the figures of one bot.
type Row struct {
	Name   string `json:"name"`
	Spec   string `json:"spec"` // with all options
	Effort Effort `json:"effort"`
	Parts  []Part `json:"parts"`
}

// NewReport returns the report of bots that were asked the same sample.
func NewReport(s *Sample, bots []Bot) Report {
	r := Report{
		Rules: s.Rules, Size: s.Size, Seed: s.Config.Seed, Level: experiment.Level,
		Distinct: s.Distinct(), Steps: s.steps(bots),
	}
	for i, stratum := range s.Strata {
		r.Strata = append(r.Strata, StratumRow{stratum, s.Count(stratum), s.Matters(i)})
	}
	for _, b := range bots {
		r.Bots = append(r.Bots, Row{b.Name, b.Spec.String(), effortOf(b), s.parts(b.Answers)})
	}
	return r
}

// part returns the row's part of a role and stage, or nil if there is none.
func (r Row) part(role rules.Side, stage int) *Part {
	for i := range r.Parts {
		if r.Parts[i].Role == role && r.Parts[i].Stage == stage {
			return &r.Parts[i]
		}
	}
	return nil
}

// roles returns the roles that bots were asked to play.
func (r Report) roles() []rules.Side { return Game{Rules: r.Rules}.Roles() }

// Figures summarise a bot's answers in some positions.
type Figures struct {
	Positions int             `json:"positions"`
	Optimal   report.Interval `json:"optimal"` // share of optimal moves, 0 to 1; Wilson
	Loss      report.Interval `json:"loss"`    // mean, in points a move; Student's t
	Worst     *Mistake        `json:"worst"`   // nil if no move loses anything
}

// Mistake is a move that loses something.
type Mistake struct {
	Position string     `json:"position"`
	Move     rules.Move `json:"move"`
	Loss     float64    `json:"loss"`
}

// Part holds the figures of a bot in a role, in one stage or in all.
type Part struct {
	Role  rules.Side `json:"role"`
	Stage int        `json:"stage"` // from 1; 0 for all stages together
	Figures
}

// parts returns a bot's figures by role, first for all stages together and then for each.
func (s *Sample) parts(answers []Answer) (parts []Part) {
	for i, stratum := range s.Strata {
		if i%stages == 0 {
			parts = append(parts, s.part(answers, Stratum{stratum.Role, 0}))
		}
		parts = append(parts, s.part(answers, stratum))
	}
	return parts
}

// part returns a bot's figures in a stratum. Stage 0 stands for all stages.
func (s *Sample) part(answers []Answer, stratum Stratum) Part {
	part := Part{Role: stratum.Role, Stage: stratum.Stage}
	optimal := 0
	var losses []float64
	for i, p := range s.Positions {
		if !stratum.includes(p.Stratum) {
			continue
		}
		a := answers[i]
		losses = append(losses, a.Loss)
		if a.Loss == 0 {
			optimal++
		} else if part.Worst == nil || a.Loss > part.Worst.Loss {
			part.Worst = &Mistake{p.Position.String(), a.Move, a.Loss}
		}
	}
	part.Positions = len(losses)
	part.Optimal = experiment.ShareInterval(float64(optimal), len(losses), "position")
	part.Loss = experiment.MeanInterval(losses, "position").Within(0, math.Inf(1))
	return part
}

// includes reports whether s includes the other stratum. Stage 0 stands for all stages.
func (s Stratum) includes(other Stratum) bool {
	return s.Role == other.Role && (s.Stage == 0 || s.Stage == other.Stage)
}

// WriteMarkdown writes the figures of each bot by role and by role and stage, the effect of more
// playouts, and a description of the sample. It returns w's error.
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

func (r Report) writeBots(text *strings.Builder) {
	table := experiment.NewTable([]string{"bot", "role"}, "positions", "optimal moves", "mean loss, points a move", "worst loss")
	for _, role := range r.roles() {
		for _, b := range r.Bots {
			f := b.part(role, 0).Figures
			table.Add(b.Name, role, f.Positions, f.text(optimalText), f.text(lossText), f.text(worstText))
		}
	}
	text.WriteString(table.Markdown())
}

func optimalText(f Figures) string { return f.Optimal.Percent() }
func lossText(f Figures) string    { return f.Loss.Rounded(2) }
func worstText(f Figures) string   { return f.worst(2) }

// text returns the formatted figure, or "-" if there are no positions.
func (f Figures) text(figure func(Figures) string) string {
	if f.Positions == 0 {
		return "-"
	}
	return figure(f)
}

// worst returns the largest loss, rounded to a number of decimals. Losses are whole points except under solo,
// where values are expectations, rounded in the table.
func (f Figures) worst(decimals int) string {
	if f.Worst == nil {
		return "0"
	}
	scale := math.Pow10(decimals)
	return strconv.FormatFloat(math.Round(f.Worst.Loss*scale)/scale, 'f', -1, 64)
}

// writeStages writes a table of one figure by stage.
func (r Report) writeStages(text *strings.Builder, title string, figure func(Figures) string) {
	fmt.Fprintf(text, "\n%s, by the quarter of the game:\n\n", title)
	table := experiment.NewTable([]string{"bot", "role"}, "first", "second", "third", "last")
	for _, role := range r.roles() {
		for _, b := range r.Bots {
			cells := []any{b.Name, role}
			for stage := 1; stage <= stages; stage++ {
				cells = append(cells, b.part(role, stage).text(figure))
			}
			table.Add(cells...)
		}
	}
	text.WriteString(table.Markdown())
}

func (r Report) writeSteps(text *strings.Builder) {
	if len(r.Steps) == 0 {
		return
	}
	text.WriteString("\nThe effect of more playouts, in the same positions:\n\n")
	table := experiment.NewTable([]string{"family", "role", "playouts a move"}, "change of the mean loss", "change of the optimal moves", "factor of the loss for each doubling")
	for _, s := range r.Steps {
		table.Add(s.Family, s.Role, fmt.Sprintf("%d to %d", s.From, s.To), s.Loss.Rounded(2), s.Optimal.Percent(), s.Doubling.Rounded(2))
	}
	text.WriteString(table.Markdown())
}

func (r Report) writeSample(text *strings.Builder) {
	n := 0
	for _, s := range r.Strata {
		n += s.Positions
	}
	fmt.Fprintf(text, "\nThe sample, seed %d: %d positions, %d of them distinct up to symmetry, each from a game of its own, in which\n"+
		"either side plays random moves with a probability drawn anew for each game, and else perfect ones. Intervals: %.0f%%.\n"+
		"Share of the positions in which the choice matters, of all positions with that side to move:\n\n", r.Seed, n, r.Distinct, 100*r.Level)
	table := experiment.NewTable([]string{"role"}, "first quarter", "second", "third", "last")
	for _, role := range r.roles() {
		cells := []any{role}
		for _, s := range r.Strata {
			if s.Role == role {
				cells = append(cells, s.text())
			}
		}
		table.Add(cells...)
	}
	text.WriteString(table.Markdown())
}

func (s StratumRow) text() string {
	return fmt.Sprintf("%s (%d)", s.Matters.Text(smallPercent), s.Positions)
}

// smallPercent formats a share that may be very small: below 1 percent it has two digits.
func smallPercent(f report.Figure) string {
	if f.Absent() || f.Value >= 0.01 {
		return f.Percent()
	}
	return fmt.Sprintf("%.2g%%", 100*f.Value)
}

// WriteCSV writes a line for each bot, role and stage, where stage 0 stands for all stages. It returns
// w's error.
func (r Report) WriteCSV(w io.Writer) error {
	table := terminal.Table{Columns: terminal.Columns(
		"bot", "family", "playouts", "role", "stage", "positions",
		"optimal", "optimal_low", "optimal_high", "loss", "loss_low", "loss_high", "worst",
	)}
	for _, b := range r.Bots {
		for _, p := range b.Parts {
			table.Add(b.Name, b.Effort.Family, b.Effort.Playouts, p.Role, p.Stage, p.Positions,
				number(p.Optimal.Value), number(p.Optimal.Low), number(p.Optimal.High),
				number(p.Loss.Value), number(p.Loss.Low), number(p.Loss.High), p.worst(6))
		}
	}
	return table.WriteCSV(w)
}

// number returns a cell that is "-" for an absent figure.
func number(f report.Figure) any { return terminal.Raw(f.Text(6)) }
