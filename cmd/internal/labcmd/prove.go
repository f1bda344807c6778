package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof"
	"versus2048/lab/proof/coarse"
	"versus2048/lab/proof/sweep"
	"versus2048/lab/proof/tidy"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// proveCommand returns the command prove, which decides claims about the score.
func proveCommand() *cli.Command {
	return &cli.Command{
		Name:  "prove",
		Usage: "prove that the score under perfect play is at least a number, or below a number",
		Description: "Decides a claim about the game from the empty board by a search, without a table of all positions,\n" +
			"or finds the exact score. The exit code is 0 for a claim that is proven, and 1 for one that is refuted or\n" +
			"undecided. With --state its results are kept whenever the search is stopped, and the same command\n" +
			"goes on; the file also helps to decide other claims about the same game. Where the score is small for\n" +
			"the board, as under gpcc2016, --sweep finds it much faster: it goes through all boards where the\n" +
			"defender cannot have reached the score of the claim yet. --coarse gives upper bounds even on 4x4,\n" +
			"and --tidy shows where the defender forces the largest score under gpcc2015. --strategy gives lower bounds\n" +
			"of the score, also on 4x4.",
		Flags: append([]cli.Flag{
			cmdline.SettingFlag("rules"),
			&cli.StringFlag{Name: "size", Value: "3x3", Usage: "the board, 2x2 to 4x4"},
			&cli.IntFlag{Name: "at-least", DefaultText: "none", Usage: "claim that the defender gets at least this score"},
			&cli.IntFlag{Name: "below", DefaultText: "none", Usage: "claim that the attacker holds the score below this number"},
			&cli.BoolFlag{Name: "exact", Usage: "find the score under perfect play, from both sides"},
			&cli.StringFlag{Name: "state", Usage: "keep the search's table in this file, as large as --memory, and continue from it; " +
				"with --sweep a directory of all layers, with --strategy one that is saved every ten minutes, with --coarse and --tidy a file of boards"},
			&cli.StringFlag{Name: "certificate", Usage: "write a proof of the claim into this file, which lab check-proof checks"},
			cmdline.ForceFlag(),
			&cli.BoolFlag{Name: "positions", Usage: "also count the positions of a proof, which the other side can bring about; with --exact the defender's proof comes first, then the attacker's"},
			&cli.IntFlag{Name: "threads", Value: 1, Usage: "search with this many threads; with one the search is always the same"},
			memoryFlag("for the table of positions, such as 4GiB; with --coarse and --tidy for the boards of a few sums"),
			cmdline.QuietFlag(),
		}, slices.Concat(sweepFlags(), []cli.Flag{coarseFlag(), tidyFlag(), strategyFlag()}, cmdline.OutputFlags())...),
		Action: prove,
	}
}

// proving is the task of the command, from its flags.
type proving struct {
	config      proof.Config
	claim       proof.Claim
	exact       bool
	sweep       bool
	ceiling     int                   // of --ceiling, 0 without the flag
	coarse      *coarse.Config        // nil for another way
	tidy        *tidy.Config          // nil for another way
	strategy    *proof.StrategyConfig // nil for another way
	positions   bool
	certificate string // the file for the certificate, or ""
	force       bool
	quiet       bool
	messages    io.Writer // for progress
	out         cmdline.Output
}

func readProving(c *cli.Context) (p proving, err error) {
	p = proving{exact: c.Bool("exact"), positions: c.Bool("positions"), quiet: c.Bool("quiet"), messages: c.App.ErrWriter}
	p.config.State, p.config.Threads = c.String("state"), c.Int("threads")
	if err = cmdline.Arguments(c); err != nil {
		return p, err
	}
	if p.config.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return p, cmdline.WrongUsage(err)
	}
	if p.config.Size, err = rules.ParseSize(c.String("size")); err != nil {
		return p, cmdline.WrongUsage(err)
	}
	if p.config.Memory, err = allowedMemory(c, proof.LeastMemory); err != nil {
		return p, err
	}
	if p.out, err = cmdline.ReadOutput(c); err != nil {
		return p, err
	}
	if err = cmdline.WrongUsage(p.config.Validate()); err != nil {
		return p, err
	}
	if p.claim, err = readClaim(c); err != nil {
		return p, err
	}
	if err = p.readCertificate(c); err != nil {
		return p, err
	}
	if err = p.readSweep(c); err != nil {
		return p, err
	}
	if err = p.readCoarse(c); err != nil {
		return p, err
	}
	if err = p.readTidy(c); err != nil {
		return p, err
	}
	return p, p.readStrategy(c)
}

