//go:build unix

package arena_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// taskVariable names what the tests' program does in a process of its own, and
// for whom.
const taskVariable = "VERSUS2048_TEST_TASK"

// TestMain runs the tests, or what a benchmark needs in another process.
func TestMain(m *testing.M) {
	task := strings.Fields(os.Getenv(taskVariable))
	if len(task) == 0 {
		os.Exit(m.Run())
	}
	if err := map[string]func(args []string) error{
		"play": play,
		"echo": echo,
		"idle": idle,
	}[task[0]](task[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// task is the command for such a process.
func task(name string, args ...any) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), taskVariable+"="+strings.TrimSpace(name+" "+fmt.Sprintln(args...)))
	c.Stderr = os.Stderr
	return c
}

// startTask starts such a process, which is killed at the latest when the
// benchmark ends.
func startTask(tb testing.TB, name string, args ...any) {
	tb.Helper()
	c := task(name, args...)
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = c.Process.Kill() // it may have exited
		_ = c.Wait()         // likewise
	})
}
