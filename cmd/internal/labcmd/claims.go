package labcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/text/terminal"
	"versus2048/lab/claims"
	"versus2048/players"
)

// claimsCommand returns the command claims, which lists this project's claims.
func claimsCommand() *cli.Command {
	return &cli.Command{
		Name:  "claims",
		Usage: "list the claims of this project, each with its figure and verdict; measure them again",
		Description: "A verdict is computed from the figure and its 95% interval: holds, fails or open. JSON has everything on the\n" +
			"claims. Their files are in lab/claims/ledger, and docs/CLAIMS.md describes them.",
		Flags:       cmdline.OutputFlags(),
		Action:      listClaims,
		Subcommands: []*cli.Command{showClaimsCommand(), verifyClaimsCommand(), staleClaimsCommand(), writeClaimsCommand()},
	}
}

// listClaims prints all claims. It returns a usage error for a word, which names no subcommand.
func listClaims(c *cli.Context) error {
	word := c.Args().First()
	if word == "" {
		return cmdline.Printing(printClaims)(c)
	}
	var names []string
	for _, command := range c.Command.Subcommands {
		names = append(names, command.Name)
	}
	if near := players.Nearest(word, names); near != "" {
		return cmdline.Usagef("there is no command %q; did you mean: lab claims %s", word, near)
	}
	return cmdline.Usagef("there is no command %q; lab claims show NAME prints a claim", word)
}

func showClaimsCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print everything on some claims: sentence, figure, commands, evidence",
		ArgsUsage: "NAME ...",
		Flags:     cmdline.OutputFlags(),
		Action: cmdline.Printing(func(c *cli.Context, out cmdline.Output) error {
			if c.NArg() == 0 {
				return cmdline.Usagef("name the claims to show: lab claims lists them")
			}
			return printClaims(c, out)
		}),
	}
}

// claimView is a claim with its verdict.
type claimView struct {
	claims.Claim
	Text    string         `json:"text"` // the figure for people
	Verdict claims.Verdict `json:"verdict"`
	P       *float64       `json:"p,omitempty"` // of a claim in a family: Holm's corrected p-value
}

func viewClaims(names []string) (views []claimView, err error) {
	ledger, err := claims.Load()
	if err != nil {
		return nil, err
	}
	found, err := ledger.Find(names)
	for _, c := range found {
		view := claimView{Claim: c, Text: c.Figure.String(), Verdict: ledger.Verdict(c)}
		if p, corrected := ledger.PValue(c); corrected {
			view.P = &p
		}
		views = append(views, view)
	}
	return views, err
}

// printClaims prints a table of all claims, or everything on the claims that the arguments name.
func printClaims(c *cli.Context, out cmdline.Output) error {
	views, err := viewClaims(c.Args().Slice())
	if err != nil {
		return err
	}
	all := terminal.Table{Columns: terminal.Columns("claim", "verdict", "figure", "unit", "relation", "bound", "cost", "statement")}
	shown := terminal.Table{Columns: terminal.Columns("claim", "verdict", "figure", "", "cost")}
	for _, v := range views {
		all.Add(v.Name, string(v.Verdict), v.Text, v.Figure.Unit, v.Condition.Relation, v.Condition.Bound, v.Cost.String(), v.Statement)
		shown.Add(v.Name, v.verdict(), v.Text, v.Figure.Unit, v.Cost.String())
	}
	return out.Print(cmdline.Tabular(views, all, func(w io.Writer) error {
		if c.NArg() == 0 {
			return shown.WriteText(w, out.Width)
		}
		for _, v := range views {
			if err := v.write(w, out.Width); err != nil {
				return err
			}
		}
		return nil
	}))
}

// verdict returns the verdict as people see it.
func (v claimView) verdict() string {
	if v.Family != nil && v.Family.Exploration {
		return string(v.Verdict) + " (exploration)"
	}
	return string(v.Verdict)
}

// write writes everything on a claim.
func (v claimView) write(w io.Writer, width int) error {
	facts := terminal.Table{Columns: make([]terminal.Column, 2)}
	facts.Add("claim", v.Statement)
	facts.Add("verdict", v.verdict())
	facts.Add("figure", strings.TrimSpace(v.Text+" "+v.Figure.Unit))
	facts.Add("compared", fmt.Sprintf("%s %s: %s (%s)", v.Condition.Relation, v.Figure.Bound(v.Condition.Bound), v.Condition.With, v.Condition.Source))
	for _, command := range v.Commands {
		facts.Add("command", command)
	}
	if v.Ratio != nil {
		facts.Add("divided by", fmt.Sprintf("%s; %d runs of either, in turn", strings.Join(v.Ratio.To, "; "), v.Ratio.Runs))
	}
	facts.Add("measured", fmt.Sprintf("%s, commit %s, %s", v.Date, v.Commit, v.Machine))
	facts.Add("cost", v.Cost.String())
	facts.Add("code", strings.Join(v.Code, ", "))
	if a := v.Artefact; a != nil {
		facts.Add("evidence", fmt.Sprintf("%s, SHA-256 %s; made by: %s", filepath.Join(a.Archive, a.File), a.SHA256, a.Command))
	}
	if f := v.Family; f != nil {
		facts.Add("family", fmt.Sprintf("%s, %d comparisons were tried", f.Name, f.Variants))
	}
	if v.P != nil {
		facts.Add("p, corrected", fmt.Sprintf("%.2g", *v.P))
	}
	_, err := io.WriteString(w, v.Name+"\n"+terminal.Hang(facts.Text(0), width)+"\n")
	return err
}

func verifyClaimsCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "measure claims again, the quickest first, and compare with the ledger",
		ArgsUsage: "[NAME ...]",
		Description: "Runs the commands of each claim in a folder of its own. The exit code is 1 if a figure differs, or if a\n" +
			"command fails. Claims that do not fit into the budget, or that need a program or a file that this machine\n" +
			"does not have, are not run, and the reason is printed. Claims that are named have no budget unless --budget sets one.",
		Flags: append([]cli.Flag{
			&cli.DurationFlag{Name: "budget", Value: 10 * time.Minute, Usage: "the time for all claims together", Action: cmdline.AtLeast("budget", time.Second)},
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()...),
		Action: cmdline.Printing(verifyClaims),
	}
}

func verifyClaims(c *cli.Context, out cmdline.Output) error {
	ledger, err := claims.Load()
	if err != nil {
		return err
	}
	found, err := ledger.Find(c.Args().Slice())
	if err != nil {
		return err
	}
	how := claims.Verification{Budget: c.Duration("budget"), Program: startOf}
	if c.NArg() > 0 && !c.IsSet("budget") {
		how.Budget = 0
	}
	if !c.Bool("quiet") {
		how.Report = func(o claims.Outcome) { reportOutcome(c.App.ErrWriter, o) }
	}
	outcomes, err := ledger.Verify(c.Context, found, how)
	if err != nil {
		return err
	}
	table := terminal.Table{Columns: terminal.Columns("claim", "result", "figure", "seconds", "reason")}
	bad := 0
	for _, o := range outcomes {
		figure := ""
		if o.Now != nil {
			figure = o.Now.String()
		}
		if o.Result == claims.Differs || o.Result == claims.Failed {
			bad++
		}
		table.Add(o.Name, string(o.Result), figure, o.Seconds, o.Reason)
	}
	if err := out.PrintTable(outcomes, table, table); err != nil {
		return err
	}
	return cmdline.FailIf(bad > 0)
}

// reportOutcome tells of a claim that took time. Those that were not run are in the table, with the reason.
func reportOutcome(w io.Writer, o claims.Outcome) {
	if o.Result != claims.NotRun {
		fmt.Fprintf(w, "%s: %s\n", o.Name, o.Result)
	}
}

// startOf returns the words that start a program of a claim. lab is this program, and bot is its command bot. Go runs
// in this folder's clone of the repository. Other programs, such as arena and Python, are beside this program or on the
// PATH.
func startOf(name string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	switch name {
	case "lab":
		return []string{self}, nil
	case "bot":
		return []string{self, "bot"}, nil
	case "go":
		return startOfGo()
	}
	path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err != nil {
		path, err = exec.LookPath(name)
	}
	if err != nil {
		return nil, fmt.Errorf("it needs %s, which is not on the PATH", name)
	}
	return []string{path}, nil
}

// startOfGo returns the words that start Go in the root of the clone.
func startOfGo() ([]string, error) {
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	module, root, _ := strings.Cut(strings.TrimSpace(string(output)), " ")
	if build, ok := debug.ReadBuildInfo(); err != nil || !ok || module != build.Main.Path {
		return nil, errors.New("it needs Go and a clone of the repository: run the command in one")
	}
	return []string{"go", "-C", root}, nil
}

func staleClaimsCommand() *cli.Command {
	return &cli.Command{
		Name:  "stale",
		Usage: "list the claims that depend on code that has changed since their commit; needs git and a clone; JSON and CSV name all files",
		Flags: cmdline.OutputFlags(), Action: cmdline.Printing(staleClaims),
	}
}

func staleClaims(c *cli.Context, out cmdline.Output) error {
	ledger, err := claims.Load()
	if err != nil {
		return err
	}
	changes, err := ledger.Stale(c.Context, ".")
	if err != nil {
		return err
	}
	if changes == nil {
		changes = []claims.Change{}
	}
	return out.PrintTable(changes, staleTable(changes, math.MaxInt), staleTable(changes, 3))
}

// staleTable returns a row for each claim, with the names of the first files and the number of the others.
func staleTable(changes []claims.Change, named int) terminal.Table {
	table := terminal.Table{Columns: terminal.Columns("claim", "changed files")}
	for _, change := range changes {
		files := change.Files[:min(named, len(change.Files))]
		text := strings.Join(files, ", ")
		if more := len(change.Files) - len(files); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		if change.Unknown {
			text = "its commit is not in this clone"
		}
		table.Add(change.Name, text)
	}
	return table
}

func writeClaimsCommand() *cli.Command {
	return &cli.Command{
		Name:      "write",
		Usage:     "write the figures of the ledger into documents, at the links to their claims",
		ArgsUsage: "[FILE ...]",
		Description: "Without files: README.md and docs/*.md below this folder, which has to be the root of a clone. Prints the\n" +
			"files that change.",
		Action: cmdline.WithArguments(writeClaims),
	}
}

func writeClaims(c *cli.Context) error {
	ledger, err := claims.Load()
	if err != nil {
		return err
	}
	pages := c.Args().Slice()
	if len(pages) == 0 {
		if pages, err = fs.Glob(os.DirFS("."), "docs/*.md"); err != nil {
			return err
		}
		pages = slices.Insert(pages, 0, "README.md")
	}
	for _, page := range pages {
		if err := writePage(c.App.Writer, ledger, page); err != nil {
			return err
		}
	}
	return nil
}

func writePage(w io.Writer, ledger claims.Ledger, page string) error {
	old, err := disk.Read(page)
	if err != nil {
		return err
	}
	text, err := ledger.Insert(filepath.ToSlash(page), string(old))
	if err != nil || text == string(old) {
		return err
	}
	if err := cmdline.WriteFile(page, true, func(f io.Writer) error {
		_, err := io.WriteString(f, text)
		return err
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, page)
	return err
}
