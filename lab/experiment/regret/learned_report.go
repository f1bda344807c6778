package regret

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/lab/experiment"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// LearnedReport holds the measurements of several games.
type LearnedReport struct {
	Level     float64        `json:"level"` // of all intervals
	Seed      uint64         `json:"seed"`
	Games     int            `json:"games"`     // of each bot in each role
	Positions int            `json:"positions"` // of each role in each quarter of the game, at most
	Boards    []LearnedBoard `json:"boards"`
	Curves    []Curve        `json:"curves"`
}

// NewLearnedReport returns the report of boards that were measured with the same settings.
func NewLearnedReport(boards []LearnedBoard, s LearnedConfig) LearnedReport {
	r := LearnedReport{Level: experiment.Level, Seed: s.Seed, Games: s.Games, Positions: s.Positions, Boards: boards}
	for _, b := range boards {
		r.Curves = append(r.Curves, b.curves()...)
	}
	return r
}

// WriteMarkdown writes tables of each game, its curves, and a description of the method. Lines have up to 100
// characters, except for the rows of tables, so that they fit a document. Snapshots of runs are in the curves
// alone. WriteMarkdown returns w's error.
func (r LearnedReport) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	for _, b := range r.Boards {
		b.write(&text)
		r.writeCurves(&text, b)
	}
	fmt.Fprintf(&text, "Seed %d, %d games of each bot in a role, up to %d positions in each quarter of the game.\n"+
		"Intervals: %.0f%%. Share: %s divided by\n"+
		"the score of perfect play from the same positions. Points lost a game: by the moves of these games,\n"+
		"against perfect play. Optimal moves and loss a move: in the positions, where the choice matters.\n"+
		"Processor ms: of a move with a choice.\n",
		r.Seed, r.Games, r.Positions, 100*r.Level, r.shared())
	_, err := io.WriteString(w, text.String())
	return err
}

// shared says which points are shared by the optimum. Only under solo there is luck.
func (r LearnedReport) shared() string {
	switch {
	case !slices.ContainsFunc(r.Boards, func(b LearnedBoard) bool { return b.Rules.Chance() }):
		return "points"
	case r.Games < fewestForLuck:
		return fmt.Sprintf("points (fewer than %d games: with the luck of chance)", fewestForLuck)
	}
	return "points, without the luck of chance,"
}

func (b LearnedBoard) game() Game { return Game{Rules: b.Rules, Size: b.Size} }

func (b LearnedBoard) write(text *strings.Builder) {
	fmt.Fprintf(text, "%v%s:\n\n", b.game(), b.describeGames())
	if !slices.ContainsFunc(b.Bots, LearnedRow.unlearned) {
		return
	}
	for _, role := range b.game().Roles() {
		if b.Moves == nil {
			b.writeUnsolved(text, role)
			continue
		}
		b.writeSolved(text, role)
		b.writeMistakes(text, role)
	}
}

// unlearned reports whether a bot is no snapshot of a run.
func (r LearnedRow) unlearned() bool { return r.Learned == nil }

// code returns a name as Markdown code.
func code(name string) any { return terminal.Raw("`" + name + "`") }

func (b LearnedBoard) writeSolved(text *strings.Builder, role rules.Side) {
	table := experiment.NewTable([]string{"as " + role.String()}, "share of the optimum", "mean score", "points lost a game, by quarter", "optimal moves",
		"loss a move", "by quarter", "processor ms")
	for i, bot := range b.Bots {
		if !bot.unlearned() {
			continue
		}
		all, played := b.figures(i, role, 0), bot.in(role)
		table.Add(code(bot.Name), played.Share.Percent(), played.Mean.Rounded(1), lossesText(played.Lost), all.Optimal.Percent(),
			all.Loss.Rounded(2), b.stages(i, role), bot.Milliseconds.Text(3))
	}
	text.WriteString(table.Markdown() + "\n")
}

// describeGames says which games were played.
func (b LearnedBoard) describeGames() string {
	if b.Rules.Chance() && b.Optimum.Absent() {
		return ""
	}
	if b.Rules.Chance() {
		return fmt.Sprintf(", where perfect play makes %s points", b.Optimum.Text(2))
	}
	return fmt.Sprintf(", where perfect play makes %s points;\ngames after %d random plies, against perfect play", b.Optimum.Text(0), b.Opening)
}

