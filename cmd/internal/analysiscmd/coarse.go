package analysiscmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/proof/coarse"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/display"
	"versus2048/rules"
	"versus2048/terminal"
)

// coarseFlag returns the flag of prove that is about coarse boards.
func coarseFlag() cli.Flag {
	return &cli.IntFlag{Name: "coarse", DefaultText: "none", Usage: "with --below, for boards too large for all else: decide on boards where tiles of 2^`K` and more, K from 3\n" +
		"to 8, are not told apart; a larger K proves lower scores and takes longer"}
}

// readCoarse reads this flag. It takes the place of a search.
func (p *proving) readCoarse(c *cli.Context) error {
	if !c.IsSet("coarse") {
		return nil
	}
	if c.IsSet("memory") || p.sweep || p.exact || p.positions || p.certificate != "" || p.config.State != "" || p.claim.Claimant != rules.Attacker {
		return cmdline.Usagef("--coarse decides claims of --below, and keeps nothing: leave out --sweep, --exact, --at-least, --positions, --certificate, --state and --memory")
	}
	settings := coarse.Config{Rules: p.config.Rules, Size: p.config.Size, Large: c.Int("coarse"), Threads: p.config.Threads}
	settings, err := settings.ForScore(p.claim.Score)
	p.coarse = &settings
	return cmdline.WrongUsage(err)
}

// byCoarse decides the claim on coarse boards.
func (p proving) byCoarse(ctx context.Context) (*proveReport, error) {
	show := display.NewComputation(p.messages, p.quiet)
	defer show.End()
	report := &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided, Tile: 1 << p.coarse.Tile}
	report.High = -1
	found, err := coarse.Prove(ctx, *p.coarse, func(now coarse.Progress) {
		report.Nodes = uint64(now.Computed) // #nosec G115 -- a count
		show.Draw(now.Sum/2, fmt.Sprintf("before a %d: sum %d, %d of %d boards lost, %d computed, %s",
			report.Tile, now.Sum, now.Lost, now.Boards, now.Computed, display.Clock(show.Elapsed())))
	})
	report.Coarse, report.Seconds = &found, show.Elapsed().Seconds()
	if found.Proven {
		report.Verdict, report.High = proven, found.Bound
	}
	return report, err
}

// addCoarse adds what coarse boards said.
func (r *proveReport) addCoarse(facts *terminal.Table) {
	says := fmt.Sprintf("the attacker cannot be shown to prevent a %d: try a larger --coarse or --below", r.Tile)
	if r.Coarse.Proven {
		says = fmt.Sprintf("from every board of sum %d the attacker prevents a %d", r.Coarse.From, r.Tile)
	}
	facts.Add("coarse boards", says)
	facts.Add("boards computed", fmt.Sprintf("%d, in %.1f s", r.Nodes, r.Seconds))
}
