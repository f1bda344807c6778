package main

import (
	"bytes"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"versus2048/internal/testkit"
)

// run runs a program to its end and returns its output, stdout and stderr apart, and its exit code.
func run(t *testing.T, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, &problems
	c.Env = environment(t)
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), c.ProcessState.ExitCode()
}

// environment returns the environment of the test's processes. They keep files in a folder of the test,
// not in the user's.
func environment(t *testing.T) []string {
	t.Helper()
	return append(os.Environ(), "XDG_CACHE_HOME="+filepath.Dir(t.TempDir()))
}

// startProcess starts a program, which is killed at the end of the test at the latest.
func startProcess(t *testing.T, name string, args ...string) *testkit.Program {
	t.Helper()
	p := newProcess(t, name, args...)
	p.Begin(t)
	return p
}

// newProcess returns a program that is not started yet.
func newProcess(t *testing.T, name string, args ...string) *testkit.Program {
	t.Helper()
	p := testkit.NewProgram(name, args...)
	p.Env = environment(t)
	return p
}

// freeAddress returns an address of this machine for a process that is started later, or again.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// play records a short event.
func play(t *testing.T, db string) {
	t.Helper()
	if _, stderr, code := run(t, "arena", "event", "run", "--db", db, "--bot", "random", "--bot", "greedy", "--size", "2x2",
		"--matches", "1", "--in-process", "--quiet"); code != 0 {
		t.Fatal(stderr)
	}
}

// alter changes a database as another program does.
func alter(t *testing.T, db, statement string) {
	t.Helper()
	other, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
