package labcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/proof"
	"versus2048/lab/proof/sweep"
	"versus2048/players/certificate"
)

// firstCeiling is the first ceiling of --exact, in points. The ceiling doubles until the score is below it.
const firstCeiling = 128

// sweepFlags returns the flags of prove for sweeps.
func sweepFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "sweep", Usage: "decide by going through all boards below a ceiling of the score, not by a search"},
		&cli.IntFlag{
			Name: "ceiling", DefaultText: "the score of the claim; with --exact 128, doubled until the score is below it", Action: cmdline.AtLeast("ceiling", 1),
			Usage: "with --sweep: go through the boards below this many points; the same --state decides claims up to the ceiling",
		},
	}
}

// readSweep reads sweepFlags.
func (p *proving) readSweep(c *cli.Context) error {
	p.sweep, p.ceiling = c.Bool("sweep"), c.Int("ceiling")
	if p.ceiling != 0 && !p.sweep {
		return cmdline.Usagef("--ceiling is for --sweep: a search has none")
	}
	if p.sweep && p.config.State == "" && (p.certificate != "" || p.positions) {
		return cmdline.Usagef("the positions of a proof are found in the layers of the sweep: name a directory for them with --state")
	}
	if !p.sweep {
		return nil
	}
	if !p.exact && p.ceiling != 0 && p.ceiling < p.claim.Score {
		return cmdline.Usagef("ceiling %d: want at least %d, the score of the claim", p.ceiling, p.claim.Score)
	}
	return cmdline.WrongUsage(p.sweepConfig(p.lowestCeiling()).Validate())
}

// lowestCeiling returns the ceiling of the first sweep.
func (p proving) lowestCeiling() int {
	switch {
	case p.ceiling != 0:
		return p.ceiling
	case p.exact:
		return firstCeiling
	}
	return p.claim.Score
}

func (p proving) sweepConfig(ceiling int) sweep.Config {
	c := sweep.Config{Rules: p.config.Rules, Size: p.config.Size, Ceiling: ceiling, Threads: p.config.Threads}
	if p.config.State != "" {
		c.State = filepath.Join(p.config.State, fmt.Sprintf("ceiling-%04d", ceiling))
	}
	return c
}

// bySweep decides the claim by a sweep, or by several with growing ceilings.
func (p proving) bySweep(ctx context.Context) (report *proveReport, err error) {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	report = &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided}
	defer func() { report.Seconds = show.Elapsed().Seconds() }()
	ceiling := p.lowestCeiling()
	for {
		exact, err := p.sweepOnce(ctx, ceiling, report, show)
		if err != nil || exact || !p.exact || p.ceiling != 0 {
			return report, err
		}
		if ceiling == sweep.MostCeiling {
			return report, fmt.Errorf("the score is %d or more: a sweep does not reach further, leave out --sweep", ceiling)
		}
		ceiling = min(2*ceiling, sweep.MostCeiling)
	}
}

// sweepOnce sweeps up to a ceiling, and writes the results into the report. exact is true if the score is below the
// ceiling, and therefore known.
func (p proving) sweepOnce(ctx context.Context, ceiling int, r *proveReport, show cmdline.Computation) (exact bool, err error) {
	s, err := sweep.Open(p.sweepConfig(ceiling))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Memory() > p.config.Memory {
		return false, fmt.Errorf("a sweep up to %d points takes %d MiB of memory: allow that with --memory", ceiling, s.Memory()>>20+1)
	}
	computed := r.Nodes
	update := func(now sweep.Progress) {
		r.Swept = &now
		r.Nodes = computed + uint64(now.Computed) // #nosec G115 -- a count
		show.Draw(now.Sum/20, fmt.Sprintf("up to %d points: %.1f%%, sum %d, %d boards computed, %s",
			ceiling, 100*float64(now.Places)/float64(now.AllPlaces), now.Sum, now.Computed, cmdline.Clock(show.Elapsed())))
	}
	if err := s.Run(ctx, update); err != nil {
		return false, err
	}
	update(s.Progress())
	r.Low, exact = s.Score()
	r.High = -1
	if exact {
		r.High = r.Low
	}
	return exact, p.conclude(ctx, s, exact, r, show)
}

// conclude writes the verdict of a finished sweep on the claim into the report, and writes the claim's proof.
func (p proving) conclude(ctx context.Context, s *sweep.Sweep, exact bool, r *proveReport, show cmdline.Computation) error {
	switch {
	case !p.exact:
		r.Verdict = p.verdict(r.Low >= p.claim.Score)
	case exact:
		p.claim.Score, r.Verdict = r.Low, p.verdict(true)
	default:
		return nil // still undecided; there may be a further sweep
	}
	return p.writeProof(ctx, s, r, show)
}

// extractor calls emit for the positions that prove a claim, as proof.Prover.Extract does.
type extractor interface {
	Extract(ctx context.Context, claim proof.Claim, emit func(certificate.Covered) error) error
}