func (b LearnedBoard) writeUnsolved(text *strings.Builder, role rules.Side) {
	table := experiment.NewTable([]string{"as " + role.String()}, "mean score", "best", "games with a 2048", "games", "processor ms")
	for _, bot := range b.Bots {
		if !bot.unlearned() {
			continue
		}
		p := bot.in(role)
		table.Add(code(bot.Name), p.Mean.Rounded(1), p.Best, p.Reached.Percent(), p.Games, bot.Milliseconds.Text(3))
	}
	text.WriteString(table.Markdown() + "\n")
}

// in returns the summary of the bot's games in a role.
func (r LearnedRow) in(role rules.Side) Played {
	for _, p := range r.Played {
		if p.Role == role {
			return p
		}
	}
	return Played{Role: role, Mean: experiment.NoInterval("not played"), Share: experiment.NoInterval("not played")}
}

// figures returns the figures of the i-th bot's moves in a role and stage. Stage 0 stands for all stages.
func (b LearnedBoard) figures(i int, role rules.Side, stage int) Figures {
	for _, p := range b.Moves.Bots[i].Parts {
		if p.Role == role && p.Stage == stage {
			return p.Figures
		}
	}
	none := experiment.NoInterval("no positions")
	return Figures{Optimal: none, Loss: none}
}

// stages returns the mean losses of the i-th bot by quarter of the game, as text.
func (b LearnedBoard) stages(i int, role rules.Side) string {
	var losses []string
	for stage := 1; stage <= stages; stage++ {
		losses = append(losses, b.figures(i, role, stage).Loss.Value.Text(2))
	}
	return strings.Join(losses, ", ")
}

// WriteCSV writes a line for each game, bot, role and stage. Stage 0 stands for all stages; only its lines have
// scores and times. It returns w's error.
func (r LearnedReport) WriteCSV(w io.Writer) error {
	table := terminal.Table{Columns: terminal.Columns(
		"rules", "size", "bot", "run", "seed", "snapshot", "steps", "seconds", "role", "stage", "positions",
		"optimal", "optimal_low", "optimal_high", "loss", "loss_low", "loss_high",
		"games", "mean", "mean_low", "mean_high", "best", "share", "share_low", "share_high", "reached", "ms",
	)}
	for _, b := range r.Boards {
		for i := range b.Bots {
			table.Rows = append(table.Rows, b.lines(i)...)
		}
	}
	return table.WriteCSV(w)
}

// lines returns the lines of the i-th bot.
func (b LearnedBoard) lines(i int) (lines [][]any) {
	bot := b.Bots[i]
	first := append([]any{b.Rules, b.Size, bot.Name}, bot.Learned.cells()...)
	for _, p := range bot.Played {
		played := slices.Concat([]any{p.Games}, ends(p.Mean), []any{p.Best}, ends(p.Share), []any{number(p.Reached.Value), number(bot.Milliseconds)})
		for stage := 0; stage <= stages && (stage == 0 || b.Moves != nil); stage++ {
			if stage > 0 {
				played = make([]any, len(played))
			}
			lines = append(lines, slices.Concat(first, []any{p.Role, stage}, b.moveCells(i, p.Role, stage), played))
		}
	}
	return lines
}

// moveCells returns the number of positions of a role and stage, and the figures of the i-th bot's moves in them.
func (b LearnedBoard) moveCells(i int, role rules.Side, stage int) []any {
	if b.Moves == nil {
		return make([]any, 7)
	}
	f := b.figures(i, role, stage)
	return slices.Concat([]any{f.Positions}, ends(f.Optimal), ends(f.Loss))
}

// cells returns the cells about the run of training that made the weights. l may be nil.
func (l *Learned) cells() []any {
	if l == nil {
		return make([]any, 5)
	}
	return []any{l.Run, l.Seed, l.Snapshot, l.Steps, strconv.FormatFloat(l.Seconds, 'f', 1, 64)}
}

// ends returns an interval's value and its two ends.
func ends(i report.Interval) []any {
	return []any{number(i.Value), number(i.Low), number(i.High)}
}
