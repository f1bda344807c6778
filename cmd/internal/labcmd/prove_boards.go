package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof"
	"versus2048/lab/proof/coarse"
	"versus2048/lab/proof/tidy"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// coarseFlag returns the flag of prove for coarse boards.
func coarseFlag() cli.Flag {
	return &cli.IntFlag{Name: "coarse", DefaultText: "none", Usage: "with --below, for boards that are too large for the other ways: decide on boards where tiles of 2^`K` and more count as " +
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

// errNoProof keeps WriteFile from writing the certificate.
var errNoProof = errors.New("there is no proof")

// decideCoarse decides the claim, calls found for each layer with lost boards, and shows the progress.
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

// tidyFlag returns the flag of prove for tidy boards.
func tidyFlag() cli.Flag {
	return &cli.BoolFlag{Name: "tidy", Usage: "with --at-least under gpcc2015: decide by going back from the last boards of a game with the largest " +
		"score, through the boards where the largest tiles lie together; up to 4x3"}
}

// readTidy reads the flag of tidyFlag. Tidy boards replace a search.
func (p *proving) readTidy(c *cli.Context) error {
	if !c.Bool("tidy") {
		return nil
	}
	if p.sweep || p.coarse != nil || p.exact || p.positions || p.claim.Claimant != rules.Defender || p.config.Rules != rules.GPCC2015 {
		return cmdline.Usagef("--tidy decides claims of --at-least under gpcc2015: leave out --sweep, --coarse, --exact, --below, --positions and other rules")
	}
	if p.certificate != "" && p.config.State == "" {
		return cmdline.Usagef("the positions of a proof are found in the layers of tidy boards: name a file for them with --state")
	}
	p.tidy = &tidy.Config{Size: p.config.Size, Threads: p.config.Threads, Memory: p.config.Memory, State: p.config.State}
	if err := p.tidy.Validate(); err != nil {
		return cmdline.WrongUsage(err)
	}
	if most := p.tidy.Score(); p.claim.Score > most {
		return cmdline.Usagef("at least %d: the largest score on %v is %d", p.claim.Score, p.config.Size, most)
	}
	return nil
}

// byTidy decides the claim on tidy boards, and writes the certificate if the user wants one and the claim is proven.
func (p proving) byTidy(ctx context.Context) (report *proveReport, err error) {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	report = &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided}
	report.High = p.tidy.Score()
	boards, err := tidy.Open(*p.tidy)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	result, err := boards.Run(ctx, func(now tidy.Progress) {
		report.Nodes = uint64(now.Decided) // #nosec G115 -- a count
		show.Draw(50*(now.FirstSum-now.Sum)/now.FirstSum, fmt.Sprintf("sum %d of %d: %d boards won, %d in all, %d decided, %s",
			now.Sum, now.FirstSum, now.Boards, now.Won, now.Decided, cmdline.Clock(show.Elapsed())))
	})
	report.Tidy = &result
	if err == nil && result.Proven {
		report.Verdict, report.Low = proven, result.Score
		err = p.writeProof(ctx, boards, report, show)
	}
	report.Seconds = show.Elapsed().Seconds()
	return report, err
}

// addTidy adds the result on tidy boards to the facts.
func (r *proveReport) addTidy(facts *terminal.Table) {
	result := "the empty board is not among the boards that were found: a search may say more"
	if r.Tidy.Proven {
		result = fmt.Sprintf("the defender forces %d, the largest score", r.Tidy.Score)
	}
	facts.Add("tidy boards", result)
	facts.Add("boards decided", fmt.Sprintf("%d, in %.1f s; %d are won for the defender", r.Nodes, r.Seconds, r.Tidy.Won))
}

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
	if p.sweep || p.coarse != nil || p.tidy != nil || p.exact || p.claim.Claimant != rules.Defender {
		return cmdline.Usagef("--strategy decides claims of --at-least: leave out --sweep, --coarse, --tidy, --exact and --below")
	}
	p.strategy = &proof.StrategyConfig{
		Rules: p.config.Rules, Size: p.config.Size, Score: p.claim.Score, Threads: p.config.Threads, Memory: p.config.Memory, State: p.config.State,
	}
	return cmdline.WrongUsage(p.strategy.Validate())
}

// byStrategy looks for a strategy, and writes the certificate if the user wants one and there is a strategy. Under
// rules without 4s, the lack of a strategy refutes the claim.
func (p proving) byStrategy(ctx context.Context) (report *proveReport, err error) {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	report = &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided}
	report.High = -1
	strategy, found, err := proof.ProveByStrategy(ctx, *p.strategy, func(now proof.StrategyProgress) {
		report.Strategy, report.Nodes = &now, uint64(now.Boards+now.Lost-now.Open) // #nosec G115 -- a count
		show.Draw(now.Sum/2, fmt.Sprintf("sum %d: %d boards of the strategy, %d of them to be followed, %d lost, %s",
			now.Sum, now.Boards, now.Open, now.Lost, cmdline.Clock(show.Elapsed())))
	})
	if strategy != nil {
		defer func() { err = errors.Join(err, strategy.Close()) }()
	}
	switch {
	case err != nil:
	case found:
		report.Verdict, report.Low = proven, p.claim.Score
		err = p.writeProof(ctx, strategy, report, show)
	case !p.config.Rules.Fours(): // then the tiles determine the score
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
