package claims

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Change is a claim with changed code: the files that have changed since its figure was measured.
type Change struct {
	Name  string   `json:"name"`
	Files []string `json:"files"` // paths from the root of the repository, without tests; empty if the commit is unknown
	// Unknown is true if this clone does not have the commit of the claim.
	Unknown bool `json:"unknown,omitempty"`
}

// Stale returns the claims with changed code. folder is in a clone of the repository. Stale needs git, and looks at the
// tracked files as they are, committed or not.
func (l Ledger) Stale(ctx context.Context, folder string) (changes []Change, err error) {
	defer func() {
		if ctx.Err() != nil { // git was killed, so its failure says nothing about the code
			changes, err = nil, ctx.Err()
		}
	}()
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git is not on the PATH: only git knows which code has changed since a claim was measured")
	}
	root, err := git(ctx, folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%s is in no clone of the repository: run the command in one", folder)
	}
	for _, c := range l.Claims {
		if _, err := git(ctx, root, "cat-file", "-e", c.Commit+"^{commit}"); err != nil {
			changes = append(changes, Change{Name: c.Name, Files: []string{}, Unknown: true})
			continue
		}
		arguments := append([]string{"diff", "--name-only", c.Commit, "--", ":(exclude,glob)**/*_test.go"}, c.Code...)
		changed, err := git(ctx, root, arguments...)
		if err != nil {
			return nil, fmt.Errorf("%s: code: %w", c.path(), err)
		}
		if changed != "" {
			changes = append(changes, Change{Name: c.Name, Files: strings.Split(changed, "\n")})
		}
	}
	return changes, nil
}

// git runs git in a folder and returns its output without the last line feed.
func git(ctx context.Context, folder string, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, arguments...)...).Output() // #nosec G204 -- ours
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", errors.New(lastLine(exit.Stderr))
	}
	return strings.TrimSuffix(string(output), "\n"), err
}
