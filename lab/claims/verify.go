package claims

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"versus2048/docs"
	"versus2048/internal/disk"
)

// Result says how a verification of a claim ended.
type Result string

// The results.
const (
	Confirmed Result = "confirmed" // the figure is the same; a timed one has the same verdict or an overlapping interval
	Differs   Result = "differs"   // the figure or the table is another one
	Failed    Result = "failed"    // a command failed, its output has no figure, or an artefact has another checksum
	NotRun    Result = "not run"   // the budget is used up, or something is missing on this machine
)

// Outcome is the verification of one claim.
type Outcome struct {
	Name     string       `json:"name"`
	Result   Result       `json:"result"`
	Recorded Measurement  `json:"recorded"`         // in the ledger
	Now      *Measurement `json:"now,omitempty"`    // nil if there is none
	Seconds  float64      `json:"seconds"`          // by the clock
	Reason   string       `json:"reason,omitempty"` // one sentence, unless the claim is confirmed
}

// Verification says how claims are verified.
type Verification struct {
	Budget  time.Duration                       // by the clock, for all claims together; 0 for no limit
	Program func(name string) ([]string, error) // the words that start a program such as lab; an error if this machine has none
	Report  func(Outcome)                       // receives each outcome; may be nil
}

// checkers are the programs in docs/example that claims may run.
var checkers = []string{"check_proof.py", "check_coarse.py"}

// verifier is the state of one verification. Claims with the same command share its output, except for ratios.
type verifier struct {
	Verification
	ledger  Ledger
	folder  string            // the working folder of commands, with all artefacts and checkers
	outputs map[string]string // by command
	began   time.Time
}

// missingError means that a claim cannot be verified on this machine.
type missingError struct{ problem string }

func (e missingError) Error() string { return e.problem }

// otherTableError means that the table of a claim is no longer the same.
type otherTableError struct{ problem string }

func (e otherTableError) Error() string { return e.problem }

