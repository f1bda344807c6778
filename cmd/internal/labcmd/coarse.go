package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof/coarse"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// coarseFlag returns the flag of prove for coarse boards.
func coarseFlag() cli.Flag {
	return &cli.IntFlag{Name: "coarse", DefaultText: "none", Usage: "with --below, for boards too large for all else: decide on boards where tiles of 2^`K` and more count as\n" +
		"the same, K from 3 to 8; a larger K proves lower scores and takes longer"}
}

// readCoarse reads the flag of coarseFlag. Coarse boards replace a search.
func (p *proving) readCoarse(c *cli.Context) error {
	if !c.IsSet("coarse") {
		return nil
	}
	if p.sweep || p.exact || p.positions || p.claim.Claimant != rules.Attacker {
		return cmdline.Usagef("--coarse decides claims of --below: leave out --sweep, --exact, --at-least and --positions")
	}
	settings := coarse.Config{Rules: p.config.Rules, Size: p.config.Size, Large: c.Int("coarse"), Threads: p.config.Threads, Memory: p.config.Memory, State: p.config.State}
	settings, err := settings.ForScore(p.claim.Score)
	p.coarse = &settings
	return cmdline.WrongUsage(err)
}

// byCoarse decides the claim on coarse boards, and writes the certificate if the user wants one and the claim is
// proven.
func (p proving) byCoarse(ctx context.Context) (report *proveReport, err error) {
	report = &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided, Tile: 1 << p.coarse.Tile}
	report.High = -1
	if p.certificate == "" {
		return report, p.decideCoarse(ctx, report, nil)
	}
	err = cmdline.WriteFile(p.certificate, p.force, func(w io.Writer) error {
		out, err := coarse.NewWriter(w, *p.coarse)
		if err != nil {
			return err
		}
		if err := p.decideCoarse(ctx, report, out.Write); err != nil {
			return err
		}
		if report.Verdict != proven {
			return errNoProof
		}
		report.Certificate, report.Positions = p.certificate, []int{out.Boards()}
		return out.Close()
	})
	if errors.Is(err, errNoProof) {
		return report, nil
	}
	return report, err
}

// errNoProof prevents the file of a certificate from being written.
var errNoProof = errors.New("there is no proof")

// decideCoarse decides the claim, calls found for the layers, and shows the progress.
func (p proving) decideCoarse(ctx context.Context, report *proveReport, found func(certificate.Layer) error) error {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	result, err := coarse.Prove(ctx, *p.coarse, found, func(now coarse.Progress) {
		report.Nodes = uint64(now.Computed) // #nosec G115 -- a count
		show.Draw(now.Sum/2, fmt.Sprintf("before a %d: sum %d, %d of %d boards lost, %d decided, %s",
			report.Tile, now.Sum, now.Lost, now.Boards, now.Computed, cmdline.Clock(show.Elapsed())))
	})
	report.Coarse, report.Seconds = &result, show.Elapsed().Seconds()
	if result.Proven {
		report.Verdict, report.High = proven, result.Bound
	}
	return err
}

// addCoarse adds the result on coarse boards to the facts.
func (r *proveReport) addCoarse(facts *terminal.Table) {
	result := fmt.Sprintf("the attacker cannot be shown to prevent a %d: try a larger --coarse or --below", r.Tile)
	if r.Coarse.Proven {
		result = fmt.Sprintf("from every board of sum %d the attacker prevents a %d", r.Coarse.From, r.Tile)
	}
	facts.Add("coarse boards", result)
	facts.Add("boards decided", fmt.Sprintf("%d, in %.1f s; %d are lost for the attacker", r.Nodes, r.Seconds, r.Coarse.AllLost))
}
