package hosting_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server/roster"
)

// The command that resumes an event names its programs, and the time that they need.
func TestResumeCommand(t *testing.T) {
	for timeout, want := range map[time.Duration]string{
		0:               ` --bot 'me=exec:python3 me.py'`,
		time.Minute:     ` --bot 'me=exec:python3 me.py'`,
		2 * time.Minute: ` --bot 'me=exec:python3 me.py' --start-timeout 2m0s`,
	} {
		terms := hosting.Terms{Programs: roster.Commands{"me": {"python3", "me.py"}}, StartTimeout: timeout}
		a, err := hosting.OpenLocal(t.Context(), filepath.Join(t.TempDir(), "arena.db"), terms)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.ResumeCommand(1); !strings.HasSuffix(got, "arena.db"+want) {
			t.Errorf("with %v it is %s", timeout, got)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}