// readCertificate reads the name of the file for the certificate of a claim.
func (p *proving) readCertificate(c *cli.Context) error {
	p.certificate, p.force = c.String("certificate"), c.Bool("force")
	if p.certificate == "" {
		return nil
	}
	if p.exact {
		return cmdline.Usagef("a certificate proves one claim: say --at-least or --below instead of --exact")
	}
	return cmdline.CheckFile(p.certificate, p.force)
}

// readClaim reads the claim. It returns a usage error unless there is exactly one. For --exact it returns the zero
// claim.
func readClaim(c *cli.Context) (claim proof.Claim, err error) {
	given := 0
	for _, claims := range []bool{c.IsSet("at-least"), c.IsSet("below"), c.Bool("exact")} {
		if claims {
			given++
		}
	}
	switch {
	case given == 0:
		return claim, cmdline.Usagef("name the claim to prove: one of --at-least SCORE, --below SCORE and --exact")
	case given > 1:
		return claim, cmdline.Usagef("one claim at a time: give only one of --at-least SCORE, --below SCORE and --exact")
	case c.Bool("exact"):
		return claim, nil
	case c.IsSet("at-least"):
		claim = proof.Claim{Score: c.Int("at-least"), Claimant: rules.Defender}
	default:
		claim = proof.Claim{Score: c.Int("below"), Claimant: rules.Attacker}
	}
	return claim, cmdline.WrongUsage(claim.Validate())
}

func prove(c *cli.Context) (err error) {
	p, err := readProving(c)
	if err != nil {
		return err
	}
	decide := p.bySearch
	switch {
	case p.sweep:
		decide = p.bySweep
	case p.coarse != nil:
		decide = p.byCoarse
	case p.tidy != nil:
		decide = p.byTidy
	case p.strategy != nil:
		decide = p.byStrategy
	}
	report, err := decide(c.Context)
	if errors.Is(err, proof.ErrStopped) {
		return p.stopped(report, err)
	}
	if err != nil {
		return err
	}
	if err := p.out.Print(cmdline.Tabular(report, report.table(), report.writeText)); err != nil {
		return err
	}
	return cmdline.FailIf(report.Verdict != proven)
}

// stopped prints the progress of a proof that was stopped. It returns cmdline.ErrSilent, or err if something else has
// failed as well, such as closing the state.
func (p proving) stopped(r *proveReport, err error) error {
	fmt.Fprintln(p.messages, p.stoppedText(r))
	if err.Error() != proof.ErrStopped.Error() {
		return err
	}
	return cmdline.ErrSilent
}

// bySearch decides the claim by a search.
func (p proving) bySearch(ctx context.Context) (report *proveReport, err error) {
	prover, err := proof.Open(p.config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, prover.Close()) }()
	return p.run(ctx, prover)
}

// run searches, and shows the progress.
func (p proving) run(ctx context.Context, prover *proof.Prover) (*proveReport, error) {
	show := cmdline.NewComputation(p.messages, p.quiet)
	defer show.End()
	progress := func(now proof.Progress) {
		show.Draw(int(show.Elapsed().Minutes()), proveLine(now, show.Elapsed()))
	}
	r := &proveReport{Rules: p.config.Rules, Size: p.config.Size, Claim: p.claimText(), Verdict: undecided}
	atLeast, err := true, error(nil)
	if p.exact {
		p.claim.Score, err = prover.Exact(ctx, progress)
	} else {
		atLeast, err = prover.AtLeast(ctx, p.claim.Score, progress)
	}
	if err == nil {
		r.Verdict = p.verdict(atLeast)
		err = p.writeProof(ctx, prover, r, show)
	}
	r.Progress, r.Seconds = prover.Progress(), show.Elapsed().Seconds()
	return r, err
}

