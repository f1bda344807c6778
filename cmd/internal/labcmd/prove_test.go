package labcmd

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/proof"
	"versus2048/rules"
)

// ended is a context that has ended, but only its Err shows that: a search waits for Done.
type ended struct{ context.Context }

func (ended) Done() <-chan struct{} { return nil }
func (ended) Err() error            { return context.Canceled }

// claiming returns the settings for a claim about gpcc2016 on 3x2, where the score is 40.
func claiming(claimant rules.Side, score int) proving {
	return proving{
		config:   proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1},
		claim:    proof.Claim{Claimant: claimant, Score: score},
		messages: io.Discard,
	}
}

// Where the search is over and its proof is stopped, the claim is decided.
func TestProofStopped(t *testing.T) {
	certified, exact := claiming(rules.Defender, 40), claiming(rules.Defender, 0)
	certified.certificate, exact.exact = filepath.Join(t.TempDir(), "certificate"), true
	for want, p := range map[string]proving{
		"stopped: at least 40 is proven, but its certificate is not written; ":              certified,
		"stopped: below 44 is proven, but the positions of its proof are not counted; ":     claiming(rules.Attacker, 44),
		"stopped: at least 44 is refuted, but the positions of its proof are not counted; ": claiming(rules.Defender, 44),
		"stopped: the score is 40, but the positions of its proof are not counted; ":        exact,
	} {
		p.positions = p.certificate == ""
		r, err := p.bySearch(ended{t.Context()})
		if !errors.Is(err, proof.ErrStopped) || !strings.HasPrefix(p.stoppedText(r), want) {
			t.Errorf("%q, error %v; want %q", p.stoppedText(r), err, want)
		}
	}
}

// An error that comes with the stop is told.
func TestStoppedAndFailed(t *testing.T) {
	p, r := claiming(rules.Defender, 40), &proveReport{Verdict: undecided}
	if err := p.stopped(r, errors.Join(proof.ErrStopped, nil)); !errors.Is(err, cmdline.ErrSilent) {
		t.Errorf("only stopped: error %v", err)
	}
	full := errors.New("the disk is full")
	if err := p.stopped(r, errors.Join(proof.ErrStopped, full)); !errors.Is(err, full) || errors.Is(err, cmdline.ErrSilent) {
		t.Errorf("stopped on a full disk: error %v", err)
	}
}

// The same with a sweep. Its state has all layers; without them nothing is decided.
func TestSweepStopped(t *testing.T) {
	p := claiming(rules.Attacker, 44)
	p.sweep, p.config.State = true, filepath.Join(t.TempDir(), "layers")
	stopped := func(want string) {
		t.Helper()
		r, err := p.bySweep(ended{t.Context()})
		if !errors.Is(err, proof.ErrStopped) || !strings.HasPrefix(p.stoppedText(r), want) {
			t.Errorf("%q, error %v; want %q", p.stoppedText(r), err, want)
		}
	}
	stopped("stopped, undecided: 0 boards computed; ")
	if r, err := p.bySweep(t.Context()); err != nil || r.Verdict != proven {
		t.Fatalf("%+v, error %v", r, err)
	}
	p.positions = true
	stopped("stopped: below 44 is proven, but the positions of its proof are not counted; ")
}

// There must be one claim. A flag that is false is none.
func TestOneClaim(t *testing.T) {
	app := &cli.App{
		Commands: []*cli.Command{proveCommand()}, Writer: io.Discard, ErrWriter: io.Discard,
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for flags, want := range map[string]string{
		"":                          "one of --at-least",
		"--exact=false":             "one of --at-least",
		"--exact --below 0":         "only one of --at-least",
		"--exact=false --below 0":   "score 0: want 1",
		"--at-least 0 --below 0":    "only one of --at-least",
		"--at-least 0 --exact=true": "only one of --at-least",
	} {
		line := append([]string{"lab", "prove", "--size", "2x2", "--memory", "1MiB"}, strings.Fields(flags)...)
		if err := app.Run(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", flags, err, want)
		}
	}
}

// Too little memory, or an amount that cannot be read, is answered with the least amount.
func TestLeastMemory(t *testing.T) {
	app := &cli.App{
		Commands: []*cli.Command{censusCommand(), proveCommand()}, Writer: io.Discard, ErrWriter: io.Discard,
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for command, want := range map[string]string{
		"census --memory 1":              `"1": want an amount of memory such as 512MiB or 6GiB; at least 64MiB`,
		"census --memory 1B":             "at least 64 MiB",
		"prove --exact --memory 65536":   "at least 64KiB",
		"prove --exact --memory 65535B":  "at least 64 KiB",
		"prove --below 8 --memory small": "at least 64KiB",
	} {
		if err := app.Run(append([]string{"arena"}, strings.Fields(command)...)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", command, err, want)
		}
	}
}
