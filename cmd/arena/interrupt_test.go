package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
)

// Ctrl-C ends a command calmly: nothing is said to be damaged, and a command that waits for its standard
// input ends, too.
func TestInterruptedImport(t *testing.T) {
	db := t.TempDir() + "/arena.db"
	p := &process{Cmd: exec.Command("arena", "import", "-", "--db", db)}
	p.Stdout, p.Stderr = &p.output, &p.output
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	if _, err := in.Write([]byte(`{"header":`)); err != nil {
		t.Fatal(err)
	}
	awaitFile(t, db)
	p.interrupt(t)
	_ = p.Wait() // the exit code is looked at
	const want = "arena import: interrupted before it was done; the same command starts it again\n"
	if code := p.ProcessState.ExitCode(); code != cmdline.Interrupted || p.output.String() != want {
		t.Errorf("exit code %d: %s", code, p.output.String())
	}
}

// awaitFile waits until a file exists.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	timeout := time.After(time.Minute)
	for {
		if _, err := os.Stat(path); err == nil {
			return
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("there is no %s", path)
		}
	}
}

// A computation that is interrupted says so, and nothing of contexts or of damage.
func TestInterruptedComputations(t *testing.T) {
	testkit.Long(t)
	for command, shown := range map[string]string{
		"solve --size 3x3 --rules solo": "positions",
		"census --plies 200":            "positions",
	} {
		p := &process{Cmd: exec.Command("lab", strings.Fields(command)...)}
		p.Dir = t.TempDir()
		p.Stdout, p.Stderr = &p.output, &p.output
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.kill)
		p.awaitOutput(t, shown, nil)
		p.interrupt(t)
		_ = p.Wait() // the exit code is looked at
		said := p.output.String()
		if strings.Contains(said, "context canceled") || strings.Contains(said, "damaged") || !strings.Contains(said, "interrupted") {
			t.Errorf("%s says %s", command, said)
		}
		if code := p.ProcessState.ExitCode(); code != cmdline.Interrupted {
			t.Errorf("%s exits with %d", command, code)
		}
	}
}
