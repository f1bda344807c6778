//go:build hosting

// Tests that need more than Go: `bash .ci/run hosting` installs the programs and runs these tests.

package deploy_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"versus2048/internal/testkit"
)

// TestMain removes the folder of the programs that the tests have built.
func TestMain(m *testing.M) {
	status := m.Run()
	if folder, err := programs(); err == nil {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// programs makes a folder with the programs of the tests and returns it. Ours are built with the flags of a
// release and of the container, so that these find their parts in Go's cache.
var programs = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "versus2048-hosting"); err != nil {
		return "", err
	}
	own := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", folder, "versus2048/cmd/arena", "versus2048/cmd/bot"}
	tools := []string{
		"build", "-modfile=../.ci/tools/go.mod", "-o", folder,
		"github.com/letsencrypt/pebble/v2/cmd/pebble", "github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv",
	}
	for _, build := range [][]string{own, tools} {
		command := exec.Command("go", build...)
		command.Env = append(command.Environ(), "CGO_ENABLED=0")
		if out, err := command.CombinedOutput(); err != nil {
			return folder, fmt.Errorf("go %v: %w\n%s", build, err, out)
		}
	}
	return folder, nil
})

// built returns the path of one of the programs.
func built(t *testing.T, name string) string {
	t.Helper()
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, name)
}

// finished runs a program to its end and returns its output. The test fails if the program does.
func finished(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// program is a running program.
type program struct{ *testkit.Program }

// started starts a program, which is killed at the end of the test with all processes that it has started.
func started(t *testing.T, environment []string, name string, args ...string) program {
	t.Helper()
	p := program{testkit.NewProgram(name, args...)}
	p.Env = append(p.Environ(), environment...)
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.Begin(t)
	t.Cleanup(p.kill)
	return p
}

// awaited waits up to three minutes until the program has ended, and returns how.
func (p program) awaited(t *testing.T) error {
	t.Helper()
	testkit.Await(t, "the end of "+p.Path, p.Ended)
	return p.Wait()
}

// kill ends the program and all processes that it has started.
func (p program) kill() {
	_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL) // it may have ended
	_ = p.Wait()                                      // it was killed
}

// freeAddress returns an address of this machine for a process that is started later.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// accepts reports whether something listens at an address.
func accepts(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// The arena starts at all.
func TestArenaServes(t *testing.T) {
	arena := testkit.NewArena(t)
	program := testkit.NewProgram(built(t, "arena"), "serve", "--db", t.TempDir()+"/arena.db", "--addr", arena.Address)
	arena.Run(t, program)
	program.AwaitOutput(t, "arena open")
}
