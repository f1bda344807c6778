package main

import (
	"os"
	"strings"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
)

// Ctrl-C ends a command calmly: nothing is said to be damaged, and a command that waits for its standard
// input ends, too.
func TestInterruptedImport(t *testing.T) {
	db := t.TempDir() + "/arena.db"
	p := testkit.NewProgram("arena", "import", "-", "--db", db)
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(t)
	if _, err := in.Write([]byte(`{"header":`)); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, db)
	p.Interrupt(t)
	_ = p.Wait() // the exit code is looked at
	const want = "arena import: interrupted before it was done; the same command starts it again\n"
	if code := p.ProcessState.ExitCode(); code != cmdline.Interrupted || p.Output.String() != want {
		t.Errorf("exit code %d: %s", code, p.Output.String())
	}
}

// awaitFile waits until a file exists.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	testkit.Await(t, path, func() bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// A computation that is interrupted says so, and nothing of contexts or of damage.
func TestInterruptedComputations(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	for command, shown := range map[string]string{
		"solve --size 3x3 --rules solo": "positions",
		"census --plies 200":            "positions",
	} {
		p := testkit.NewProgram("lab", strings.Fields(command)...)
		p.Dir = t.TempDir()
		p.Begin(t)
		p.AwaitOutput(t, shown)
		p.Interrupt(t)
		_ = p.Wait() // the exit code is looked at
		said := p.Output.String()
		if strings.Contains(said, "context canceled") || strings.Contains(said, "damaged") || !strings.Contains(said, "interrupted") {
			t.Errorf("%s says %s", command, said)
		}
		if code := p.ProcessState.ExitCode(); code != cmdline.Interrupted {
			t.Errorf("%s exits with %d", command, code)
		}
	}
}
