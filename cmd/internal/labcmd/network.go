package labcmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/players/neural"
	"versus2048/rules"
)

// networkCommand returns the command that describes a file of weights.
func networkCommand() *cli.Command {
	return &cli.Command{
		Name:      "network",
		Usage:     "describe a network that was trained in Python, and check its file",
		ArgsUsage: "FILE",
		Description: "Reads the file as the bots td, dqn, cnn, ppo, az and muzero do: its checksum, the shapes of its\n" +
			"weights, and the needs of its method. See docs/NETWORKS.md.",
		Flags:  cmdline.OutputFlags(),
		Action: cmdline.Printing(describeNetwork),
	}
}

// networkView is the output of the command.
type networkView struct {
	Method     string                `json:"method"`
	Rules      rules.Ruleset         `json:"rules"`
	Size       rules.Size            `json:"size"`
	Planes     int                   `json:"planes"`
	Side       bool                  `json:"side"`
	Value      neural.Value          `json:"value"`
	Parameters int                   `json:"parameters"`
	Bytes      uint64                `json:"bytes"` // in memory
	Functions  []neural.FunctionInfo `json:"functions"`
	Recipe     neural.Recipe         `json:"recipe"`
}

func describeNetwork(c *cli.Context, out cmdline.Output) error {
	n, err := neural.Open(c.Args().First())
	if err != nil {
		return err
	}
	d := n.Description()
	view := networkView{n.Method(), n.Rules(), n.Size(), d.Planes, d.Side, d.Value, n.Parameters(), n.Bytes(), n.Functions(), n.Recipe()}
	table := terminal.Table{Columns: terminal.Columns("function", "from", "input", "layers", "output", "parameters")}
	for _, f := range view.Functions {
		table.Add(f.Name, f.From, f.Input, f.Layers, f.Output, f.Parameters)
	}
	return out.Print(cmdline.Tabular(view, table, view.write))
}

// write prints the network as text.
func (v networkView) write(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s for %v on %v: %d parameters, %d planes, values by %s times %g", v.Method, v.Rules, v.Size, v.Parameters, v.Planes, v.Value.Transform, v.Value.Scale)
	if v.Value.Bins > 0 {
		fmt.Fprintf(&text, ", %d bins from %g to %g", v.Value.Bins, v.Value.Low, v.Value.High)
	}
	text.WriteString("\n")
	for _, f := range v.Functions {
		fmt.Fprintf(&text, "  %s (%s) = %s of %s (%s): %d parameters\n", f.Name, f.Output, f.Layers, f.From, f.Input, f.Parameters)
	}
	r := v.Recipe
	fmt.Fprintf(&text, "trained by: %s\n  seed %d, %d steps, %d games, %.0f s", plain.Line(r.Command), r.Seed, r.Steps, r.Games, r.Seconds)
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		fmt.Fprintf(&text, ", %s %s", plain.Line(name), plain.Line(r.Versions[name]))
	}
	text.WriteString("\n")
	_, err := io.WriteString(w, text.String())
	return err
}
