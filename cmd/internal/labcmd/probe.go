package labcmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/players/exact"
	"versus2048/rules"
)

// probeCommand returns the command probe, which looks up exact values.
func probeCommand() *cli.Command {
	return &cli.Command{
		Name:      "probe",
		Usage:     "show the values of a position and of each of its moves under perfect play",
		ArgsUsage: "POSITION",
		Description: "POSITION is written as in games: the tiles by rows, and A or D for the side to move, such as\n" +
			"\"2,0,2/0,0,4/8,2,4 D\". Its score and ply may follow; they change no value. Best moves have a star.\n" +
			"Under solo the number of plies depends on chance: tables leave it out, and in JSON plies is always 0.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "table", Usage: "the table of a solved board, from: lab solve --table", Required: true},
		}, cmdline.OutputFlags()...),
		Action: cmdline.Printing(probe),
	}
}

func probe(c *cli.Context, out cmdline.Output) (err error) {
	table, err := exact.Open(c.String("table"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, table.Close()) }()
	p, err := rules.ParsePosition(table.Rules(), c.Args().First())
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	found, err := table.Probe(p)
	if err != nil {
		return err
	}
	view := probeView{found}
	return out.Print(cmdline.Tabular(found, view.table(), func(w io.Writer) error { return view.writeText(w, out.Width) }))
}

// probeView is a position in the output.
type probeView struct{ *exact.Probe }

// table returns the value of each move. Under solo only the gain matters.
func (p probeView) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("move", "gain", "plies", "best")}
	for _, m := range p.Moves {
		var plies any = m.Value.Plies
		if p.Rules.Chance() {
			plies = ""
		}
		t.Add(m.Move, m.Value.Gain, plies, m.Best)
	}
	return t
}

func (p probeView) writeText(w io.Writer, width int) error {
	var b strings.Builder
	gain := "%.0f"
	if p.Rules.Chance() {
		gain = "%.6f" // gains of moves in solo often differ by less than a thousandth
	}
	fmt.Fprintf(&b, "%s under %v: "+gain+" still to come", p.Position, p.Rules, p.Value.Gain)
	if !p.Rules.Chance() {
		fmt.Fprintf(&b, ", %d plies", p.Value.Plies)
	}
	b.WriteByte('\n')
	if p.Mated {
		b.WriteString("the defender is mated\n")
	}
	table := terminal.Table{Columns: make([]terminal.Column, 4)}
	for _, m := range p.Moves {
		star := ""
		if m.Best {
			star = "*"
		}
		row := []any{star, m.Move, fmt.Sprintf(gain, m.Value.Gain)}
		if !p.Rules.Chance() {
			row = append(row, fmt.Sprintf("%d plies", m.Value.Plies))
		}
		table.Add(row...)
	}
	_, err := io.WriteString(w, terminal.Wrap(b.String(), width, "  ")+table.Text(width))
	return err
}