// Verify measures claims of the ledger again, in the order of their cost, and returns an outcome for each. A claim with
// a higher cost than the rest of the budget is not run. Verify returns an error if it cannot write its own files, and
// the cause of ctx when ctx ends.
func (l Ledger) Verify(ctx context.Context, claims []Claim, how Verification) (outcomes []Outcome, err error) {
	v := &verifier{Verification: how, ledger: l, outputs: map[string]string{}, began: time.Now()}
	if v.folder, err = os.MkdirTemp("", "claims-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(v.folder)) }()
	if err := l.writeFiles(v.folder); err != nil {
		return nil, err
	}
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b Claim) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, c := range claims {
		o := v.verify(ctx, c)
		if ctx.Err() != nil {
			return outcomes, context.Cause(ctx)
		}
		if v.Report != nil {
			v.Report(o)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// writeFiles writes the artefacts and the checkers into a folder.
func (l Ledger) writeFiles(folder string) error {
	for name, content := range l.artefacts {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	for _, name := range checkers {
		content, err := docs.Files.ReadFile("example/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), content, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// verify measures a claim and compares the figure with the ledger's.
func (v *verifier) verify(ctx context.Context, c Claim) Outcome {
	o := Outcome{Name: c.Name, Recorded: c.Figure}
	// Costs are whole seconds, so the rest of the budget is rounded: a claim of one second fits into one.
	if left := max(v.Budget-time.Since(v.began), 0).Round(time.Second); v.Budget > 0 && time.Duration(c.Cost) > left {
		o.Result, o.Reason = NotRun, fmt.Sprintf("it takes %v, and %v of the budget are left", c.Cost, left)
		return o
	}
	begin := time.Now()
	now, err := v.measure(ctx, c)
	o.Seconds = time.Since(begin).Seconds()
	switch missing, other := (missingError{}), (otherTableError{}); {
	case errors.As(err, &missing):
		o.Result, o.Reason = NotRun, missing.problem
	case errors.As(err, &other):
		o.Result, o.Reason = Differs, other.problem
	case err != nil:
		o.Result, o.Reason = Failed, err.Error()
	default:
		o.Now, o.Result = &now, Confirmed
		if !c.agrees(now) {
			o.Result, o.Reason = Differs, fmt.Sprintf("the ledger has %v", c.Figure)
		}
	}
	return o
}

// measure runs the commands of a claim, and reads its figure.
func (v *verifier) measure(ctx context.Context, c Claim) (Measurement, error) {
	if err := v.fetch(c.Artefact); err != nil {
		return Measurement{}, err
	}
	if c.Ratio != nil {
		return v.measureRatio(ctx, c)
	}
	output, err := v.run(ctx, c.Commands)
	if err != nil {
		return Measurement{}, err
	}
	if c.Table != nil && !c.Timed {
		if err := v.compareTable(c, output); err != nil {
			return Measurement{}, err
		}
	}
	return c.Read.figure(output, c.Figure)
}

// compareTable returns an error if an output gives another table than the file that is kept.
func (v *verifier) compareTable(c Claim, output string) error {
	kept, err := v.ledger.table(c)
	if err != nil {
		return err
	}
	now, err := c.Table.markdown(output, c.Name)
	if err == nil && now != kept {
		err = otherTableError{c.Artefact.File + " has another table"}
	}
	return err
}

// measureRatio runs both sides of a ratio in turn.
func (v *verifier) measureRatio(ctx context.Context, c Claim) (Measurement, error) {
	var ratios []float64
	for range c.Ratio.Runs {
		var side [2]float64
		for i, commands := range [][]string{c.Commands, c.Ratio.To} {
			for _, command := range commands {
				delete(v.outputs, command) // each run counts
			}
			output, err := v.run(ctx, commands)
			if err != nil {
				return Measurement{}, err
			}
			f, err := c.Read.figure(output, c.Figure)
			if err == nil && f.Value <= 0 {
				err = fmt.Errorf("the output has the number %v: a ratio needs numbers above 0", f.Value)
			}
			if err != nil {
				return Measurement{}, err
			}
			side[i] = f.Value
		}
		ratios = append(ratios, side[0]/side[1])
	}
	return c.Figure.with(ratioInterval(ratios)), nil
}

// fetch copies an artefact from an archive into the folder, if its checksum is right.
func (v *verifier) fetch(a *Artefact) error {
	if a == nil || a.Archive == "" {
		return nil
	}
	path := filepath.Join(a.Archive, a.File)
	content, err := disk.Read(path)
	if err != nil {
		return missingError{fmt.Sprintf("it needs %s: %s makes the file, or a release has it", path, a.Command)}
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != a.SHA256 {
		return fmt.Errorf("%s has another checksum than the ledger: remove the file, and make it again by: %s", path, a.Command)
	}
	return os.WriteFile(filepath.Join(v.folder, a.File), content, 0o600)
}

// run runs commands in order and returns the output of the last one.
func (v *verifier) run(ctx context.Context, commands []string) (output string, err error) {
	for _, command := range commands {
		known := false
		if output, known = v.outputs[command]; known {
			continue
		}
		if output, err = v.runOne(ctx, strings.Fields(command)); err != nil {
			return "", err
		}
		v.outputs[command] = output
	}
	return output, nil
}

func (v *verifier) runOne(ctx context.Context, words []string) (string, error) {
	program, err := v.Program(words[0])
	if err != nil {
		return "", missingError{err.Error()}
	}
	words = append(slices.Clone(program), words[1:]...)
	command := exec.CommandContext(ctx, words[0], words[1:]...) // #nosec G204 -- a command of the ledger
	command.Dir = v.folder
	command.WaitDelay = 10 * time.Second // for the benchmark of a go test that was killed: it holds the output
	output, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%s ends with status %d: %s", strings.Join(words, " "), exit.ExitCode(), lastLine(exit.Stderr))
	}
	if reason := skipped.FindSubmatch(output); reason != nil {
		return "", missingError{string(reason[1])}
	}
	return string(output), err
}

// skipped finds the reason why a benchmark of Go was skipped.
var skipped = regexp.MustCompile(`(?m)^--- SKIP: .*\n\s+\S+_test\.go:\d+: (.+)$`)

func lastLine(text []byte) string {
	all := strings.TrimSpace(string(text))
	return all[strings.LastIndexByte(all, '\n')+1:]
}