// verdict returns the verdict on the claim. atLeast reports whether the defender gets at least the score of the claim.
// An exact score is always proven.
func (p proving) verdict(atLeast bool) string {
	if p.exact || atLeast == (p.claim.Claimant == rules.Defender) {
		return proven
	}
	return refuted
}

// writeProof counts the positions of the proofs if the user wants their number, and writes the certificate of a proven
// claim if the user wants one.
func (p proving) writeProof(ctx context.Context, e extractor, r *proveReport, show cmdline.Computation) error {
	if p.positions {
		if err := p.count(ctx, e, r, show); err != nil {
			return err
		}
	}
	if p.certificate != "" && r.Verdict == proven {
		return p.certify(ctx, e, r, show)
	}
	return nil
}

// extract calls emit for the positions of a proof, shows their growing number, and returns the number.
func (p proving) extract(ctx context.Context, e extractor, claim proof.Claim, show cmdline.Computation, emit func(certificate.Covered) error) (n int, err error) {
	err = e.Extract(ctx, claim, func(c certificate.Covered) error {
		n++
		if n%(1<<16) == 0 {
			show.Draw(c.Board.Sum()/20, fmt.Sprintf("proof: %d positions, tiles of sum %d, %s", n, c.Board.Sum(), cmdline.Clock(show.Elapsed())))
		}
		return emit(c)
	})
	return n, err
}

// count counts the positions of the proofs of the verdict.
func (p proving) count(ctx context.Context, e extractor, r *proveReport, show cmdline.Computation) error {
	claims := []proof.Claim{p.claim}
	switch {
	case p.exact:
		claims = []proof.Claim{{Score: p.claim.Score, Claimant: rules.Defender}, {Score: p.claim.Score + 1, Claimant: rules.Attacker}}
	case r.Verdict == refuted:
		claims[0].Claimant = p.claim.Claimant.Other()
	}
	for _, claim := range claims {
		n, err := p.extract(ctx, e, claim, show, func(certificate.Covered) error { return nil })
		if err != nil {
			return err
		}
		r.Positions = append(r.Positions, n)
	}
	return nil
}

// certify writes the certificate, and reports its file and the number of its positions.
func (p proving) certify(ctx context.Context, e extractor, r *proveReport, show cmdline.Computation) error {
	header := certificate.Header{Rules: p.config.Rules, Size: p.config.Size, Claimant: p.claim.Claimant, Score: p.claim.Score}
	positions := 0
	err := cmdline.WriteFile(p.certificate, p.force, func(w io.Writer) error {
		out, err := certificate.NewWriter(w, header)
		if err != nil {
			return err
		}
		positions, err = p.extract(ctx, e, p.claim, show, out.Write)
		if err != nil {
			return err
		}
		return out.Close()
	})
	r.Certificate, r.Positions = p.certificate, []int{positions}
	return err
}

func (p proving) claimText() string {
	if p.exact {
		return "exact"
	}
	return p.claim.String()
}

// stoppedText describes the progress of a proof that was stopped.
func (p proving) stoppedText(r *proveReport) string {
	kept := "nothing is kept without --state"
	if p.config.State != "" {
		kept = fmt.Sprintf("%s has the results so far: the same command continues", p.config.State)
	}
	if p.config.State != "" && p.strategy != nil {
		kept = fmt.Sprintf("%s has the boards of ten minutes ago or less: the same command continues", p.config.State)
	}
	if r.Verdict != undecided {
		return fmt.Sprintf("stopped: %s; %s", p.decidedText(r), kept)
	}
	if p.sweep || p.coarse != nil || p.tidy != nil || p.strategy != nil {
		return fmt.Sprintf("stopped, undecided: %d boards computed; %s", r.Nodes, kept)
	}
	now := r.Progress
	return fmt.Sprintf("stopped, undecided: %s, %d positions searched; %s", interval(now), now.Nodes, kept)
}

// decidedText describes the verdict on a claim, and the output that is missing because its proof was stopped.
func (p proving) decidedText(r *proveReport) string {
	found := r.Claim + " is " + r.Verdict
	if p.exact {
		found = fmt.Sprintf("the score is %d", r.Low)
	}
	if p.certificate != "" && r.Verdict == proven {
		return found + ", but its certificate is not written"
	}
	return found + ", but the positions of its proof are not counted"
}

