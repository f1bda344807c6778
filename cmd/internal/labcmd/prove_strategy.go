package labcmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof"
	"versus2048/rules"
)

// strategyFlag returns the flag of prove for a strategy.
func strategyFlag() cli.Flag {
	return &cli.BoolFlag{Name: "strategy", Usage: "with --at-least, where the defender has few points to make for the board, as for a certain tile on 4x4: look for a strategy, " +
		"by following its boards from the empty one"}
}

// readStrategy reads the flag of strategyFlag. A strategy replaces a search.
func (p *proving) readStrategy(c *cli.Context) error {
	if !c.Bool("strategy") {
		return nil
	}
	if p.sweep || p.coarse != nil || p.tidy != nil || p.exact || p.claim.Claimant != rules.Defender || p.config.State != "" {
		return cmdline.Usagef("--strategy decides claims of --at-least: leave out --sweep, --coarse, --tidy, --exact, --below and --state")
	}
	p.strategy = &proof.StrategyConfig{Rules: p.config.Rules, Size: p.config.Size, Score: p.claim.Score, Threads: p.config.Threads, Memory: p.config.Memory}
	return cmdline.WrongUsage(p.strategy.Validate())
}

// byStrategy looks for a strategy, and writes the certificate if the user wants one and there is a strategy.
func (p proving) byStrategy(ctx context.Context) (*proveReport, error) {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	report := &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided}
	report.High = -1
	strategy, found, err := proof.ProveByStrategy(ctx, *p.strategy, func(now proof.StrategyProgress) {
		report.Strategy, report.Nodes = &now, uint64(now.Boards+now.Lost-now.Open) // #nosec G115 -- a count
		show.Draw(now.Sum/2, fmt.Sprintf("sum %d: %d boards of the strategy, %d of them to be followed, %d lost, %s",
			now.Sum, now.Boards, now.Open, now.Lost, cmdline.Clock(show.Elapsed())))
	})
	switch {
	case err != nil:
	case found:
		report.Verdict, report.Low = proven, p.claim.Score
		err = p.writeProof(ctx, strategy, report, show)
	case !p.config.Rules.Fours(): // the score follows from the tiles
		report.Verdict, report.High = refuted, p.claim.Score-1
	}
	report.Seconds = show.Elapsed().Seconds()
	return report, err
}

// addStrategy adds the result of the search for a strategy to the facts.
func (r *proveReport) addStrategy(facts *terminal.Table) {
	result := fmt.Sprintf("%d boards, whatever the attacker places", r.Strategy.Boards)
	switch r.Verdict {
	case refuted:
		result = "there is none"
	case undecided:
		result = "there is none that makes tiles worth the score: a search may say more"
	}
	facts.Add("strategy", result)
	facts.Add("boards followed", fmt.Sprintf("%d, in %.1f s; %d are lost for the defender", r.Nodes, r.Seconds, r.Strategy.Lost))
}
