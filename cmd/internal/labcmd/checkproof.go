package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof/check"
)

// checkProofCommand returns the command check-proof, which checks a certificate.
func checkProofCommand() *cli.Command {
	return &cli.Command{
		Name:      "check-proof",
		Usage:     "check whether a certificate proves its claim about the score",
		ArgsUsage: "FILE",
		Description: "Reads the certificate once, and keeps the positions of three sums of tiles in memory. The checker has\n" +
			"its own code for the rules of the game.\n" +
			"A certificate from coarse boards lists the boards without a claim; all other boards are checked.\n" +
			"A certificate may be checked in parts, such as --high 4108 on one machine and --low 4110 on another.\n" +
			"The exit code is 0 for a proof or a part of one, and 1 for a certificate that is refused; then the reason is printed.",
		Flags: append([]cli.Flag{
			threadsFlag(),
			&cli.IntFlag{Name: "low", Usage: "check only boards with tiles of this sum or more", Action: cmdline.AtLeast("low", 0)},
			&cli.IntFlag{Name: "high", Value: math.MaxInt, DefaultText: "no limit", Usage: "check only boards with tiles of this sum or less", Action: cmdline.AtLeast("high", 2)},
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()...),
		Action: cmdline.Printing(checkProof),
	}
}

func checkProof(c *cli.Context, out cmdline.Output) (err error) {
	if low, high := c.Int("low"), c.Int("high"); low > high {
		return cmdline.Usagef("--low %d: want %d, the sum of --high, or less", low, high)
	}
	path := c.Args().First()
	file, _, err := disk.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	result, err := checkFile(c, file)
	if unread := (*fs.PathError)(nil); errors.As(err, &unread) || errors.Is(err, context.Canceled) {
		return err // the certificate may be right or wrong
	}
	if errors.Is(err, check.ErrPart) {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return fmt.Errorf("%s is refused: %w", path, err)
	}
	report := checkReport{result}
	return out.Print(cmdline.Tabular(result, report.table(), report.writeText))
}

// checkFile checks a certificate, and shows the progress. It returns early if the user interrupts the command.
func checkFile(c *cli.Context, file io.Reader) (check.Result, error) {
	show := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	defer show.End()
	draw := func(now check.Result) {
		checked := ""
		if now.Checked != now.Positions {
			checked = fmt.Sprintf("%d boards checked, ", now.Checked)
		}
		show.Draw(int(show.Elapsed().Minutes()), fmt.Sprintf("%s%d positions, tiles of sum %d: %s", checked, now.Positions, now.Sum, cmdline.Clock(show.Elapsed())))
	}
	if !c.IsSet("low") && !c.IsSet("high") {
		return check.File(c.Context, file, c.Int("threads"), draw)
	}
	return check.Part(c.Context, file, c.Int("threads"), c.Int("low"), c.Int("high"), draw)
}

// checkReport is the output of lab check-proof.
type checkReport struct{ check.Result }

func (r checkReport) writeText(w io.Writer) error {
	facts := terminal.Table{Columns: make([]terminal.Column, 2)}
	if r.High > 0 {
		facts.Add("claim", r.Claim)
		facts.Add("proven in part", fmt.Sprintf("sums of tiles from %d to %d", r.Low, r.High))
		facts.Add("boards checked", r.Checked)
	} else {
		facts.Add("proven", r.Claim)
		if r.From > 0 {
			facts.Add("boards checked", fmt.Sprintf("%d; no board of sum %d is lost", r.Checked, r.From))
		}
	}
	facts.Add("positions", fmt.Sprintf("%d, up to %d of one sum, sums up to %d", r.Positions, r.Widest, r.Sum))
	_, err := io.WriteString(w, facts.Text(0))
	return err
}

func (r checkReport) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("claim", "positions", "widest", "sum", "checked", "from", "low", "high")}
	t.Add(r.Claim, r.Positions, r.Widest, r.Sum, r.Checked, r.From, r.Low, r.High)
	return t
}