// proveLine returns a line such as
// "score 8 to 12: 9000000 searched, 5000000 proven, 3900000 refuted, 25 open, 0.50 M/s, 0:18".
func proveLine(now proof.Progress, elapsed time.Duration) string {
	rate := float64(now.Nodes) / max(elapsed.Seconds(), 1e-3) / 1e6
	return fmt.Sprintf("%s: %d searched, %d proven, %d refuted, %d open, %.2f M/s, %s",
		interval(now), now.Nodes, now.Proven, now.Refuted, now.Open, rate, cmdline.Clock(elapsed))
}

// interval describes the bounds of the score.
func interval(now proof.Progress) string {
	switch {
	case now.High < 0:
		return fmt.Sprintf("score %d or more", now.Low)
	case now.Low == now.High:
		return fmt.Sprintf("score %d", now.Low)
	}
	return fmt.Sprintf("score %d to %d", now.Low, now.High)
}

// The verdicts on a claim.
const (
	proven    = "proven"
	refuted   = "refuted"
	undecided = "undecided" // a stopped search; a score not below a sweep's ceiling; no proof on coarse or tidy boards, or by a strategy
)

// proveReport is the output of lab prove.
type proveReport struct {
	Rules   rules.Ruleset `json:"rules"`
	Size    rules.Size    `json:"size"`
	Claim   string        `json:"claim"` // "at least 8", "below 12" or "exact"
	Verdict string        `json:"verdict"`
	proof.Progress
	Swept       *sweep.Progress         `json:"swept,omitempty"`       // of the last sweep
	Coarse      *coarse.Result          `json:"coarse,omitempty"`      // from coarse boards
	Tidy        *tidy.Result            `json:"tidy,omitempty"`        // from tidy boards
	Strategy    *proof.StrategyProgress `json:"strategy,omitempty"`    // of the defender
	Tile        int                     `json:"tile,omitempty"`        // to be prevented by the attacker on coarse boards
	Positions   []int                   `json:"positions,omitempty"`   // the proof's; with exact two: the defender's, then the attacker's
	Certificate string                  `json:"certificate,omitempty"` // the file that has the proof
	Seconds     float64                 `json:"seconds"`
}

func (r *proveReport) writeText(w io.Writer) error {
	facts := terminal.Table{Columns: make([]terminal.Column, 2)}
	facts.Add("claim", fmt.Sprintf("%s, %v on %v: %s", r.Claim, r.Rules, r.Size, r.Verdict))
	facts.Add("known", interval(r.Progress))
	switch {
	case r.Coarse != nil:
		r.addCoarse(&facts)
	case r.Tidy != nil:
		r.addTidy(&facts)
	case r.Strategy != nil:
		r.addStrategy(&facts)
	case r.Swept != nil:
		facts.Add("boards computed", fmt.Sprintf("%d, in %.1f s", r.Nodes, r.Seconds))
	default:
		facts.Add("positions searched", fmt.Sprintf("%d, %d proven and %d refuted, in %.1f s", r.Nodes, r.Proven, r.Refuted, r.Seconds))
	}
	if r.Coarse == nil && len(r.Positions) == 2 {
		facts.Add("positions of a proof", fmt.Sprintf("%d for the defender, %d for the attacker", r.Positions[0], r.Positions[1]))
	} else if r.Coarse == nil && len(r.Positions) == 1 {
		facts.Add("positions of a proof", fmt.Sprint(r.Positions[0]))
	}
	if r.Certificate != "" {
		facts.Add("certificate", fmt.Sprintf("%s; check it by: lab check-proof %s", r.Certificate, cmdline.Quote(r.Certificate)))
	}
	_, err := io.WriteString(w, facts.Text(0))
	return err
}

func (r *proveReport) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("rules", "size", "claim", "verdict", "low", "high", "nodes", "proven", "refuted", "seconds")}
	t.Add(r.Rules, r.Size, r.Claim, r.Verdict, r.Low, r.High, r.Nodes, r.Proven, r.Refuted, r.Seconds)
	return t
}
