//go:build unix && !race

// These commands only print: the race detector would find nothing, in a minute and a half.

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botapp"
	"versus2048/internal/testkit"
	"versus2048/internal/text/terminal"
)

// The help of every command fits a terminal of 80 columns, and its paragraphs are whole.
func TestHelpFitsTerminal(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	for _, program := range []*cli.App{app(), botapp.App()} {
		fitHelp(t, []string{program.Name}, program.Commands)
	}
}

// fitHelp checks the help of a command, which the words name, and of its subcommands.
func fitHelp(t *testing.T, words []string, commands []*cli.Command) {
	t.Helper()
	help := fit(t, append(words[1:len(words):len(words)], "--help"), words[0])
	for _, part := range []string{"NAME:\n   " + words[0], "USAGE:\n", "--help, -h  "} {
		if !strings.Contains(help, part) {
			t.Errorf("%s --help has no %q:\n%s", strings.Join(words, " "), part, help)
		}
	}
	for _, c := range commands {
		if !c.Hidden {
			fitHelp(t, append(words[:len(words):len(words)], c.Name), c.Subcommands)
		}
	}
}

// Whatever a command prints fits a terminal of 80 columns, with long names and wide letters too.
func TestTablesFitTerminal(t *testing.T) {
	testkit.Long(t)
	t.Chdir(t.TempDir())
	many := []string{"event", "run", "--in-process", "--size", "2x2", "--matches", "1", "--db", "m.db", "--bot", "日本語の名前を持つ強いボット=random"}
	for _, seed := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11") {
		many = append(many, "--bot", "random:seed="+seed)
	}
	const wide, long, spec = "日本語の長い名前です日本語の長い名前です", "a-rather-long-name-of-a-bot-that-goes-on-and-on", "mcts:playouts=10,c=1000,expand=5,seed=7"
	event := []string{"event", "run", "--in-process", "--size", "2x2", "--db", "t.db", "--bot", wide + "=random", "--bot", long + "=greedy", "--bot", spec}
	for _, args := range [][]string{
		many,
		{"games", "--db", "m.db"},
		{"games", "--event", "1", "--db", "m.db"},
		{"stats", "--db", "m.db"},
		{"stats", "--pairs", "--db", "m.db"},
		append(event[:len(event):len(event)], "--matches", "2", "--search"),
		append(event[:len(event):len(event)], "--format", "swiss"),
		append(event[:len(event):len(event)], "--format", "gauntlet", "--matches", "1"),
		append(event[:len(event):len(event)], "--format", "knockout"),
		append(event[:len(event):len(event)], "--format", "double-elimination"),
		append(event[:len(event):len(event)], "--format", "ladder", "--matches", "2"),
		append(event[:len(event)-2:len(event)-2], "--format", "sprt", "--sprt", "elo0=0,elo1=50", "--matches", "2"),
		{"games", "--db", "t.db"},
		{"games", "--db", "t.db", "--event", "1"},
		{"stats", "--db", "t.db", "--event", "1", "--pairs"},
		{"stats", "--db", "t.db", "--event", "4"},
		{"event", "list", "--db", "t.db"},
		{"event", "status", "--db", "t.db", "1"},
		{"replay", "1", "--db", "t.db", "--plain", "--search"},
		{"verify", "--db", "t.db"},
		{"token", "new", "--db", "t.db", wide},
		{"token", "new", "--db", "t.db", long},
		{"token", "list", "--db", "t.db"},
		{"solve", "--size", "2x2", "--layers", "--table", "t.table"},
		{"solve", "--size", "2x2", "--rules", "solo"},
		{"solve", "--size", "4x4", "--growth", "--sums", "20"},
		{"probe", "--table", "t.table", "2,0/0,0 A"},
		{"shortest", "--size", "2x3", "--plies", "100"},
		{"census", "--size", "2x3", "--defenders"},
		{"gametree", "--out", "tree.svg"},
		{"regret", "--table", "t.table", "--bot", spec, "--positions", "1"},
		{"experiment", "table1", "--size", "2x2", "--matches", "1", "--playouts", "5"},
		{"experiment", "tree", "--size", "2x2", "--matches", "1", "--playouts", "5"},
		{"experiment", "improvements", "reuse", "--size", "2x2", "--matches", "2", "--time", "1"},
	} {
		program := "arena"
		if slices.Contains(inLab, args[0]) {
			program = "lab"
		}
		fit(t, args, program)
	}
	fit(t, []string{"list"}, "bot")
}

// fit runs a program on a terminal of 80 columns and returns its output. It reports wider lines.
func fit(t *testing.T, args []string, program string) string {
	t.Helper()
	p := startOnTerminal(t, nil, program, args...)
	code, printed := p.exits(t), control.ReplaceAllString(p.Output.String(), "")
	if code != 0 {
		t.Errorf("%s %q exits with %d:\n%s", program, args, code, printed)
	}
	if wide := widest(printed); wide > 80 {
		t.Errorf("%s %q prints a line of %d columns:\n%s", program, args, wide, printed)
	}
	return strings.ReplaceAll(printed, "\r\n", "\n")
}

// widest returns the width of the widest line in the output of a terminal.
func widest(printed string) (width int) {
	for line := range strings.SplitSeq(control.ReplaceAllString(printed, ""), "\n") {
		// The text after a carriage return overwrites the line.
		for part := range strings.SplitSeq(line, "\r") {
			width = max(width, terminal.Width(part))
		}
	}
	return width
}

// control matches the sequences that move the cursor of a terminal.
var control = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")
